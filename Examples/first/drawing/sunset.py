"""The landscape clip: a bay at sunset, a lighthouse, a sailing boat, gulls. usage: sunset.py MOVIE SOUND SECONDS"""

import math
import random
import sys

import cairo

from film import FRAME_RATE, Film, ease, glow, layer, linear, radial, rgb

WIDTH, HEIGHT, HORIZON = 1920, 1080, 640
SUN = (1210, 540)
GULLS = ((1480, 250, 34), (1560, 214, 26), (1415, 300, 24), (1650, 276, 20), (900, 190, 17))  # place, half span
MARGIN = 160  # layers are this much wider on both sides than the picture, for the camera to move over


def sky():
    surface, c = layer(WIDTH, HORIZON + 40)
    c.set_source(linear(
        0, 0, 0, HORIZON, (0, "1a2250"), (0.28, "47397f"), (0.52, "9d4f83"), (0.72, "e26f62"), (0.88, "faa863"),
        (1, "ffdb92")))
    c.paint()
    stars = random.Random(3)
    for _ in range(150):
        x, y = stars.uniform(0, WIDTH), stars.uniform(0, 260) * stars.random()
        c.set_source_rgba(1, 0.96, 0.9, stars.uniform(0.15, 0.8) * (1 - y / 260))
        c.arc(x, y, stars.uniform(0.6, 1.7), 0, 2 * math.pi)
        c.fill()
    return surface


