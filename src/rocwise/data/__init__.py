"""Immutable data after cleaning.

`tally.Tally`: the distinct scores of one model with the positives and negatives at each;
`pairs.Pairs`: several models' scores on the same rows; `class_rows.ClassRows`: a column of scores
for each of several classes; `rankings.Ranking`: one score of ordered classes.
"""
