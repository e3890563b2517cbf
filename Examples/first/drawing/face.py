"""The drawn person of the portrait clip, in pieces that move against each other. The face's centre is (0, 0)."""

import math
import random

import cairo

from film import glow, layer, linear, radial, rgb


def mirrored(c, draw):
    """Draws a thing and its mirror image."""
    for side in (-1, 1):
        c.save()
        c.scale(side, 1)
        draw(c)
        c.restore()


def outline(c):
    c.move_to(0, -330)
    c.curve_to(150, -330, 228, -220, 228, -60)
    c.curve_to(228, 70, 208, 150, 156, 222)
    c.curve_to(112, 280, 62, 310, 0, 310)
    c.curve_to(-62, 310, -112, 280, -156, 222)
    c.curve_to(-208, 150, -228, 70, -228, -60)
    c.curve_to(-228, -220, -150, -330, 0, -330)
    c.close_path()


def head():
    """Skin, nose and brows; eyes and mouth come on top, frame by frame."""
    surface, c = layer(460, 660, -230, -335)
    outline(c)
    c.set_source(radial(-55, -60, 430, (0, "fbdcc4"), (0.45, "f3c6a6"), (0.8, "dd9f7e"), (1, "b9745c")))
    c.fill_preserve()
    c.clip()
    c.set_source(linear(
        -230, 0, 230, 0, (0, "7a3d4c", 0.30), (0.3, "7a3d4c", 0), (0.74, "a5503c", 0), (1, "8a3f38", 0.38)))
    c.paint()
    c.set_source(linear(0, -330, 0, -90, (0, "7a4536", 0.75), (0.55, "9c5c48", 0.30), (1, "9c5c48", 0)))
    c.paint()
    for side in (-1, 1):
        glow(c, side * 132, 82, 112, "f0686a", 0.36, 0.72)
        glow(c, side * 98, -28, 92, "b5654f", 0.34, 0.62)
        glow(c, side * 98, -72, 80, "ffe6d2", 0.20, 0.40)
    glow(c, 0, -200, 130, "ffe8d6", 0.35, 0.7)
    glow(c, -118, 38, 70, "fff0e2", 0.38, 0.5)
    glow(c, 0, 292, 90, "ffe0c8", 0.28, 0.45)
    glow(c, 0, 244, 70, "a4573f", 0.22, 0.3)
    nose(c)
    pores(c)
    c.reset_clip()
    mirrored(c, brow)
    return surface


def nose(c):
    glow(c, 26, 30, 60, "b86a50", 0.30, 1.3)
    c.save()
    c.translate(-1, 22)
    c.rotate(math.pi / 2)
    glow(c, 0, 0, 92, "fff2e4", 0.62, 0.15)
    c.restore()
    glow(c, 0, 84, 34, "fff0e0", 0.55, 0.8)
    glow(c, 0, 118, 62, "a3513c", 0.42, 0.28)
    for side in (-1, 1):
        glow(c, side * 37, 95, 24, "c47a60", 0.34)
        c.save()
        c.translate(side * 21, 111)
        c.rotate(side * -0.35)
        c.scale(1, 0.45)
        c.arc(0, 0, 12, 0, 2 * math.pi)
        c.restore()
        c.set_source_rgba(*rgb("7c3428"), 0.72)
        c.fill()
        c.move_to(side * 47, 80)
        c.curve_to(side * 56, 96, side * 48, 112, side * 34, 113)
        c.set_source_rgba(*rgb("a65c48"), 0.45)
        c.set_line_width(3)
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        c.stroke()


