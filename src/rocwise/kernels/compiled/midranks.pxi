# Midranks of two models, placed among each other; included by _swapping.pyx.

cdef inline int64_t end_of_ties(const uint8_t* new, int64_t row, int64_t rows) noexcept nogil:
    """The row after the last one that has the score of this one."""
    row += 1
    while row < rows and not new[row]:
        row += 1
    return row


cdef struct Squares:  # numbers, and their squares in two halves, which 2**30 of them do not fill
    uint64_t total
    uint64_t low
    uint64_t high


cdef inline void add_squares(Squares* sums, uint64_t own, uint64_t times) noexcept nogil:
    cdef uint64_t squared = own * own
    sums.total += times * own
    sums.low += times * (squared & <uint64_t>0xFFFFFFFF)
    sums.high += times * (squared >> 32)


def sum_ranked(cnp.ndarray ranked, cnp.ndarray starts):
    """Sums of the placements of one model, from the classes of its rows by rising score.

    `starts` has 1 where a score differs from the one before. Positives, negatives; placements of
    positives and their squares, the same of negatives; tied pairs.
    """
    cdef const uint8_t* label = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* new = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef int64_t rows = ranked.shape[0], row = 0, stop, place
    cdef uint64_t n_pos = 0, n_neg = 0, pos, neg, ties = 0, keep
    cdef Squares u, v
    u.total = u.low = u.high = v.total = v.low = v.high = 0
    with nogil:
        while row < rows:
            while row + 1 < rows and new[row + 1]:  # not tied: no branch by class
                keep = 0 - <uint64_t>label[row]
                add_squares(&u, 2 * n_neg & keep, 1)
                add_squares(&v, 2 * n_pos & ~keep, 1)
                n_pos += label[row]
                row += 1
                n_neg = <uint64_t>row - n_pos
            stop = end_of_ties(new, row, rows)
            pos = 0
            for place in range(row, stop):
                pos += label[place]
            neg = <uint64_t>(stop - row) - pos
            add_squares(&u, 2 * n_neg + neg, pos)
            add_squares(&v, 2 * n_pos + pos, neg)
            ties += pos * neg
            n_pos += pos
            n_neg += neg
            row = stop
    squares = [(int(each[1]) << 32) + int(each[0]) for each in ((u.low, u.high), (v.low, v.high))]
    return n_pos, n_neg, u.total, squares[0], v.total, squares[1], ties


cdef struct Group:  # of tied rows, and how many of either class are before it
    int64_t row
    int64_t stop
    int64_t[2] before
    int64_t[2] held


cdef inline void find_group(
    const uint8_t* label, const uint8_t* new, int64_t rows, Group* group
) noexcept nogil:
    """Where the group that begins at its row ends, and how many of either class it has."""
    cdef int64_t place
    group.held[0] = group.held[1] = 0
    group.stop = end_of_ties(new, group.row, rows) if group.row < rows else rows
    for place in range(group.row, group.stop):
        group.held[label[place]] += 1


cdef inline void pass_group(
    const uint8_t* label, const uint8_t* new, int64_t rows, Group* group
) noexcept nogil:
    """Go on to the next group."""
    group.before[0] += group.held[0]
    group.before[1] += group.held[1]
    group.row = group.stop
    find_group(label, new, rows, group)


cdef int64_t place_untied(
    const int64_t* to, const uint8_t* label, const uint8_t* new, const uint8_t* other_label,
    const uint8_t* other_new, int64_t row, int64_t last, int64_t positives, int64_t* out,
) noexcept nogil:
    """Place rows as long as none is tied under either model; the first row that is not placed.

    Rows before are as many under both models, `positives` of all of them. Of the last row nobody
    can tell that no other is tied with it.
    """
    cdef int64_t own, both, negatives
    while row < last and new[row + 1] and other_new[row + 1]:
        if row + AHEAD < last:  # rows come in any order: say soon where the next are
            prefetch_write(out + to[row + AHEAD])
        own = label[row]
        both = own + other_label[row]
        negatives = 2 * (2 * row - positives) + 2 - both
        out[to[row]] = (negatives & -own) | ((2 * positives + both) & (own - 1))
        positives += both
        row += 1
    return row


