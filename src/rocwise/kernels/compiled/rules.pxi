# The threshold that a rule chooses on one curve; included by _reading.pyx after readers.pxi.
#
# The formulas are those of `confusion_cells` and `rules`, in the same order of operations; nan
# stands for undefined there too. Codes count the names of `kernels.readers`.

from libc.math cimport hypot, isfinite, isnan, sqrt

cdef double NOISE = 1e-13  # rounding in a measure, as a share of the largest value it takes
cdef double WITHIN = 1e-12  # a rate this close below a limit meets it
cdef double CLEARLY = 1e-9  # more than all rounding, as a share of the largest value
cdef enum:
    NOT_ANY = -1
    STRICT = 0
    MILD = 1

ctypedef struct Rule:
    int measure
    int limit
    int ties
    bint smallest
    bint by_both_rates  # equals are told apart by sensitivity plus specificity
    double constraint
    double beta
    double prevalence
    double of_miss
    double of_alarm

ctypedef struct Outcomes:
    double tp
    double fp
    double fn
    double tn
    double tpr
    double fpr
    double fnr
    double tnr


cdef Rule rule_of(const double* told) noexcept nogil:
    cdef Rule rule
    rule.measure = <int>told[0]
    rule.limit = <int>told[1]
    rule.ties = <int>told[2]
    rule.smallest = told[3] != 0.0
    rule.by_both_rates = told[4] != 0.0
    rule.constraint = told[5]
    rule.beta = told[6]
    rule.prevalence = told[7]
    rule.of_miss = told[8]
    rule.of_alarm = told[9]
    return rule


cdef inline Outcomes outcomes_at(
    const Curve* curve, const Rule* rule, int64_t above, int64_t right
) noexcept nogil:
    """With the hits of one place and the false alarms of another."""
    cdef Outcomes here
    cdef double total = curve.n_pos + curve.n_neg, positives, negatives
    here.tp = hits_at(curve, above)
    here.fp = alarms_at(curve, right)
    here.fn = curve.n_pos - here.tp
    here.tn = curve.n_neg - here.fp
    here.tpr = here.tp / curve.n_pos
    here.fpr = here.fp / curve.n_neg
    here.fnr = here.fn / curve.n_pos
    here.tnr = here.tn / curve.n_neg
    if not isnan(rule.prevalence):
        positives = rule.prevalence * total
        negatives = (1.0 - rule.prevalence) * total
        here.tp = here.tpr * positives
        here.fp = here.fpr * negatives
        here.fn = here.fnr * positives
        here.tn = here.tnr * negatives
    return here


cdef inline double over(double top, double bottom) noexcept nogil:
    if bottom > 0.0:
        return top / bottom
    return NAN if top == 0.0 else INFINITY


cdef inline double smaller(double first, double second) noexcept nogil:
    if isnan(first) or isnan(second):
        return NAN
    return first if first < second else second


cdef inline double matthews(const Outcomes* c) noexcept nogil:
    cdef double scale = sqrt(c.tp + c.fp) * sqrt(c.tn + c.fn) * sqrt(c.tp + c.fn) * sqrt(c.tn + c.fp)
    return (c.tp * c.tn - c.fp * c.fn) / scale if scale > 0.0 else 0.0


cdef inline double joined(int way, double first, double second) noexcept nogil:
    """Two rates as one number: sum, product, distance to 1, gap, or the smaller."""
    if way == 0:
        return first + second
    if way == 1:
        return first * second
    if way == 2:
        return hypot(1.0 - first, 1.0 - second)
    if way == 3:
        return fabs(first - second)
    return smaller(first, second)


cdef inline double measured(const Curve* curve, const Rule* rule, const Outcomes* c) noexcept nogil:
    cdef double total = curve.n_pos + curve.n_neg, share, hits, weight, chance
    cdef int measure = rule.measure
    if measure == 0:
        return c.tpr
    if measure == 1:
        return c.tnr
    if measure == 2:
        share = curve.n_pos / total if isnan(rule.prevalence) else rule.prevalence
        return share * rule.of_miss * c.fnr + (1.0 - share) * rule.of_alarm * c.fpr
    if measure == 3:
        return c.tpr + c.tnr - 1.0
    if measure == 4:
        return (c.tpr + c.tnr) / 2.0
    if measure == 5:
        return joined(2, c.tpr, c.tnr)
    if measure == 6:
        return joined(1, c.tpr, c.tnr)
    if measure == 7:
        return joined(3, c.tpr, c.tnr)
    if measure == 8:
        return joined(4, c.tpr, c.tnr)
    if measure == 9:
        return (c.fn if c.fn > c.fp else c.fp) / total
    if measure == 10:
        return (c.tp + c.tn) / total
    if measure == 11:
        weight = rule.beta * rule.beta
        hits = (1.0 + weight) * c.tp
        return over(hits, hits + weight * c.fn + c.fp)
    if measure == 12:
        return matthews(c)
    if measure == 13:
        chance = (c.tp + c.fp) * (c.fp + c.tn) + (c.tp + c.fn) * (c.fn + c.tn)
        return 2.0 * (c.tp * c.tn - c.fn * c.fp) / chance
    if measure == 14:
        hits = (c.tpr * curve.n_pos + 0.5) / (c.fnr * curve.n_pos + 0.5)
        return hits * ((c.tnr * curve.n_neg + 0.5) / (c.fpr * curve.n_neg + 0.5))
    if measure == 15:
        chance = matthews(c)
        return total * (chance * chance)
    if measure <= 20:
        return joined(measure - 16, over(c.tp, c.tp + c.fp), over(c.tn, c.tn + c.fn))
    share = curve.n_pos / total if isnan(rule.prevalence) else rule.prevalence
    share = share if isnan(rule.constraint) else rule.constraint
    return fabs((c.tp + c.fp) / total - share)


