"""The table of rules and the names that editors complete."""

from typing import get_args

from rocwise.binary.threshold_rules import RULES, TIES, RuleName


def test_the_names_that_are_typed_are_those_of_the_table():
    assert get_args(RuleName) == tuple(RULES)


def test_every_rule_settles_ties_in_a_known_way():
    assert {rule.ties for rule in RULES.values()} <= set(TIES)