def pores(c):
    """Fine mottling, pores and a few freckles: what beauty takes away."""
    draw = random.Random(31)
    size = 160
    grain = cairo.ImageSurface.create_for_data(bytearray(draw.randbytes(size * size)), cairo.FORMAT_A8, size, size)
    for scale, alpha in ((2.6, 0.062), (6.5, 0.04)):
        c.save()
        c.scale(scale, scale)
        pattern = cairo.SurfacePattern(grain)
        pattern.set_extend(cairo.EXTEND_REPEAT)
        pattern.set_filter(cairo.FILTER_BILINEAR)
        for colour, shift in (("8a3a28", 0), ("ffe9d8", 37)):
            c.set_source_rgba(*rgb(colour), alpha * 2)
            pattern.set_matrix(cairo.Matrix(1, 0, 0, 1, shift, shift))
            c.mask(pattern)
        c.restore()
    for _ in range(1500):
        x, y = draw.uniform(-215, 215), draw.uniform(-260, 300)
        c.arc(x, y, draw.uniform(0.8, 1.8), 0, 2 * math.pi)
        c.set_source_rgba(*rgb(draw.choice(("a2523c", "b8674e", "fff0e0"))), draw.uniform(0.10, 0.28))
        c.fill()
    for _ in range(64):
        side = draw.choice((-1, 1))
        c.arc(draw.gauss(side * 105, 46), draw.gauss(62, 26), draw.uniform(1.3, 2.7), 0, 2 * math.pi)
        c.set_source_rgba(*rgb("a05236"), draw.uniform(0.18, 0.42))
        c.fill()
    for x, y, radius in ((-112, 178, 8), (150, 140, 7), (64, -190, 7), (-170, 104, 6), (92, 236, 6)):
        glow(c, x, y, radius * 1.9, "c0392f", 0.50)


def brow(c):
    c.move_to(44, -86)
    c.curve_to(80, -116, 128, -124, 172, -92)
    c.curve_to(128, -108, 84, -100, 47, -70)
    c.curve_to(40, -72, 40, -82, 44, -86)
    c.set_source(linear(40, 0, 172, 0, (0, "4a2a22", 0.65), (0.4, "43241e", 0.9), (1, "43241e", 0.75)))
    c.fill()


def eye(c, open_, look):
    """One eye at (98, -22), `open_` 0…1; the left one is its mirror image, so `look` is towards the ear."""
    c.save()
    c.translate(98, -22)
    c.scale(1.13, 1.13)
    lid, low = -40 * open_ + 10 * (1 - open_), 25 * open_ + 12 * (1 - open_)

    def upper(start=True):
        if start:
            c.move_to(-54, 8)
        c.curve_to(-30, lid, 26, lid - 6 * open_, 58, -6)

    upper()
    c.curve_to(40, low, -26, low + 4 * open_, -54, 8)
    c.close_path()
    c.save()
    c.clip()
    c.set_source(linear(0, -34, 0, 24, (0, "cdbfc4"), (0.45, "fbf5f2"), (1, "f0dcd6")))
    c.paint()
    c.set_source(radial(
        look, -6, 31, (0, "1a0d0a"), (0.36, "1a0d0a"), (0.42, "6b3a1c"), (0.75, "a8693a"), (0.92, "4a2412"),
        (1, "2a140c")))
    c.arc(look, -6, 30, 0, 2 * math.pi)
    c.fill()
    glow(c, look + 4, 10, 18, "f0b070", 0.5, 0.6)
    c.set_source(linear(0, lid * 0.75, 0, lid * 0.75 + 24, (0, "2a1418", 0.55), (1, "2a1418", 0)))
    c.paint()
    c.restore()
    if open_ < 1:
        upper()
        c.curve_to(30, -42, -26, -42, -54, 8)
        skin = min(1, 2 - 2 * open_)
        c.set_source(linear(0, -36, 0, 14, (0, "c98a6c", 0), (0.4, "cf9274", skin), (1, "dba286", skin)))
        c.fill()
    c.set_line_cap(cairo.LINE_CAP_ROUND)
    c.set_source_rgb(*rgb("2a1414"))
    c.move_to(-54, 8)
    c.curve_to(-30, lid, 26, lid - 6 * open_, 58, -6)
    c.line_to(70, -18)
    c.curve_to(40, lid - 16 * open_ - 4, -26, lid - 7 * open_ - 3, -54, 8)
    c.fill()
    c.set_line_width(3.2)
    for along in (0.45, 0.6, 0.74, 0.87, 0.97):
        x, y = _on_curve((-54, 8), (-30, lid), (26, lid - 6 * open_), (58, -6), along)
        rise = (20 + 10 * along) * (0.3 + 0.7 * open_) * (1 if open_ > 0.3 else -0.6)
        c.move_to(x, y - 2)
        c.curve_to(x + 4, y - rise * 0.5, x + 12 * along, y - rise * 0.8, x + 24 * along, y - rise)
        c.stroke()
    c.set_line_width(2.4)
    c.move_to(-46, -8)
    c.curve_to(-24, -46, 28, -52, 60, -24)
    c.set_source_rgba(*rgb("8a4a3c"), 0.55 * open_)
    c.stroke()
    c.move_to(-44, 14)
    c.curve_to(-20, low + 6, 34, low + 4, 56, -4)
    c.set_source_rgba(*rgb("9c5648"), 0.55)
    c.stroke()
    c.restore()


