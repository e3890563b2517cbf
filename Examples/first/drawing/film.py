"""A strip of drawn frames on its way into a movie file."""

import math
import subprocess

import cairo

FRAME_RATE = 30


class Film:
    """Takes cairo surfaces one by one; ffmpeg encodes them with the sound of `sound`, bit-exactly."""

    def __init__(self, path, sound, width, height, filters):
        self.surface = cairo.ImageSurface(cairo.FORMAT_RGB24, width, height)
        picture = ["-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{width}x{height}", "-r", str(FRAME_RATE), "-i", "-"]
        # The colour tags are what the filter converts to; without it swscale would use BT.601 and say nothing.
        filters += ",scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
        colour = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
        x264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "25", "-threads", "2", "-g", "60"]
        exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1"]
        aac = ["-c:a", "aac", "-b:a", "96k", "-shortest", "-movflags", "+faststart"]
        self.encoder = subprocess.Popen(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", *picture, "-i", sound, "-vf", filters,
             *x264, *colour, *aac, *exact, path],
            stdin=subprocess.PIPE)

    def add(self):
        """Sends what is drawn on the surface as the next frame."""
        self.surface.flush()
        self.encoder.stdin.write(self.surface.get_data())

    def finish(self):
        self.encoder.stdin.close()
        if self.encoder.wait() != 0:
            raise SystemExit("ffmpeg could not encode the drawn frames; what it said stands above")


def rgb(text):
    """The colour `rrggbb` as three numbers in 0…1."""
    return tuple(int(text[i:i + 2], 16) / 255 for i in (0, 2, 4))


def linear(x0, y0, x1, y1, *stops):
    """A gradient along a line; a stop is (offset, colour) or (offset, colour, alpha)."""
    return _with_stops(cairo.LinearGradient(x0, y0, x1, y1), stops)


def radial(x, y, radius, *stops):
    """A gradient from a centre outwards."""
    return _with_stops(cairo.RadialGradient(x, y, 0, x, y, radius), stops)


def _with_stops(gradient, stops):
    for offset, colour, *alpha in stops:
        gradient.add_color_stop_rgba(offset, *rgb(colour), alpha[0] if alpha else 1)
    return gradient


def glow(context, x, y, radius, colour, alpha, squash=1.0):
    """A soft spot; `squash` below 1 makes it flatter than wide."""
    context.save()
    context.translate(x, y)
    context.scale(1, squash)
    context.set_source(radial(0, 0, radius, (0, colour, alpha), (0.5, colour, alpha * 0.42), (1, colour, 0)))
    context.arc(0, 0, radius, 0, 2 * math.pi)
    context.fill()
    context.restore()


def layer(width, height, left=0, top=0):
    """A transparent surface to draw something once that every frame shows, and its context.

    It covers only the rectangle from (left, top); coordinates stay those of the picture.
    """
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, width, height)
    surface.set_device_offset(-left, -top)
    return surface, cairo.Context(surface)


def ease(t):
    """0…1 with a soft start and a soft end."""
    t = min(max(t, 0.0), 1.0)
    return t * t * (3 - 2 * t)
