# Floats in the fewest digits that stand for them, the nearest of these: the Schubfach way
# (Giulietti, "The Schubfach way to render doubles", 2020). Three products of a power of ten with
# the float and with the ends of the numbers that round to it tell which digits are needed.

cdef enum:
    LARGEST_POWER = 60  # of ten in the tables, which serve floats from 1e-40 to 1e40
    LONGEST_NUMBER = 32  # signs of a number at most

cdef uint64_t[2 * LARGEST_POWER + 1] POWERS_HIGH, POWERS_LOW
cdef char[200] PAIRS  # 00 01 02 ... 99


cdef int fill_tables() except -1:
    """Powers of ten in 128 bits, the first of them set, rounded upwards."""
    cdef object k, shift, top, bottom, number, ten = 10  # of any length
    for k in range(-LARGEST_POWER, LARGEST_POWER + 1):
        shift = 127 - (k * 1741647 >> 19)  # 127 less the whole part of the logarithm to base 2
        top, bottom = ten ** max(k, 0) << max(shift, 0), ten ** max(-k, 0) << max(-shift, 0)
        number = -(-top // bottom)
        POWERS_HIGH[k + LARGEST_POWER] = number >> 64
        POWERS_LOW[k + LARGEST_POWER] = number & 0xFFFFFFFFFFFFFFFF
    for k in range(100):
        PAIRS[2 * k], PAIRS[2 * k + 1] = 48 + k // 10, 48 + k % 10
    return 0


fill_tables()


cdef inline uint64_t rounded_to_odd(int power, uint64_t factor) noexcept nogil:
    """The highest 64 of 192 bits of a product; the last of them is set if any below is."""
    cdef uint64_t high, top, low
    multiply_wide(POWERS_LOW[power], factor, &high)
    low = multiply_wide(POWERS_HIGH[power], factor, &top)
    low += high
    top += low < high
    return top | (low > 1)


cdef inline uint64_t shortest(double value, int* exponent) noexcept nogil:
    """Digits of a positive float from 1e-40 to 1e40, as a whole number of 10**exponent."""
    cdef uint64_t bits, fraction, hidden = <uint64_t>1 << 52, c, lower, upper, middle, s, tenth
    cdef int q, k, h, power, closer
    cdef bint below, above
    memcpy(&bits, &value, 8)
    fraction = bits & (hidden - 1)
    q = <int>(bits >> 52) - 1075
    c = fraction | hidden
    if -53 < q <= 0 and not c & ((<uint64_t>1 << -q) - 1):  # a whole number
        exponent[0] = 0
        return c >> -q
    closer = fraction == 0  # a power of two has nearer neighbours below
    k = (q * 1262611 - 524031 * closer) >> 22
    power = LARGEST_POWER - k
    h = q + (-k * 1741647 >> 19) + 1
    lower = rounded_to_odd(power, (4 * c - 2 + closer) << h) + (c & 1)
    middle = rounded_to_odd(power, 4 * c << h)
    upper = rounded_to_odd(power, (4 * c + 2) << h) - (c & 1)
    s = middle // 4
    tenth = s // 10
    below, above = lower <= 40 * tenth, 40 * tenth + 40 <= upper
    if s >= 10 and below != above:
        exponent[0] = k + 1
        return tenth + above
    exponent[0] = k
    below, above = lower <= 4 * s, 4 * s + 4 <= upper
    if below != above:
        return s + above
    return s + (middle + (s & 1) > 4 * s + 2)  # the middle of two goes to the even one


cdef inline int write_whole(uint64_t number, char* out) noexcept nogil:
    """The digits of a whole number; how many they are."""
    cdef char[20] digits
    cdef int first = 20
    cdef uint64_t rest
    while number >= 100:
        rest = number // 100
        first -= 2
        memcpy(&digits[first], &PAIRS[2 * (number - 100 * rest)], 2)
        number = rest
    if number >= 10:
        first -= 2
        memcpy(&digits[first], &PAIRS[2 * number], 2)
    else:
        first -= 1
        digits[first] = <char>(48 + number)
    memcpy(out, &digits[first], 20 - first)
    return 20 - first


cdef inline int write_parted(uint64_t number, int exponent, char* out) noexcept nogil:
    """A number of 10**exponent as Python writes floats; how many signs it takes."""
    cdef int count, point, end
    cdef char[20] digits
    if number % 100000000 == 0:
        number //= 100000000
        exponent += 8
    while number % 10 == 0:
        number //= 10
        exponent += 1
    count = write_whole(number, digits)
    point = count + exponent  # digits before the point
    if -4 < point <= 0:
        memcpy(out, b"0.0000", 6)
        memcpy(out + 2 - point, digits, count)
        return 2 - point + count
    if 0 < point <= 16:
        end = min(count, point)
        memcpy(out, digits, end)
        if count > point:
            out[point] = c"."
            memcpy(out + point + 1, digits + point, count - point)
            return count + 1
        memset(out + end, c"0", point - end)
        memcpy(out + point, b".0", 2)
        return point + 2
    out[0] = digits[0]
    end = 1
    if count > 1:
        out[1] = c"."
        memcpy(out + 2, digits + 1, count - 1)
        end = count + 1
    out[end] = c"e"
    out[end + 1] = c"-" if point <= 0 else c"+"
    point = 1 - point if point <= 0 else point - 1
    if point < 10:
        out[end + 2] = c"0"
    return end + 2 + (point < 10) + write_whole(point, out + end + 2 + (point < 10))


cdef int write_float(double value, const char* absent, int n_absent, char* out) except -1:
    """A float as Python's `repr`, or the word for nan."""
    cdef int exponent, end = 0
    if isnan(value):
        memcpy(out, absent, n_absent)
        return n_absent
    if not (1e-40 < fabs(value) < 1e40):  # 0 and infinity too
        text = repr(value).encode()
        memcpy(out, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        return <int>PyBytes_GET_SIZE(text)
    if value < 0:
        out[0] = c"-"
        end = 1
    cdef uint64_t number = shortest(fabs(value), &exponent)
    return end + write_parted(number, exponent, out + end)


def join_floats(cnp.ndarray values, bytes between, bytes absent):
    """The texts of floats, one after the other; `absent` stands for nan."""
    cdef const double* value = <const double*>cnp.PyArray_DATA(values)
    cdef int64_t n = values.shape[0], k
    cdef int64_t size = 0  # of the text before
    cdef const char* apart = PyBytes_AS_STRING(between)
    cdef int gap = len(between), n_absent = len(absent)
    cdef char* text = <char*>PyMem_Malloc(n * (max(LONGEST_NUMBER, n_absent) + gap) + 1)
    cdef char* end = text
    if text == NULL:
        raise MemoryError
    try:
        for k in range(n):
            if k:
                memcpy(end, apart, gap)
                end += gap
            # rates stay as they are from one threshold to the next while the other class changes
            if size and memcmp(value + k, value + k - 1, sizeof(double)) == 0:
                memcpy(end, end - gap - size, size)
            else:
                size = write_float(value[k], absent, n_absent, end)
            end += size
        return PyUnicode_DecodeUTF8(text, end - text, NULL)
    finally:
        PyMem_Free(text)


def join_integers(cnp.ndarray values, bytes between):
    """The texts of whole numbers, one after the other."""
    cdef const int64_t* value = <const int64_t*>cnp.PyArray_DATA(values)
    cdef int64_t n = values.shape[0], k
    cdef const char* apart = PyBytes_AS_STRING(between)
    cdef int gap = len(between)
    cdef char* text = <char*>PyMem_Malloc(n * (LONGEST_NUMBER + gap) + 1)
    cdef char* end = text
    if text == NULL:
        raise MemoryError
    try:
        with nogil:
            for k in range(n):
                if k:
                    memcpy(end, apart, gap)
                    end += gap
                if value[k] < 0:
                    end[0] = c"-"
                    end += 1
                    end += write_whole(<uint64_t>0 - <uint64_t>value[k], end)
                else:
                    end += write_whole(<uint64_t>value[k], end)
        return PyUnicode_DecodeUTF8(text, end - text, NULL)
    finally:
        PyMem_Free(text)
