"""Colours that can be distinguished on white, with every color vision."""

from itertools import combinations

import numpy as np
import pytest

from rocwise.plotting.theme import (
    CAPTION_COLOR,
    COLORS,
    DASHES,
    REFERENCE_COLOR,
    TEXT_COLOR,
)

ZERO = np.zeros(1)


def linear_rgb(color):
    """Light of the three channels (IEC 61966-2-1)."""
    channels = np.array([int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def contrast_on_white(color):
    """Contrast ratio of the Web Content Accessibility Guidelines."""
    return 1.05 / (linear_rgb(color) @ [0.2126, 0.7152, 0.0722] + 0.05)


@pytest.mark.parametrize("color", [*COLORS, REFERENCE_COLOR])
def test_lines_have_contrast_to_white(color):
    assert contrast_on_white(color) >= 3.0


@pytest.mark.parametrize("color", [TEXT_COLOR, CAPTION_COLOR])
def test_words_can_be_read(color):
    assert contrast_on_white(color) >= 4.5


def lab(linear):
    """CIE 1976 L*a*b* of linear sRGB light, white point D65."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    ratio = np.array(to_xyz) @ linear / [0.9505, 1.0, 1.089]
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(("one", "other"), list(combinations(COLORS, 2)))
def test_no_two_colours_look_the_same_to_anybody(sight, one, other):
    seen = [
        lab(np.clip(np.array(SIGHT[sight]) @ linear_rgb(color), 0, 1)) for color in (one, other)
    ]
    assert np.linalg.norm(seen[0] - seen[1]) > 15


def test_dashes_distinguish_models_where_colours_cannot():
    assert len(set(DASHES)) == len(DASHES) >= len(COLORS)
