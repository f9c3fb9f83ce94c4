# Columns of thresholds: as few digits as tell one score from the next, points below each other.

cdef enum:
    FEWEST_DIGITS = 4  # significant ones of a printed threshold
    ENOUGH_DIGITS = 12  # with so many, products are good to 1e-3


cdef inline bint between(double low, double value, double high, bint single) noexcept nogil:
    """Whether a number, and the float32 nearest to it if these are such, is in low < x <= high."""
    return low < value <= high and (not single or low < <double><float>value <= high)


cdef inline bint digits_of(
    double low, double high, bint single, int64_t* whole, int64_t* places
) noexcept nogil:
    """One number as `printing.digits_between` has it; whether floats could tell."""
    cdef double size = fabs(high), power, scaled, nearest, down, number, floored, edge
    cdef int exponent, digits, decimals
    cdef bint fits, fits_down, unsure, exact
    if not 1.001e-5 < size < 1e14:
        return False
    exponent = <int>floor(log10(size))
    for digits in range(FEWEST_DIGITS, ENOUGH_DIGITS + 1):
        decimals = digits - 1 - exponent
        power = TENS[decimals if decimals >= 0 else -decimals]
        scaled = high * power if decimals >= 0 else high / power
        nearest, down = rint(scaled), floor(scaled)
        number = nearest / power if decimals >= 0 else nearest * power
        floored = down / power if decimals >= 0 else down * power
        fits, fits_down = between(low, number, high, single), between(low, floored, high, single)
        edge = fabs(nearest) / TENS[digits]
        unsure = fabs(fabs(scaled - trunc(scaled)) - 0.5) < 1e-3 or edge > 1 - 1e-9
        unsure = unsure or edge < 0.1 + 1e-9 or (not fits and fabs(scaled - nearest) < 1e-3)
        if unsure:
            return False
        if fits or fits_down:
            exact = (number if fits else floored) == high
            whole[0] = <int64_t>(nearest if fits else down)
            if decimals < 0:
                whole[0] *= <int64_t>power
                decimals = 0
            while exact and decimals > 0 and whole[0] % 10 == 0:
                whole[0] //= 10
                decimals -= 1
            places[0] = decimals
            return True
    return False


def digits_between(
    cnp.ndarray low, cnp.ndarray high, bint single,
    cnp.ndarray whole, cnp.ndarray places, cnp.ndarray found,
):
    """Fill in the numbers of `printing.digits_between`."""
    cdef const double* lower = <const double*>cnp.PyArray_DATA(low)
    cdef const double* upper = <const double*>cnp.PyArray_DATA(high)
    cdef int64_t* number = <int64_t*>cnp.PyArray_DATA(whole)
    cdef int64_t* decimals = <int64_t*>cnp.PyArray_DATA(places)
    cdef uint8_t* told = <uint8_t*>cnp.PyArray_DATA(found)
    cdef int64_t k, n = low.shape[0]
    with nogil:
        for k in range(n):
            told[k] = digits_of(lower[k], upper[k], single, number + k, decimals + k)


cdef inline uint64_t size_of(int64_t number) noexcept nogil:
    return <uint64_t>0 - <uint64_t>number if number < 0 else <uint64_t>number


def digits_before_point(cnp.ndarray whole, cnp.ndarray places):
    """The most digits before a point, and one more place where there is a minus."""
    cdef const int64_t* number = <const int64_t*>cnp.PyArray_DATA(whole)
    cdef const int64_t* decimals = <const int64_t*>cnp.PyArray_DATA(places)
    cdef int64_t k, n = whole.shape[0], most = 1, count
    cdef bint minus = False
    cdef char[20] digits
    with nogil:
        for k in range(n):
            count = write_whole(size_of(number[k]), digits) - decimals[k]
            most = max(most, count)
            minus = minus or number[k] < 0
    return most + minus


def align_decimals(cnp.ndarray whole, cnp.ndarray places, int64_t front, cnp.ndarray signs):
    """Write numbers `whole` / 10**`places` into blank columns of signs, points after `front`."""
    cdef const int64_t* number = <const int64_t*>cnp.PyArray_DATA(whole)
    cdef const int64_t* decimals = <const int64_t*>cnp.PyArray_DATA(places)
    cdef char* out = <char*>cnp.PyArray_DATA(signs)
    cdef int64_t k, n = whole.shape[0], count, place, at
    cdef char[48] digits
    with nogil:
        for k in range(n):
            memset(digits, c"0", 24)
            count = write_whole(size_of(number[k]), digits + 24)
            place = max(count, decimals[k] + 1)  # digits with the zeros before them
            at = front - (place - decimals[k])
            if number[k] < 0:
                out[(at - 1) * n + k] = c"-"
            for place in range(24 + count - place, 24 + count - decimals[k]):
                out[at * n + k] = digits[place]
                at += 1
            if decimals[k]:
                out[at * n + k] = c"."
                for place in range(24 + count - decimals[k], 24 + count):
                    at += 1
                    out[at * n + k] = digits[place]
