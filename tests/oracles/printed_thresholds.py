"""The best threshold as the paper on predicted ROC curves prints it (its third row is wrong)."""

import math


def printed_threshold(m_n, s_n, m_p, s_p):
    if s_n == s_p:
        return (m_n + m_p) / 2
    a = s_p**2 - s_n**2
    b = 2 * (m_p * s_n**2 - m_n * s_p**2)
    c = m_n**2 * s_p**2 - m_p**2 * s_n**2 - 2 * s_n**2 * s_p**2 * math.log(s_p / s_n)
    if s_n > s_p:
        a, b, c = -a, -b, -c
    return (-b + math.sqrt(b * b - 4 * a * c)) / (2 * a)
