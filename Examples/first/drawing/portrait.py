"""The upright clip: someone talks to the camera, evening lights behind. usage: portrait.py MOVIE SOUND SECONDS

The picture is stored lying on its side, as telephones do; make-media.sh adds the display matrix that sets it up.
"""

import math
import random
import sys

import cairo

import face
from film import FRAME_RATE, Film, ease, glow, layer, linear, radial, rgb
from voice import openness

WIDTH, HEIGHT = 1080, 1920
BLINKS = (0.75, 2.45, 3.55)


def evening():
    surface, c = layer(WIDTH, HEIGHT)
    c.set_source(linear(0, 0, 260, HEIGHT, (0, "16233f"), (0.4, "43325f"), (0.68, "a4566a"), (1, "e08a62")))
    c.paint()
    glow(c, 900, 700, 760, "ffb26a", 0.55)
    glow(c, 120, 1200, 640, "3a7a9a", 0.40)
    darken_corners(c)
    return surface


def darken_corners(c):
    c.set_operator(cairo.OPERATOR_ATOP)
    c.set_source(radial(540, 860, 1280, (0, "0a0618", 0), (0.6, "0a0618", 0), (1, "0a0618", 0.6)))
    c.paint()


class Lights:
    """Lamps out of focus, drifting a little as the camera does."""

    def __init__(self):
        draw = random.Random(8)
        palette = ("ffd08a", "ff9e6a", "ffe6b8", "7fd0d8", "ff7f8e")
        self.lamps = [
            (draw.uniform(-40, WIDTH + 40), draw.uniform(60, HEIGHT - 350), draw.uniform(22, 92), draw.choice(palette),
             draw.uniform(0.12, 0.38), draw.uniform(0, 6.28)) for _ in range(36)
        ]

    def paint(self, c, time):
        for x, y, radius, colour, alpha, phase in self.lamps:
            x += (7 * time - 14) * radius / 40
            alpha *= 0.8 + 0.2 * math.sin(time * 2.2 + phase)
            c.set_source(radial(x, y, radius, (0, colour, alpha * 0.75), (0.88, colour, alpha), (1, colour, 0)))
            c.arc(x, y, radius, 0, 2 * math.pi)
            c.fill()


def body():
    """Neck and shoulders in a knitted jumper."""
    surface, c = layer(WIDTH + 40, HEIGHT - 1000, -20, 1020)
    c.move_to(430, 1040)
    c.curve_to(446, 1200, 440, 1280, 360, 1330)
    c.line_to(400, 1420)
    c.line_to(680, 1420)
    c.line_to(720, 1330)
    c.curve_to(640, 1280, 634, 1200, 650, 1040)
    c.close_path()
    c.set_source(linear(420, 0, 660, 0, (0, "b87860"), (0.35, "eeb998"), (0.7, "d4977a"), (1, "a8644e")))
    c.fill_preserve()
    c.save()
    c.clip()
    glow(c, 540, 1085, 190, "6a2c2c", 0.80, 0.72)
    for side in (-1, 1):
        c.move_to(540 + side * 30, 1340)
        c.curve_to(540 + side * 60, 1310, 540 + side * 110, 1300, 540 + side * 170, 1296)
        c.set_source_rgba(*rgb("9a5a48"), 0.5)
        c.set_line_width(5)
        c.stroke()
    c.restore()
    c.move_to(388, 1300)
    c.curve_to(330, 1352, 160, 1372, 92, 1480)
    c.curve_to(40, 1570, 10, 1760, -10, HEIGHT + 20)
    c.line_to(WIDTH + 10, HEIGHT + 20)
    c.curve_to(1070, 1760, 1040, 1570, 988, 1480)
    c.curve_to(920, 1372, 750, 1352, 692, 1300)
    c.curve_to(650, 1392, 430, 1392, 388, 1300)
    c.close_path()
    c.set_source(linear(0, 0, WIDTH, 0, (0, "1f4a55"), (0.35, "3d8488"), (0.7, "357378"), (1, "d58a5e")))
    c.fill_preserve()
    c.clip()
    c.set_source(linear(0, 1320, 0, HEIGHT, (0, "ffffff", 0.10), (0.4, "000000", 0), (1, "06141c", 0.55)))
    c.paint()
    c.set_line_width(3)
    for row in range(40):
        y = 1330 + row * 17
        c.move_to(-10, y + 110)
        c.curve_to(300, y + 10, 780, y + 10, WIDTH + 10, y + 110)
        c.set_source_rgba(*rgb("0e2c34"), 0.22)
        c.stroke()
    c.reset_clip()
    c.move_to(376, 1286)  # the collar: a band around the neck
    c.curve_to(420, 1400, 660, 1400, 704, 1286)
    c.curve_to(716, 1296, 724, 1304, 728, 1316)
    c.curve_to(676, 1446, 404, 1446, 352, 1316)
    c.curve_to(356, 1304, 364, 1296, 376, 1286)
    c.set_source(linear(352, 0, 728, 0, (0, "2a5c64"), (0.5, "5aa3a2"), (0.85, "4d8583"), (1, "a88a68")))
    c.fill_preserve()
    c.save()
    c.clip()
    c.set_line_width(2.5)
    for rib in range(60):
        x = 352 + rib * 6.4
        c.move_to(540 + (x - 540) * 0.93, 1270)
        c.line_to(x, 1460)
        c.set_source_rgba(*rgb("0e2c34"), 0.25)
        c.stroke()
    c.restore()
    darken_corners(c)
    return surface


def eyelids(time):
    """1 is open; a blink closes in 70 ms and opens in 130 ms."""
    for at in BLINKS:
        if at - 0.07 <= time < at + 0.13:
            return 1 - ease(1 - (at - time) / 0.07) if time < at else ease((time - at) / 0.13)
    return 1.0


def main(movie, sound, seconds):
    film = Film(movie, sound, WIDTH, HEIGHT, "transpose=cclock")
    backdrop, lights, torso = evening(), Lights(), body()
    behind, skin, front = face.hair_behind(), face.head(), face.hair_front()
    for frame in range(round(seconds * FRAME_RATE)):
        time = frame / FRAME_RATE
        speech = openness(time)
        sway = math.sin(2 * math.pi * time / 3.7)
        c = cairo.Context(film.surface)
        c.set_source_surface(backdrop)
        c.paint()
        lights.paint(c, time)

        def placed(amount):
            """The head's place; hair and shoulders follow it only in part."""
            c.identity_matrix()
            c.translate(540 + 16 * sway * amount, 830 + (5 * math.sin(time * 3.1) - 7 * speech) * amount)
            c.translate(0, 420)
            c.rotate(math.radians(2.4 * sway + 0.8 * math.sin(time * 4.3)) * amount)
            c.translate(0, -420)
            c.scale(1.12, 1.12)

        placed(0.8)
        c.set_source_surface(behind)
        c.paint()
        c.identity_matrix()
        c.set_source_surface(torso, 0, round(3 * math.sin(time * 1.7)))
        c.paint()
        placed(1)
        for side in (-1, 1):
            face.earring(c, side * 226, 96, -0.10 * math.sin(2 * math.pi * (time - 0.12) / 3.7) - 0.03 * sway)
        c.set_source_surface(skin)
        c.paint()
        face.mouth(c, speech)
        face.eyes(c, eyelids(time), 5 * math.sin(time * 1.3))
        placed(1.05)
        c.set_source_surface(front)
        c.paint()
        film.add()
    film.finish()


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