def _on_curve(a, b, d, e, t):
    u = 1 - t
    weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
    return tuple(sum(w * p[axis] for w, p in zip(weights, (a, b, d, e))) for axis in (0, 1))


def eyes(c, open_, look):
    for side in (-1, 1):
        c.save()
        c.scale(side, 1)
        eye(c, open_, side * look)
        c.restore()
        if open_ > 0.35:  # the light comes from one side for both
            for x, y, radius, alpha in ((-11, -18, 9, 0.95), (10, 5, 4.5, 0.6)):
                c.arc(side * 98 + look + x, -22 + y, radius, 0, 2 * math.pi)
                c.set_source_rgba(1, 1, 1, alpha * open_)
                c.fill()


def mouth(c, open_):
    """A smile that opens by `open_` 0…1."""
    c.save()
    c.translate(0, 188)
    drop, wide = 34 * open_, 78 - 12 * open_
    c.move_to(-wide + 6, -2)
    c.curve_to(-30, 6, 30, 6, wide - 6, -2)
    c.curve_to(36, 12 + drop * 1.25, -36, 12 + drop * 1.25, -wide + 6, -2)
    c.save()
    c.clip()
    c.set_source_rgb(*rgb("5a1520"))
    c.paint()
    glow(c, 0, 26 + drop, 40, "d0505a", 0.9, 0.6)
    c.move_to(-52, -8)
    c.curve_to(-40, 14, 40, 14, 52, -8)
    c.close_path()
    c.set_source_rgb(*rgb("fdf6f0"))
    c.fill()
    c.restore()
    c.move_to(-wide, -6)  # upper lip
    c.curve_to(-46, -18, -24, -30, -12, -27)
    c.curve_to(-5, -25, 5, -25, 12, -27)
    c.curve_to(24, -30, 46, -18, wide, -6)
    c.curve_to(36, 4, 20, 6, 0, 4)
    c.curve_to(-20, 6, -36, 4, -wide, -6)
    c.set_source(linear(0, -28, 0, 6, (0, "d9606a"), (1, "a93645")))
    c.fill()
    c.move_to(-wide, -6)  # lower lip
    c.curve_to(-36, 4 + drop * 0.95, -18, 7 + drop, 0, 7 + drop)
    c.curve_to(18, 7 + drop, 36, 4 + drop * 0.95, wide, -6)
    c.curve_to(50, 26 + drop, 26, 38 + drop, 0, 38 + drop)
    c.curve_to(-26, 38 + drop, -50, 26 + drop, -wide, -6)
    c.set_source(linear(0, 4 + drop, 0, 38 + drop, (0, "c64655"), (0.5, "e4707a"), (1, "c24a58")))
    c.fill()
    glow(c, -14, 19 + drop, 26, "fff0f0", 0.6, 0.30)
    glow(c, 10, -18, 14, "ffd8d8", 0.35, 0.35)
    c.set_line_cap(cairo.LINE_CAP_ROUND)
    c.set_line_width(3)
    for side in (-1, 1):
        c.move_to(side * (wide - 2), -6)
        c.curve_to(side * (wide + 5), -7, side * (wide + 8), -10, side * (wide + 10), -14)
        c.set_source_rgba(*rgb("9a4a40"), 0.6)
        c.stroke()
    c.restore()


