"""The forms in which data is held; all of them immutable.

`tallies.Tally`: the distinct scores of one model with how many positives and negatives have each;
`pairs.Pairs`: several models' scores on the same rows; `class_rows.ClassRows`: a column of scores
for each of several classes; `rankings.Ranking`: one score of ordered classes. `inputs` makes
them, every analysis takes them.
"""
