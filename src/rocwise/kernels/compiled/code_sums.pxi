# Placement sums of one bucket without sorting its scores; included by many_rows.pxi.
#
# Sums need to know which rows of the other class lie below a row, and nothing of the scores
# themselves. So a row becomes a code of four bytes: the distance of its key from the least one of
# the bucket, as many of the upper bits as there is room for, and its class as the last bit. Numpy
# sorts twice as many of these at once as of the scores, those of both classes together, and a walk
# over them has no two lists to choose from.
#
# Equal codes of one class do no harm. Codes that differ in the class alone may be those of tied
# rows or of rows whose keys differ further down: where bits were left out, the scores must say.

cdef enum:
    CODE_BITS = 31
    ENOUGH_FAILURES = 4  # buckets with codes of both kinds, and no more than a few without them


cdef inline bint worth_a_trial(const Trials* trials) noexcept nogil:
    """Whether codes did for most of the buckets so far; threads may change the counts meanwhile."""
    return trials.failed < ENOUGH_FAILURES + trials.done // ENOUGH_FAILURES


cdef inline uint64_t key_at(const score* place) noexcept nogil:
    if score is double:
        return turned(at(<const uint64_t*>place))
    else:
        return turned(at(<const uint32_t*>place))


cdef void widen(const score* values, int64_t size, score* least, score* largest) noexcept nogil:
    """Let the range take in the values too."""
    cdef score[8] low, high  # several at a time, since each waits for the one before it
    cdef score value
    cdef int64_t row, lane, whole = size - size % 8
    for lane in range(8):
        low[lane] = least[0]
        high[lane] = largest[0]
    for row in range(0, whole, 8):
        for lane in range(8):
            value = values[row + lane]
            low[lane] = value if value < low[lane] else low[lane]
            high[lane] = value if value > high[lane] else high[lane]
    for row in range(whole, size):
        low[0] = values[row] if values[row] < low[0] else low[0]
        high[0] = values[row] if values[row] > high[0] else high[0]
    for lane in range(8):
        least[0] = low[lane] if low[lane] < least[0] else least[0]
        largest[0] = high[lane] if high[lane] > largest[0] else largest[0]


cdef void write_codes(
    const score* values, int64_t size, uint64_t low_key, int shift, uint32_t label, uint32_t* codes
) noexcept nogil:
    cdef int64_t row
    for row in range(size):
        codes[row] = 2 * <uint32_t>((key_at(values + row) - low_key) >> shift) + label


cdef bint meet(const uint32_t* codes, int64_t size) noexcept nogil:
    """Whether two ascending codes differ in the class alone."""
    cdef uint32_t met = 0
    cdef int64_t row
    for row in range(1, size):
        met |= (codes[row] ^ codes[row - 1]) == 1
    return met != 0


cdef void list_positives(const uint32_t* codes, int64_t size, uint32_t* ranks) noexcept nogil:
    """Write down how many rows lie below each positive; there is room for one rank too many."""
    cdef int64_t row, whole = size - size % 4, found = 0, second, third, fourth
    for row in range(0, whole, 4):  # four at a time: a sum waits for the one before it
        second = codes[row] & 1
        third = second + (codes[row + 1] & 1)
        fourth = third + (codes[row + 2] & 1)
        ranks[found] = <uint32_t>row
        ranks[found + second] = <uint32_t>(row + 1)
        ranks[found + third] = <uint32_t>(row + 2)
        ranks[found + fourth] = <uint32_t>(row + 3)
        found += fourth + (codes[row + 3] & 1)
    for row in range(whole, size):
        ranks[found] = <uint32_t>row
        found += codes[row] & 1


cdef Sums sums_of_ranks(const uint32_t* ranks, uint64_t n_neg, uint64_t n_pos) noexcept nogil:
    """Sums of rows of which none are tied.

    The positive number k, from 0 on, with a negatives below it adds (2 k + 1) (n_neg - a) to the
    squares of the negatives, since it is below n_neg - a of them.
    """
    cdef uint64_t half_u = 0, quarter_u2 = 0, turned_v2 = 0
    cdef uint32_t k, below
    cdef Sums sums
    for k in range(<uint32_t>n_pos):
        below = ranks[k] - k
        half_u += below
        quarter_u2 += <uint64_t>below * below
        turned_v2 += <uint64_t>below * (2 * k + 1)
    sums.u = 2 * half_u
    sums.u2 = 4 * quarter_u2
    sums.v = 2 * (n_pos * n_neg - half_u)
    sums.v2 = 4 * (n_neg * n_pos * n_pos - turned_v2)
    sums.ties = 0
    return sums


cdef void correct_ties(
    const uint32_t* codes, int64_t n_neg, int64_t n_pos, Sums* sums
) noexcept nogil:
    """Count rows with codes that differ in the class alone as tied, not as in order.

    Of q negatives with a below them, and p positives with b below them, that are tied, the former
    come first.
    """
    cdef int64_t place, row, size = n_neg + n_pos
    cdef uint64_t p, q, a, b = 0
    for place in range(1, size):
        b += codes[place - 1] & 1
        if codes[place] ^ codes[place - 1] != 1:
            continue
        row = place - 1
        while row > 0 and codes[row - 1] == codes[place - 1]:
            row -= 1
        q = place - row
        a = row - b
        row = place + 1
        while row < size and codes[row] == codes[place]:
            row += 1
        p = row - place
        sums.ties += p * q
        sums.u -= p * q
        sums.u2 -= p * q * (4 * a + 3 * q)
        sums.v += p * q
        sums.v2 += p * q * (4 * b + p)


cdef Sums sums_of_one_score(uint64_t n_neg, uint64_t n_pos) noexcept nogil:
    cdef Sums sums
    sums.u = sums.v = sums.ties = n_pos * n_neg
    sums.u2 = n_pos * n_neg * n_neg
    sums.v2 = n_pos * n_neg * n_pos
    return sums


cdef bint sum_by_codes(
    const score* neg, int64_t n_neg, const score* pos, int64_t n_pos, uint32_t* codes,
    SortFunction sort, Trials* trials, Sums* sums, double* ends,
) noexcept nogil:
    """Sums and ends of a bucket from the codes of its rows; False where they do not tell.

    There is room for one number more than a code for each row and one for each positive.
    """
    cdef score low, high
    cdef uint64_t low_key, span
    cdef int shift = 0
    cdef bint tied
    low = high = neg[0] if n_neg else pos[0]
    widen(neg, n_neg, &low, &high)
    widen(pos, n_pos, &low, &high)
    ends[0] = low
    ends[1] = high
    if low == high:
        sums[0] = sums_of_one_score(n_neg, n_pos)
        return True
    low_key = key_at(&low)
    span = key_at(&high) - low_key
    while span >> shift >> CODE_BITS:
        shift += 1
    write_codes(neg, n_neg, low_key, shift, 0, codes)
    write_codes(pos, n_pos, low_key, shift, 1, codes + n_neg)
    if sort(codes, n_neg + n_pos, NULL) != 0:
        return False
    tied = meet(codes, n_neg + n_pos)
    if tied and shift > 0:
        trials.failed += 1
        return False
    trials.done += 1
    list_positives(codes, n_neg + n_pos, codes + n_neg + n_pos)
    sums[0] = sums_of_ranks(codes + n_neg + n_pos, n_neg, n_pos)
    if tied:
        correct_ties(codes, n_neg, n_pos, sums)
    return True
