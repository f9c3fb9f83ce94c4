# Rows of the information of cut points between categories; included by _likelihoods.pyx.
#
# What there is of either class is in one register: the negatives in front, the positives behind.

cdef extern from "math.h" nogil:
    double erfc(double x)
    double exp(double x)
    double log(double x)

cdef enum:
    PER_BLOCK = 4096  # categories whose sums are kept apart; `binormal/steps.py` has it too
    PER_CHUNK = 128
    MOST_TIMES = 7  # cases of a category up to which its share is multiplied, and no logarithm taken
    BLOCK_SUMS = 8

cdef double NARROW = 0.01  # `binormal/plain.py` has it too
cdef double TINY = 5e-4  # likewise, of which the first two terms tell all digits
cdef double NOT_SMALL = 1e-12  # shares whose seventh power is far from 0
cdef double SMALL = 1e-150  # a product of shares of which the logarithm is taken
cdef double CLOSE = 0.015625  # logarithms of densities, apart by which a short series tells the second
cdef double PER_ROOT = 0.3989422804014326779  # 1 / sqrt(2 pi)
cdef double HALF_ROOT = 0.7071067811865475244  # sqrt(1 / 2)

ctypedef struct Place:
    # a cut point on the scale of either class, the densities there; t and the density of positives
    both x
    both density
    double t
    double moved

ctypedef struct Category:
    # shares, 1 / share and count / share of either class; how the share of the positives changes
    # with a and b, and that over the share
    both shares
    both inverse
    both rate
    both change
    both by

ctypedef struct Columns:
    # counts of negatives and positives, cut points; and what is filled, one row for a cut point
    const double* n
    const double* m
    const double* t
    double* diagonal
    double* beside
    double* gradient
    double* of_a
    double* of_b
    int64_t cuts
    both sizes  # cases of either class
    both slopes  # 1 and b: how far a cut point moves on the scale of either class
    both offsets  # 0 and a
    both weights  # sizes times squares of slopes
    double shared  # positives times b

ctypedef struct ChunkSums:
    # of so few categories that rounding takes nothing off them
    both score
    both own
    both crossed

ctypedef struct BlockSums:
    Sum log_likelihood  # of either class
    Sum score  # derivatives in a and b
    Sum own  # information of a, of b
    Sum crossed  # of both together, in front
    double steepest
    double least
    both product  # of shares whose logarithm is still to be taken


cdef inline double density(double x) noexcept nogil:
    return exp(-0.5 * x * x) * PER_ROOT


cdef inline both exp_close(both z) noexcept nogil:
    """exp of two numbers close to 0: the series up to the seventh power, in pairs."""
    cdef both square = times(z, z), low, high
    low = plus(twice(1.0 / 2), times(z, twice(1.0 / 6)))
    high = plus(twice(1.0 / 24), times(z, twice(1.0 / 120)))
    high = plus(high, times(square, plus(twice(1.0 / 720), times(z, twice(1.0 / 5040)))))
    return plus(twice(1.0), plus(z, times(square, plus(low, times(square, high)))))


cdef inline Place place_at(const Columns* given, int64_t cut, Place* known) noexcept nogil:
    """A cut point; minus infinity before the first one, and infinity after the last.

    A short series tells its densities from those at a known place that is close, as most are.
    Else it is the known one from here on.
    """
    cdef Place place
    cdef both apart
    if cut < 0 or cut >= given.cuts:
        place.t = INFINITY if cut >= 0 else -INFINITY
        place.x, place.density, place.moved = twice(place.t), twice(0.0), 0.0
        return place
    place.t = given.t[cut]
    place.x = minus(times(given.slopes, twice(place.t)), given.offsets)
    apart = times(times(twice(-0.5), minus(place.x, known.x)), plus(place.x, known.x))
    if fabs(front_of(apart)) < CLOSE and fabs(back_of(apart)) < CLOSE:
        place.density = times(known.density, exp_close(apart))
    else:
        place.density = both_of(density(front_of(place.x)), density(back_of(place.x)))
        known[0] = place
    place.moved = place.t * back_of(place.density)
    return place


cdef double share_between(double x, double y) noexcept nogil:
    """The normal probability from x to y, taken in the nearer tail to keep its digits."""
    if x > 0.0:
        return 0.5 * (erfc(x * HALF_ROOT) - erfc(y * HALF_ROOT))
    return 0.5 * (erfc(-y * HALF_ROOT) - erfc(-x * HALF_ROOT))