def hair_behind():
    surface, c = layer(750, 980, -376, -450)
    c.move_to(0, -440)
    c.curve_to(210, -446, 322, -300, 322, -110)
    c.curve_to(322, 60, 372, 190, 352, 360)
    c.curve_to(342, 450, 280, 500, 190, 520)
    c.line_to(-190, 520)
    c.curve_to(-290, 500, -350, 440, -356, 350)
    c.curve_to(-370, 190, -322, 60, -322, -110)
    c.curve_to(-322, -300, -210, -446, 0, -440)
    c.close_path()
    c.set_source(linear(
        -340, 0, 340, 0, (0, "2c1518"), (0.3, "3a1e1c"), (0.7, "40221e"), (0.93, "8a4a30"), (1, "d88850")))
    c.fill_preserve()
    c.clip()
    strands(c, 41, 150, lambda x: ((x * 0.75, -440), (x * 1.25, -220), (x * 1.05, 160), (x * 1.12, 520)), 340)
    glow(c, 0, 330, 260, "12080c", 0.75, 1.0)
    return surface


def strands(c, seed, count, curve, reach):
    draw = random.Random(seed)
    c.set_line_cap(cairo.LINE_CAP_ROUND)
    for _ in range(count):
        x = draw.uniform(-reach, reach)
        a, b, d, e = curve(x)
        c.move_to(a[0], a[1])
        c.curve_to(b[0], b[1], d[0] + draw.gauss(0, 14), d[1], e[0] + draw.gauss(0, 16), e[1])
        c.set_line_width(draw.uniform(1.2, 5))
        c.set_source_rgba(*rgb(draw.choice(("7a4432", "5a3026", "1c0c10", "a8643c"))), draw.uniform(0.08, 0.30))
        c.stroke()


def hair_front():
    """The fringe, parted on one side and falling to both cheeks."""
    surface, c = layer(710, 830, -356, -470)
    for side, path in ((1, _right_lock), (-1, _left_lock)):
        c.save()
        path(c)
        c.set_source(linear(-300, -300, 300, 100, (0, "3a1e1c"), (0.5, "4a2822"), (0.85, "5e3326"), (1, "8a4c30")))
        c.fill_preserve()
        c.clip()
        draw = random.Random(51 + side)
        c.set_line_cap(cairo.LINE_CAP_ROUND)
        for _ in range(230):
            t = draw.random()
            end = (side * (225 + 115 * t) + draw.gauss(0, 8), 350 + draw.gauss(0, 8))
            c.move_to(-70 + 10 * side, -430 + 30 * (1 - t))
            c.curve_to(side * (70 + 130 * t) - 60, -420 + 120 * (1 - t), side * (225 + 95 * t), -170 + 60 * t, *end)
            c.set_line_width(draw.uniform(1.2, 5.5))
            c.set_source_rgba(*rgb(draw.choice(("8a4e38", "63362a", "1c0c10", "c07a4a"))), draw.uniform(0.10, 0.32))
            c.stroke()
        glow(c, side * 170 - 30, -300, 150, "f0b080", 0.30, 0.42)
        c.restore()
    return surface


def _right_lock(c):
    c.move_to(-80, -424)
    c.curve_to(90, -476, 300, -390, 322, -130)
    c.curve_to(330, 20, 350, 180, 330, 350)
    c.curve_to(312, 300, 268, 290, 246, 220)
    c.curve_to(262, 110, 238, 0, 224, -90)
    c.curve_to(196, -170, 40, -196, -80, -424)


def _left_lock(c):
    c.move_to(-60, -428)
    c.curve_to(-210, -446, -318, -330, -322, -120)
    c.curve_to(-330, 40, -350, 190, -328, 345)
    c.curve_to(-312, 300, -270, 290, -246, 215)
    c.curve_to(-260, 110, -240, 0, -226, -80)
    c.curve_to(-216, -170, -150, -250, -60, -428)


def earring(c, x, y, swing):
    c.save()
    c.translate(x, y)
    c.rotate(swing)
    c.set_line_width(2)
    c.move_to(0, 0)
    c.line_to(0, 26)
    c.set_source_rgb(*rgb("d8a850"))
    c.stroke()
    c.set_source(radial(-4, 38, 18, (0, "fff4cc"), (0.4, "f2c65c"), (1, "a8702a")))
    c.arc(0, 42, 15, 0, 2 * math.pi)
    c.fill()
    c.restore()
