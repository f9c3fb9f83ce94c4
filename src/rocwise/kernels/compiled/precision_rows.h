/* What steps of a curve add to the average precision, and its slopes, row by row. */
#ifndef ROCWISE_PRECISION_ROWS_H
#define ROCWISE_PRECISION_ROWS_H

#include <stdint.h>

#if defined(_MSC_VER)
#define APART __restrict
#else
#define APART __restrict__ /* no two columns overlap: compilers take several rows at once */
#endif

enum { BLOCK = 256 };

/* Eight divisions a row: one after the other they take longer than all else together. `terms` has
   what the three sums are made of, BLOCK of each. */
static void precision_rows(const double *APART tp, const double *APART fp, const double *APART pos,
                           int64_t rows, double n_pos, double n_neg, double odds,
                           double *APART precision, double *APART gained, double *APART by_hits,
                           double *APART by_alarms, double *APART terms)
{
    for (int64_t k = 0; k < rows; k++) {
        double tpr = tp[k] / n_pos, fpr = fp[k] / n_neg, mass = pos[k] / n_pos;
        double alarms = odds * fpr, called = tpr + alarms, squared = called * called;
        double own = tpr / called, seen = called / (1 + odds);
        double up = mass * alarms / squared, down = -odds * mass * tpr / squared;
        precision[k] = own;
        gained[k] = mass * own;
        by_hits[k] = up;
        by_alarms[k] = down;
        terms[k] = up * tpr;
        terms[BLOCK + k] = down * fpr;
        terms[2 * BLOCK + k] = mass * (tpr * fpr / (seen * seen));
    }
}

#endif