cdef inline both narrow_shares(
    const Place* low, const Place* high, both width, bint tiny
) noexcept nogil:
    """Normal probabilities of narrow categories, from the densities at their ends.

    The difference of two probabilities would leave them few digits; Euler and Maclaurin's formula
    has them all.
    """
    cdef both x = times(low.x, low.density), y = times(high.x, high.density)
    cdef both bent = times(times(width, minus(y, x)), twice(1.0 / 12.0))
    cdef both three = twice(3.0), mean = times(twice(0.5), plus(low.density, high.density)), more
    mean = plus(mean, bent)
    if not tiny:
        x = times(minus(three, times(low.x, low.x)), x)
        y = times(minus(three, times(high.x, high.x)), y)
        more = times(times(times(times(width, width), width), minus(y, x)), twice(1.0 / 720.0))
        mean = plus(mean, more)
    return times(width, mean)


cdef inline both shares_of(const Columns* given, const Place* low, const Place* high) noexcept nogil:
    """The share of either class between two cut points."""
    cdef both width = times(given.slopes, twice(high.t - low.t)), wide, found
    wide = times(width, plus(twice(1.0), larger(size_of(low.x), size_of(high.x))))
    if front_of(wide) < TINY and back_of(wide) < TINY:
        return narrow_shares(low, high, width, True)
    found = narrow_shares(low, high, width, False)
    if not (front_of(wide) < NARROW and back_of(wide) < NARROW):
        found = both_of(
            front_of(found) if front_of(wide) < NARROW
            else share_between(front_of(low.x), front_of(high.x)),
            back_of(found) if back_of(wide) < NARROW
            else share_between(back_of(low.x), back_of(high.x)),
        )
    return found


cdef inline double power(double x, double cases) noexcept nogil:
    """x as often as there are cases, at most 7: which they are cannot be guessed."""
    cdef int k = <int>cases
    cdef double[2] one, two, four
    one[0] = two[0] = four[0] = 1.0
    one[1], two[1] = x, x * x
    four[1] = two[1] * two[1]
    return one[k & 1] * two[(k >> 1) & 1] * four[(k >> 2) & 1]


cdef void add_logarithms(BlockSums* sums) noexcept nogil:
    add(
        &sums.log_likelihood,
        both_of(log(front_of(sums.product)), log(back_of(sums.product))),
    )
    sums.product = twice(1.0)


cdef double log_of_cases(double cases, double own) noexcept nogil:
    if cases > 0.0:
        return cases * log(own) if own > 0.0 else -INFINITY
    return 0.0


cdef inline void add_cases(BlockSums* sums, double n, double m, double p, double q) noexcept nogil:
    """Add the log likelihood of the cases of a category."""
    if n <= MOST_TIMES and m <= MOST_TIMES and p > NOT_SMALL and q > NOT_SMALL:
        if n > 0.0:  # mostly classes take turns, which can be guessed
            sums.product = times(sums.product, both_of(power(p, n), 1.0))
        if m > 0.0:
            sums.product = times(sums.product, both_of(1.0, power(q, m)))
        if front_of(sums.product) < SMALL or back_of(sums.product) < SMALL:
            add_logarithms(sums)
    else:
        add(&sums.log_likelihood, both_of(log_of_cases(n, p), log_of_cases(m, q)))


cdef inline Category category_of(
    const Columns* given, int64_t k, const Place* low, const Place* high
) noexcept nogil:
    """What rows need of a category between two cut points."""
    cdef Category here
    here.shares = shares_of(given, low, high)
    here.inverse = over(twice(1.0), here.shares)
    here.rate = times(both_of(given.n[k], given.m[k]), here.inverse)
    here.change = both_of(
        back_of(low.density) - back_of(high.density), high.moved - low.moved
    )
    here.by = times(here.change, twice(back_of(here.inverse)))
    return here


cdef inline void add_category(
    const Columns* given, BlockSums* sums, ChunkSums* chunk, int64_t k, const Category* here
) noexcept nogil:
    cdef double p = front_of(here.shares), q = back_of(here.shares)
    cdef both change = times(twice(back_of(given.sizes)), here.change)
    if not (p > sums.least and q > sums.least):  # also where one is nan
        sums.least = min(p, q) if p > 0.0 and q > 0.0 else 0.0
    add_cases(sums, given.n[k], given.m[k], p, q)
    chunk.own = plus(chunk.own, times(change, here.by))
    chunk.crossed = plus(chunk.crossed, times(change, twice(back_of(here.by))))


cdef inline double joined(both x) noexcept nogil:
    return front_of(x) + back_of(x)