cdef inline bint allowed(const Curve* curve, const Rule* rule, const Outcomes* c) noexcept nogil:
    """Whether a limit is met; not where its quantity is undefined."""
    cdef double value
    if rule.limit == 0:
        return True
    if rule.limit == 1:
        value = c.tpr
    elif rule.limit == 2:
        value = c.tnr
    elif rule.limit == 3:
        value = over(c.tp, c.tp + c.fp)
    elif rule.limit == 4:
        value = over(c.tn, c.tn + c.fn)
    elif rule.limit == 5:
        value = c.tp + c.fp
        value = value / (curve.n_pos + curve.n_neg) if rule.constraint < 1.0 else value
    elif rule.limit == 6:
        value = over(c.tpr, c.fpr)
    else:
        value = over(c.fnr, c.tnr)
    if rule.limit == 5 or rule.limit == 7:
        return value <= rule.constraint * (1.0 + WITHIN)
    return value >= rule.constraint * (1.0 - WITHIN)


cdef int64_t settled(const double* scores, int64_t places, double best, int ties) noexcept nogil:
    """The first, last or middle place whose score is not below the best."""
    cdef int64_t k, found = 0, wanted
    if ties == STRICT:
        for k in range(places):
            if scores[k] >= best:
                return k
    elif ties == MILD:
        for k in range(places - 1, -1, -1):
            if scores[k] >= best:
                return k
    else:
        for k in range(places):
            found += scores[k] >= best
        wanted = (found + 1) // 2
        found = 0
        for k in range(places):
            found += scores[k] >= best
            if found == wanted:
                return k
    return NOT_ANY


cdef int64_t settled_between(
    const Curve* curve, const Rule* rule, double* scores, int64_t first, int64_t last, double best
) noexcept nogil:
    """Of places whose score is not below the best, the one that the rule takes of equals."""
    cdef double most = -INFINITY, size = 0.0, value
    cdef int64_t k
    cdef Outcomes here
    if rule.by_both_rates:
        for k in range(first, last + 1):
            if scores[k] >= best:
                here = outcomes_at(curve, rule, k, k)
                value = here.tpr + here.tnr
                most = value if value > most else most
                size = fabs(value) if fabs(value) > size else size
                scores[k] = value
            else:
                scores[k] = NAN
        best = most - NOISE * size
    return first + settled(scores + first, last + 1 - first, best, rule.ties)


cdef inline bint looks_at_few(const Rule* rule) noexcept nogil:
    """Whether hits always make the measure better and false alarms worse, with no limit to it."""
    cdef bint rising = 2 <= rule.measure <= 6 or 8 <= rule.measure <= 10
    return rising and rule.limit == 0 and isfinite(rule.of_miss + rule.of_alarm)


cdef inline double worth(
    const Curve* curve, const Rule* rule, int64_t above, int64_t right
) noexcept nogil:
    cdef Outcomes here = outcomes_at(curve, rule, above, right)
    cdef double value = measured(curve, rule, &here)
    return -value if rule.smallest else value


cdef int64_t chosen_of_stretches(
    const Curve* curve, const Rule* rule, double* scores
) noexcept nogil:
    """As `chosen_place`, stretches passed over where neither the best nor the largest can be."""
    cdef int64_t start = 0, stop, k, first = -1, last = -1
    cdef double best = worth(curve, rule, curve.last, curve.last), size = fabs(best)
    cdef double upper, lower, largest, value
    cdef bint reaches
    while start < curve.last:  # some places far apart, and both ends
        value = worth(curve, rule, start, start)
        best = value if value > best else best
        size = fabs(value) if fabs(value) > size else size
        start += STRETCH
    start = 0
    while start < curve.last:
        stop = start + STRETCH if start + STRETCH < curve.last else curve.last
        upper = worth(curve, rule, stop, start)
        lower = worth(curve, rule, start, stop)
        largest = fabs(upper) if fabs(upper) > fabs(lower) else fabs(lower)
        reaches = upper + CLEARLY * (largest + size) >= best
        if reaches:
            for k in range(last + 1 if first >= 0 else start, start):
                scores[k] = NAN  # no comparison holds for it
            first = first if first >= 0 else start
            last = stop
        if reaches or largest * (1.0 + CLEARLY) > size:
            for k in range(start, stop + 1):
                value = worth(curve, rule, k, k)
                best = value if value > best else best
                size = fabs(value) if fabs(value) > size else size
                if reaches:
                    scores[k] = value
        start = stop
    return settled_between(curve, rule, scores, first, last, best - NOISE * size)


cdef int64_t chosen_place(const Curve* curve, const Rule* rule, double* scores) noexcept nogil:
    """Where the rule points to; -1 where no place is allowed."""
    cdef int64_t k
    cdef double value = -INFINITY, best = -INFINITY, size = 0.0
    cdef bint any_allowed = False
    cdef Outcomes here
    if looks_at_few(rule):
        return chosen_of_stretches(curve, rule, scores)
    for k in range(curve.last + 1):
        if k == 0 or curve.tp[k] != curve.tp[k - 1] or curve.fp[k] != curve.fp[k - 1]:
            here = outcomes_at(curve, rule, k, k)
            value = measured(curve, rule, &here)
            value = -value if rule.smallest else value
            if isnan(value) or not allowed(curve, rule, &here):
                value = NAN
            else:
                any_allowed = True
                best = value if value > best else best
                if isfinite(value):
                    size = fabs(value) if fabs(value) > size else size
        scores[k] = value  # no comparison holds for nan
    if not any_allowed:
        return NOT_ANY
    return settled_between(curve, rule, scores, 0, curve.last, best - NOISE * size)