def clouds(seed, count, top, bottom, size, light, shade):
    """Banks of flat puffs, lit from below by a sun that is nearly down."""
    surface, c = layer(WIDTH + 2 * MARGIN + 200, bottom - top + size, top=top - size // 2)
    draw = random.Random(seed)
    for _ in range(count):
        x0, y0 = draw.uniform(0, WIDTH + 2 * MARGIN), draw.uniform(top, bottom)
        length, scale = draw.uniform(0.6, 1.5) * size * 3, draw.uniform(0.5, 1.1)
        for _ in range(34):
            along = draw.gauss(0, 0.36)
            x = x0 + along * length
            radius = size * scale * draw.uniform(0.35, 0.8) * math.exp(-2 * along * along)
            y = y0 - draw.uniform(0, 0.35) * radius
            glow(c, x, y, radius, shade, 0.20, 0.42)
            glow(c, x + 4, y + radius * 0.13, radius * 0.85, light, 0.17, 0.22)
    return surface


def ridge(seed, base, height, far, near):
    """A mountain range: sines of falling size, hazier towards the water."""
    width = WIDTH + 2 * MARGIN
    top = base - 3 * height
    surface, c = layer(width, HORIZON + 12 - top, top=top)
    draw = random.Random(seed)
    waves = [
        (height / n ** 1.15, n * draw.uniform(0.7, 1.3) / 420, draw.uniform(0, 6.28))
        for n in (1, 2, 3, 5, 9, 17, 31, 57)
    ]
    c.move_to(0, HORIZON + 12)
    for x in range(0, width + 4, 4):
        c.line_to(x, base - sum(a * math.sin(x * f + p) for a, f, p in waves) * (0.65 + 0.35 * math.sin(x / 310 + seed)))
    c.line_to(width, HORIZON + 12)
    c.close_path()
    c.set_source(linear(0, base - height * 1.6, 0, HORIZON, (0, far), (1, near)))
    c.fill()
    return surface


def headland():
    """The dark land in front, left, with the lighthouse; drawn at its place in the picture."""
    surface, c = layer(700 + MARGIN, 520, left=-MARGIN, top=360)
    c.move_to(-MARGIN, 700)
    c.curve_to(60, 640, 150, 628, 250, 632)
    c.curve_to(330, 640, 380, 690, 470, 716)
    c.curve_to(560, 738, 600, 760, 690, 768)
    c.curve_to(560, 800, 300, 850, -MARGIN, 870)
    c.close_path()
    c.set_source(linear(0, 620, 0, 860, (0, "35204a"), (0.45, "241637"), (1, "170f29")))
    c.fill_preserve()
    c.save()
    c.clip()
    draw = random.Random(5)
    for _ in range(260):
        x, y = draw.uniform(-MARGIN, 700), draw.uniform(630, 830)
        glow(c, x, y, draw.uniform(12, 40), draw.choice(("3f2a55", "120b22", "4e3358")), 0.22, 0.35)
    c.restore()
    c.move_to(250, 632)
    c.curve_to(330, 640, 380, 690, 470, 716)
    c.curve_to(560, 738, 600, 760, 690, 768)
    c.set_source(linear(250, 0, 690, 0, (0, "ffb27a", 0), (0.4, "ffb27a", 0.75), (1, "ffcf97", 0.15)))
    c.set_line_width(3)
    c.stroke()
    lighthouse(c, 232, 640)
    for x, y, h in ((40, 655, 90), (86, 648, 120), (128, 646, 84), (350, 668, 54), (396, 690, 44)):
        pine(c, x, y, h)
    return surface


def lighthouse(c, x, y):
    c.save()
    c.translate(x, y)
    body = linear(-30, 0, 30, 0, (0, "4a2c54"), (0.45, "8d5a72"), (0.8, "ffc7a0"), (1, "ffd9b0"))
    c.move_to(-26, 4)
    c.line_to(-16, -190)
    c.line_to(16, -190)
    c.line_to(26, 4)
    c.close_path()
    c.set_source(body)
    c.fill_preserve()
    c.save()
    c.clip()
    for top in (-176, -112, -48):
        c.rectangle(-40, top, 80, 32)
        c.set_source(linear(-26, 0, 26, 0, (0, "541d3c"), (0.5, "99324e"), (1, "ff7a63")))
        c.fill()
    c.restore()
    c.set_source(linear(-24, 0, 24, 0, (0, "2a1838"), (1, "a55f66")))
    c.rectangle(-24, -200, 48, 11)
    c.rectangle(-13, -236, 4, 36)
    c.rectangle(9, -236, 4, 36)
    c.fill()
    c.rectangle(-9, -234, 18, 34)
    c.set_source_rgb(*rgb("fff3c4"))
    c.fill()
    c.move_to(-20, -234)
    c.curve_to(-14, -256, -6, -262, 0, -270)
    c.curve_to(6, -262, 14, -256, 20, -234)
    c.close_path()
    c.set_source(linear(-20, 0, 20, 0, (0, "4a1a36"), (1, "d85a58")))
    c.fill()
    c.restore()


def pine(c, x, y, height):
    c.set_source_rgb(*rgb("1b1230"))
    for i in range(5):
        top, half = y - height + i * height * 0.16, height * (0.09 + 0.055 * i)
        c.move_to(x, top)
        c.curve_to(x + half * 0.3, top + height * 0.16, x + half * 0.6, top + height * 0.24, x + half, top + height * 0.3)
        c.curve_to(x + half * 0.2, top + height * 0.27, x - half * 0.2, top + height * 0.27, x - half, top + height * 0.3)
        c.curve_to(x - half * 0.6, top + height * 0.24, x - half * 0.3, top + height * 0.16, x, top)
    c.fill()
    c.rectangle(x - 3, y - 8, 6, 16)
    c.fill()


def water():
    surface, c = layer(WIDTH, HEIGHT - HORIZON)
    c.set_source(linear(
        0, 0, 0, HEIGHT - HORIZON, (0, "f7a873"), (0.07, "d77a76"), (0.25, "8b4f86"), (0.6, "423a78"), (1, "1c2150")))
    c.paint()
    glow(c, SUN[0], 0, 620, "ffd28a", 0.75, 0.30)
    glow(c, SUN[0], 120, 330, "ffb370", 0.30, 1.1)
    return surface


class Ripples:
    """Short strokes of light and shade, larger and faster towards the viewer."""

    def __init__(self):
        draw = random.Random(11)
        self.strokes = []
        for index in range(1150):
            depth, kind = draw.random() ** 1.25, draw.random()
            x = draw.uniform(-200, WIDTH + 200)
            if index % 3 == 0:  # a third of them lies in the sun's path
                x, kind = draw.gauss(SUN[0] - 100, 40 + 190 * depth), kind * 0.6
            self.strokes.append((depth, x, draw.uniform(0, 6.28), draw.uniform(1.6, 3.8), kind))
        self.strokes.sort()

    def paint(self, c, time, sun_x):
        for depth, x, phase, speed, kind in self.strokes:
            y = HORIZON + 4 + (HEIGHT - HORIZON) * depth ** 1.7
            half = (10 + 95 * depth) * (0.7 + 0.6 * kind)
            swing = math.sin(time * speed + phase)
            x = (x + time * (6 + 46 * depth) + 200) % (WIDTH + 400) - 200
            away = abs(x - sun_x) / (46 + 250 * depth)
            light = math.exp(-away * away)
            if kind < 0.62 and light > 0.05:
                colour, alpha = ("fff0c0" if depth < 0.5 else "ffcf95"), light * max(0.0, 0.35 + 0.65 * swing)
                half *= 0.55
            elif kind < 0.55:
                colour, alpha = "ff9d83", 0.20 * max(0.0, swing) * (1 - 0.5 * depth)
            else:
                colour, alpha = "241b52", 0.26 * (0.5 + 0.5 * swing)
            if alpha < 0.02:
                continue
            thick = 0.8 + 4.6 * depth
            c.move_to(x - half, y)
            c.curve_to(x - half * 0.4, y - thick, x + half * 0.4, y - thick, x + half, y)
            c.curve_to(x + half * 0.4, y + thick * 0.5, x - half * 0.4, y + thick * 0.5, x - half, y)
            c.set_source_rgba(*rgb(colour), alpha)
            c.fill()


def boat(c, x, y, tilt, mirrored):
    c.save()
    c.translate(x, y)
    c.rotate(tilt)
    alpha = 1.0
    if mirrored:
        c.scale(1, -0.62)
        alpha = 0.30
    c.move_to(4, -172)
    c.curve_to(70, -110, 88, -60, 92, -24)
    c.line_to(4, -22)
    c.close_path()
    c.set_source(linear(0, 0, 92, 0, (0, "fff0d8", alpha), (0.5, "ffd0a4", alpha), (1, "ff9f7e", alpha)))
    c.fill()
    c.move_to(-4, -158)
    c.curve_to(-24, -100, -48, -56, -66, -24)
    c.line_to(-4, -22)
    c.close_path()
    c.set_source(linear(-66, 0, -4, 0, (0, "a5627f", alpha), (1, "e59a94", alpha)))
    c.fill()
    c.rectangle(-2, -178, 4, 166)
    c.set_source_rgba(*rgb("2b1838"), alpha)
    c.fill()
    c.move_to(-86, -16)
    c.line_to(104, -16)
    c.curve_to(88, 6, 70, 14, 50, 14)
    c.line_to(-46, 14)
    c.curve_to(-64, 12, -78, 0, -86, -16)
    c.set_source(linear(-86, 0, 104, 0, (0, "2b1838", alpha), (0.7, "4e2a4c", alpha), (1, "c26a68", alpha)))
    c.fill()
    c.restore()


def gull(c, x, y, span, beat):
    lift = math.sin(beat) * span * 0.32
    c.move_to(x - span, y - lift)
    c.curve_to(x - span * 0.55, y - span * 0.30 - lift * 0.4, x - span * 0.2, y - span * 0.12, x, y)
    c.curve_to(x + span * 0.2, y - span * 0.12, x + span * 0.55, y - span * 0.30 - lift * 0.4, x + span, y - lift)
    c.curve_to(x + span * 0.5, y - span * 0.16 - lift * 0.3, x + span * 0.2, y + span * 0.02, x, y + span * 0.10)
    c.curve_to(x - span * 0.2, y + span * 0.02, x - span * 0.5, y - span * 0.16 - lift * 0.3, x - span, y - lift)
    c.set_source_rgba(*rgb("2d1b44"), 0.9)
    c.fill()


def main(movie, sound, seconds):
    film = Film(movie, sound, WIDTH, HEIGHT, "null")
    backdrop, sea, land, ripples = sky(), water(), headland(), Ripples()
    high = clouds(21, 9, 90, 300, 150, "ff9a86", "5c3f80")
    low = clouds(22, 10, 330, 520, 105, "ffcf8e", "b5566f")
    ranges = [
        ridge(2, 590, 34, "c8708a", "f0a07c"), ridge(7, 610, 30, "8d4d80", "cf7a7c"), ridge(4, 632, 22, "5a3568", "8a4c72"),
    ]
    vignette, c = layer(WIDTH, HEIGHT)
    c.set_source(radial(WIDTH / 2, HEIGHT / 2, 1180, (0, "000000", 0), (0.62, "000000", 0), (1, "0a0620", 0.55)))
    c.paint()
    frames = round(seconds * FRAME_RATE)
    for frame in range(frames):
        time, way = frame / FRAME_RATE, ease(frame / (frames - 1))
        c = cairo.Context(film.surface)
        zoom = 1.02 + 0.055 * way
        c.translate(WIDTH / 2, HORIZON - 40)
        c.scale(zoom, zoom)
        c.translate(-WIDTH / 2, -(HORIZON - 40))
        pan = 26 - 52 * way

        c.set_source_surface(backdrop)
        c.paint()
        sun_y = SUN[1] + 10 * time / seconds * 2
        glow(c, SUN[0], sun_y, 560, "ffb060", 0.55)
        glow(c, SUN[0], sun_y, 250, "ffe0a0", 0.75)
        c.set_source(radial(SUN[0], sun_y, 78, (0, "fffdf0"), (0.86, "fff0c0"), (1, "ffe3a0", 0)))
        c.arc(SUN[0], sun_y, 78, 0, 2 * math.pi)
        c.fill()
        for bank, drift in ((high, 9), (low, 16)):
            c.set_source_surface(bank, -MARGIN - 100 + drift * time + pan * 0.25, 0)
            c.paint()
        for index, range_ in enumerate(ranges):
            c.set_source_surface(range_, -MARGIN + pan * (0.35 + 0.3 * index), 0)
            c.paint()

        c.set_source_surface(sea, 0, HORIZON)
        c.rectangle(0, HORIZON, WIDTH, HEIGHT - HORIZON)
        c.fill()
        ripples.paint(c, time, SUN[0])

        boat_x, boat_y = 800 + 26 * time + pan, 742 + 3 * math.sin(time * 1.9)
        tilt = 0.03 * math.sin(time * 1.5) + 0.02
        boat(c, boat_x, boat_y + 22, -tilt, True)
        boat(c, boat_x, boat_y, tilt, False)
        for index, (x, y, span) in enumerate(GULLS):
            x, y = x - 30 * time + pan * 0.8, y - 6 * time + 5 * math.sin(time + index)
            gull(c, x, y, span, time * 7.5 + index * 1.7)

        lamp = (232 + pan * 1.6, 420)
        turn = math.sin(time * 1.9 + 0.6)
        c.set_source_surface(land, pan * 1.6, 0)
        c.paint()
        beam(c, lamp, turn)
        c.identity_matrix()
        c.set_source_surface(vignette)
        c.paint()
        film.add()
    film.finish()


def beam(c, lamp, turn):
    """The lighthouse's light, as wide and long as it shows when it has turned that far."""
    glow(c, *lamp, 120, "fff2c0", 0.55 + 0.3 * abs(turn))
    for side in (-1, 1):
        reach = side * turn * 900
        c.move_to(lamp[0], lamp[1] - 5)
        c.line_to(lamp[0] + reach, lamp[1] - 70)
        c.line_to(lamp[0] + reach, lamp[1] + 30)
        c.line_to(lamp[0], lamp[1] + 5)
        c.close_path()
        fading = ((0, "fff2c8", 0.55), (0.35, "fff2c8", 0.16), (1, "fff2c8", 0))
        c.set_source(linear(lamp[0], 0, lamp[0] + reach + 0.01, 0, *fading))
        c.fill()


main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
