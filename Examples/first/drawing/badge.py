"""The sticker: a star with a face, cut out with a white border and a soft shadow. usage: badge.py FILE.png"""

import math
import sys

import cairo

from film import glow, layer, linear, radial, rgb

SIZE = 480


def star(c, outer, inner, rounding):
    """Five points whose corners are rounded by a stroke of `rounding`; leaves the path."""
    for corner in range(10):
        reach = (outer if corner % 2 == 0 else inner) - rounding / 2
        angle = math.pi * (corner / 5 - 0.5)
        c.line_to(reach * math.cos(angle), reach * math.sin(angle))
    c.close_path()


def blob(c, outer, inner, rounding, source):
    c.push_group()
    star(c, outer, inner, rounding)
    c.set_source_rgb(0, 0, 0)
    c.set_line_join(cairo.LINE_JOIN_ROUND)
    c.set_line_width(rounding)
    c.fill_preserve()
    c.stroke()
    shape = c.pop_group()
    c.set_source(source)
    c.mask(shape)


def main(path):
    surface, c = layer(SIZE, SIZE)
    c.translate(SIZE / 2, SIZE / 2 + 12)
    for step in range(12):  # a soft shadow: many faint, ever larger stars below each other
        c.save()
        c.translate(0, 12)
        blob(c, 186 + 3 * step, 118 + 3 * step, 90, cairo.SolidPattern(0.12, 0.04, 0.20, 0.036))
        c.restore()
    blob(c, 206, 138, 92, cairo.SolidPattern(1, 1, 1))
    gold = radial(-40, -60, 270, (0, "fff3a8"), (0.45, "ffd24a"), (0.8, "ffab2e"), (1, "f58220"))
    blob(c, 182, 114, 72, gold)
    glow(c, -48, -66, 84, "ffffff", 0.60, 0.72)
    for side in (-1, 1):
        c.save()
        c.translate(side * 46, -8)
        c.scale(1, 1.25)
        c.arc(0, 0, 15, 0, 2 * math.pi)
        c.restore()
        c.set_source_rgb(*rgb("4a2418"))
        c.fill()
        c.arc(side * 46 - 4, -16, 5.5, 0, 2 * math.pi)
        c.set_source_rgb(1, 1, 1)
        c.fill()
        glow(c, side * 76, 26, 30, "ff5f6e", 0.75, 0.75)
    c.move_to(-24, 18)
    c.curve_to(-20, 54, 20, 54, 24, 18)
    c.close_path()
    c.set_source(linear(0, 18, 0, 48, (0, "7a1f24"), (1, "e2505c")))
    c.set_line_join(cairo.LINE_JOIN_ROUND)
    c.fill_preserve()
    c.set_source_rgb(*rgb("4a2418"))
    c.set_line_width(6)
    c.stroke()
    surface.write_to_png(path)


main(sys.argv[1])
