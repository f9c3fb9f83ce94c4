# The cells of a table of text, read where they stand. A line is looked at once: cells of columns
# that are not wanted are stepped over, the others become numbers as long as their column is one.

cdef enum:
    LONGEST_CELL = 400  # signs of a number; longer ones are words
    MOST_DIGITS = 19  # that 64 bits hold

cdef double[23] TENS  # powers of ten that floats hold exactly
TENS[:] = [10.0**k for k in range(23)]
cdef double EXACT = 9007199254740992.0  # whole numbers below it are floats

cdef enum Kind:
    WHOLE, PARTED, WORDS  # whole numbers, numbers, anything


cdef inline bint is_missing(const char* cell, int64_t size) noexcept nogil:
    """What R and pandas write where there is no value."""
    if size == 0:
        return True
    if size == 2:
        return memcmp(cell, b"NA", 2) == 0
    if size == 3:
        return memcmp(cell, b"nan", 3) == 0 or memcmp(cell, b"NaN", 3) == 0
    return size == 4 and memcmp(cell, b"null", 4) == 0


cdef inline double scaled(uint64_t digits, int exponent) noexcept nogil:
    """The float nearest to digits * 10**exponent; nan where this arithmetic cannot tell."""
    cdef uint64_t product, rest
    cdef int shift = 0, spare
    if digits <= <uint64_t>1 << 53 and -22 <= exponent <= 22:  # one correct rounding
        return digits / TENS[-exponent] if exponent < 0 else digits * TENS[exponent]
    if not digits or not -LARGEST_POWER <= exponent <= LARGEST_POWER:
        return NAN
    while not digits >> 63:
        digits <<= 1
        shift += 1
    product = multiply_high(digits, POWERS_HIGH[exponent + LARGEST_POWER] - 1)
    # of the true product at most three are missing, all below the bits that stay
    spare = 11 if product >> 63 else 10
    rest = product & ((<uint64_t>1 << spare) - 1)
    if rest <= (<uint64_t>1 << (spare - 1)) <= rest + 3:
        return NAN  # close to the middle of two floats
    product = (product >> spare) + (rest >> (spare - 1))
    return ldexp(<double>product, spare + 1 + (exponent * 1741647 >> 19) - shift)


cdef inline double number_of(const char* cell, int64_t size, bint* whole, bint* odd) noexcept nogil:
    """The number that a cell holds; nan and `odd` where it may hold something else.

    Nan without `odd` is a number that needs more digits than 64 bits hold.
    """
    cdef uint64_t digits = 0
    cdef int64_t at = 0
    cdef int exponent = 0, power = 0, n_digits = 0, n_used = 0
    cdef bint minus = cell[0] == c"-", point = False, down
    cdef char sign
    whole[0], odd[0] = True, True
    at = minus or cell[0] == c"+"
    while at < size:
        sign = cell[at]
        if c"0" <= sign <= c"9":
            n_digits += 1
            if n_used < MOST_DIGITS:
                digits = 10 * digits + <uint64_t>(sign - 48)
                n_used += digits != 0
            else:
                n_used += 1
            exponent -= point
        elif sign == c"." and not point:
            point = True
        else:
            break
        at += 1
    if not n_digits:
        return NAN
    if at < size:
        if cell[at] != c"e" and cell[at] != c"E":
            return NAN
        at += 1
        down = at < size and cell[at] == c"-"
        at += at < size and (cell[at] == c"-" or cell[at] == c"+")
        if not 0 < size - at <= 3:
            return NAN
        while at < size:
            if not c"0" <= cell[at] <= c"9":
                return NAN
            power = 10 * power + cell[at] - 48
            at += 1
        exponent += -power if down else power
        whole[0] = False
    whole[0] = whole[0] and not point
    odd[0] = False
    if n_used > MOST_DIGITS:
        return NAN
    cdef double value = scaled(digits, exponent)
    return -value if minus else value


cdef double asked_of_python(const char* cell, int64_t size) except? -1.0:
    cdef char[LONGEST_CELL + 1] text
    memcpy(text, cell, size)
    text[size] = 0
    return PyOS_string_to_double(text, NULL, NULL)


cdef int take(
    const char* cell, int64_t size, double* value, uint8_t* kind, uint8_t* missing
) except -1:
    """Put a cell into its column, or find that the column holds words."""
    cdef bint whole, odd
    cdef double number
    if is_missing(cell, size):
        value[0] = NAN
        missing[0] = True
        return 0
    number = number_of(cell, size, &whole, &odd)
    if isnan(number) and not odd and size <= LONGEST_CELL:
        number = asked_of_python(cell, size)
    if size > LONGEST_CELL or not fabs(number) < EXACT:  # not a number, or nan, or too large
        kind[0] = WORDS
    elif not whole and kind[0] == WHOLE:
        kind[0] = PARTED
    value[0] = number
    return 0


def cell_columns(
    bytes text, int64_t n_columns, cnp.ndarray wanted, char delimiter,
    cnp.ndarray values, cnp.ndarray kinds, cnp.ndarray missing,
):
    """Fill columns of `values` with the numbers of lines; how many rows, -1 if lines are uneven.

    `wanted` has the place in `values` of each column, -1 for those to step over. `kinds` says
    which columns are whole numbers (0), numbers (1) and words (2), `missing` where cells are.
    """
    cdef const char* at = PyBytes_AS_STRING(text)
    cdef const char* end = at + PyBytes_GET_SIZE(text)
    cdef const char* start
    cdef const int64_t* target = <const int64_t*>cnp.PyArray_DATA(wanted)
    cdef double* value = <double*>cnp.PyArray_DATA(values)
    cdef uint8_t* kind = <uint8_t*>cnp.PyArray_DATA(kinds)
    cdef uint8_t* absent = <uint8_t*>cnp.PyArray_DATA(missing)
    cdef int64_t room = values.shape[1], row = 0, column, k
    while at < end:
        if at[0] == c"\n" or (at[0] == c"\r" and at[1] == c"\n"):  # an empty line is no row
            at += 1 + (at[0] == c"\r")
            continue
        for column in range(n_columns):
            start = at
            while at[0] != delimiter and at[0] != c"\n" and at[0] != c"\r" and at < end:
                at += 1
            if (column < n_columns - 1) != (at < end and at[0] == delimiter):
                return -1
            k = target[column]
            if k >= 0 and kind[k] != WORDS:
                take(start, at - start, value + k * room + row, kind + k, absent + k)
            at += column < n_columns - 1
        row += 1
        if at < end and at[0] == c"\r":
            at += 1
            if at[0] != c"\n":
                return -1
        at += at < end
    return row


def word_cells(bytes text, int64_t n_columns, int64_t wanted, char delimiter):
    """The cells of one column of lines that were found to be even."""
    cdef const char* at = PyBytes_AS_STRING(text)
    cdef const char* end = at + PyBytes_GET_SIZE(text)
    cdef const char* start
    cdef const char* before = NULL
    cdef int64_t column, size = -1
    cdef list cells = []
    cell = ""
    while at < end:
        if at[0] == c"\n" or at[0] == c"\r":
            at += 1
            continue
        for column in range(n_columns):
            start = at
            while at[0] != delimiter and at[0] != c"\n" and at[0] != c"\r" and at < end:
                at += 1
            if column == wanted:
                if at - start != size or memcmp(start, before, size):  # often as in the line above
                    before, size = start, at - start
                    cell = PyUnicode_DecodeUTF8(start, size, NULL)
                cells.append(cell)
            at += column < n_columns - 1
        at += at < end
    return cells