cdef inline void begin_group(
    const uint8_t* label, const uint8_t* new, int64_t rows, int64_t row, Group* group
) noexcept nogil:
    """The group that begins at a row to which all before it were placed one by one."""
    cdef int64_t place
    for place in range(group.row, row):
        group.before[label[place]] += 1
    group.row = row
    find_group(label, new, rows, group)


def place_midranks(
    cnp.ndarray order, cnp.ndarray ranked, cnp.ndarray starts, cnp.ndarray other_ranked,
    cnp.ndarray other_starts, cnp.ndarray result,
):
    """Write for each row of one model twice its placement among the rows of both, by midranks.

    `ranked` has the classes by rising score, `starts` 1 where a score differs from the one before,
    `order` the rows. Both models are gone through side by side: a row at a time where neither has
    ties, else a group of tied rows at a time.
    """
    cdef const int64_t* to = <const int64_t*>cnp.PyArray_DATA(order)
    cdef const uint8_t* label = <const uint8_t*>cnp.PyArray_DATA(ranked)
    cdef const uint8_t* new = <const uint8_t*>cnp.PyArray_DATA(starts)
    cdef const uint8_t* other_label = <const uint8_t*>cnp.PyArray_DATA(other_ranked)
    cdef const uint8_t* other_new = <const uint8_t*>cnp.PyArray_DATA(other_starts)
    cdef int64_t* out = <int64_t*>cnp.PyArray_DATA(result)
    cdef int64_t rows = ranked.shape[0], place, kind, middle
    cdef int64_t[2] value
    cdef Group own, other
    memset(&own, 0, sizeof(Group))
    memset(&other, 0, sizeof(Group))
    with nogil:
        find_group(label, new, rows, &own)
        find_group(other_label, other_new, rows, &other)
        while own.row < rows:
            if own.row == other.row:
                place = place_untied(
                    to, label, new, other_label, other_new, own.row, rows - 1,
                    own.before[1] + other.before[1], out,
                )
                if place > own.row:
                    begin_group(label, new, rows, place, &own)
                    begin_group(other_label, other_new, rows, place, &other)
            middle = own.row + own.stop
            while other.row < rows and other.row + other.stop < middle:
                pass_group(other_label, other_new, rows, &other)
            for kind in range(2):  # a row is placed among those of the other class
                value[1 - kind] = 2 * (own.before[kind] + other.before[kind]) + own.held[kind]
                if other.row < rows and other.row + other.stop == middle:
                    value[1 - kind] += other.held[kind]
            for place in range(own.row, own.stop):
                if place + AHEAD < rows:  # rows come in any order: say soon where the next are
                    prefetch_write(out + to[place + AHEAD])
                out[to[place]] = value[label[place]]
            pass_group(label, new, rows, &own)
            if other.row < rows and other.row + other.stop == middle:  # side by side again
                pass_group(other_label, other_new, rows, &other)


def subtract_placed(
    cnp.ndarray mask, int64_t start, int64_t stop, cnp.ndarray placed, cnp.ndarray other
):
    """Let what is placed be its difference from the other, turned round for negatives."""
    cdef const uint8_t* positive = <const uint8_t*>cnp.PyArray_DATA(mask)
    cdef int64_t* step = <int64_t*>cnp.PyArray_DATA(placed)
    cdef const int64_t* less = <const int64_t*>cnp.PyArray_DATA(other)
    cdef int64_t row, sign
    with nogil:
        for row in range(start, stop):
            sign = <int64_t>positive[row] - 1
            step[row] = ((step[row] - less[row]) ^ sign) - sign