cdef inline void fill_row(
    const Columns* given, BlockSums* sums, ChunkSums* chunk, int64_t k, const Place* here,
    const Place* high, const Category* below, const Category* above
) noexcept nogil:
    """The row of a cut point, which is between two categories."""
    cdef both drop = times(here.density, minus(below.rate, above.rate)), row
    cdef both scaled = times(given.weights, here.density)
    cdef double by_u = back_of(drop)
    row = times(times(scaled, here.density), plus(below.inverse, above.inverse))
    given.diagonal[k] = joined(row)
    given.beside[k] = -joined(times(times(scaled, high.density), above.inverse))
    given.gradient[k] = joined(times(given.slopes, drop))
    row = times(twice(given.shared * back_of(here.density)), minus(below.by, above.by))
    given.of_a[k], given.of_b[k] = front_of(row), back_of(row)
    sums.steepest = max(sums.steepest, fabs(given.gradient[k]))
    chunk.score = plus(chunk.score, both_of(-by_u, here.t * by_u))


cdef void fill_chunk(
    const Columns* given, BlockSums* sums, int64_t first, int64_t last
) noexcept nogil:
    """Some categories and the cut points after them, column by column.

    All of one category takes longer than a processor looks ahead, and most of it is waiting.
    """
    cdef Place[PER_CHUNK + 2] places  # the one before the first category and so on
    cdef Place known
    cdef ChunkSums chunk
    cdef Category[PER_CHUNK + 1] found
    cdef int64_t k, size = last - first, rows = min(last, given.cuts) - first
    memset(&chunk, 0, sizeof(ChunkSums))
    known.x = twice(INFINITY)  # is close to none
    for k in range(size + 2):
        places[k] = place_at(given, first - 1 + k, &known)
    for k in range(rows + 1):
        found[k] = category_of(given, first + k, &places[k], &places[k + 1])
    for k in range(size):
        add_category(given, sums, &chunk, first + k, &found[k])
    for k in range(rows):
        fill_row(
            given, sums, &chunk, first + k, &places[k + 1], &places[k + 2], &found[k], &found[k + 1]
        )
    add(&sums.own, chunk.own)
    add(&sums.crossed, chunk.crossed)
    add(&sums.score, chunk.score)


cdef void fill_block(const Columns* given, int64_t first, int64_t last, double* told) noexcept nogil:
    """Fill the rows of the cut points after these categories, and what the categories add up to."""
    cdef BlockSums sums
    memset(&sums, 0, sizeof(BlockSums))
    sums.product, sums.least = twice(1.0), INFINITY
    while first < last:
        fill_chunk(given, &sums, first, min(first + PER_CHUNK, last))
        first += PER_CHUNK
    add_logarithms(&sums)
    told[0], told[1] = joined(sums.log_likelihood.total), front_of(sums.score.total)
    told[2], told[3] = back_of(sums.score.total), front_of(sums.own.total)
    told[4], told[5] = front_of(sums.crossed.total), back_of(sums.own.total)
    told[6], told[7] = sums.steepest, sums.least


def fill_rows(
    cnp.ndarray counts, cnp.ndarray totals, double a, double b, cnp.ndarray cuts,
    cnp.ndarray table, cnp.ndarray sums, int64_t first, int64_t last,
):
    """Fill the rows of some blocks of categories, and the sums of each of these blocks.

    `counts` is (2, K), negatives first, `totals` its sums. `table` (5, K - 1) is filled with the
    diagonal of the information, what is beside it, the gradient, and what the cut points share
    with a and b; `sums` with the log likelihood, its derivatives in a and b, their information,
    the largest derivative in a cut point, and the smallest share.
    """
    cdef Columns given
    cdef double* told = <double*>cnp.PyArray_DATA(sums)
    cdef int64_t size = counts.shape[1], block
    given.cuts = cuts.shape[0]
    given.n = <const double*>cnp.PyArray_DATA(counts)
    given.m = given.n + size
    given.t = <const double*>cnp.PyArray_DATA(cuts)
    given.diagonal = <double*>cnp.PyArray_DATA(table)
    given.beside = given.diagonal + given.cuts
    given.gradient = given.beside + given.cuts
    given.of_a = given.gradient + given.cuts
    given.of_b = given.of_a + given.cuts
    given.sizes = at(<const double*>cnp.PyArray_DATA(totals), 0, 1)
    given.slopes, given.offsets = both_of(1.0, b), both_of(0.0, a)
    given.weights = times(times(given.sizes, given.slopes), given.slopes)
    given.shared = back_of(given.sizes) * b
    with nogil:
        for block in range(first, last):
            fill_block(
                &given, block * PER_BLOCK, min((block + 1) * PER_BLOCK, size),
                told + block * BLOCK_SUMS,
            )
