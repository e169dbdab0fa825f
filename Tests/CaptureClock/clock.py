#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows the time on an X display and beeps at each full second on a sound card, until it is killed.

  clock.py DISPLAY SINK LOG     a SINK of - for a clock that is silent

The picture is 32 squares in rows of 8: the bits of a time in tenths of a millisecond, the highest one first, white for 1.
LOG gets two kinds of lines, all times in microseconds of the monotonic clock:

  drawn FROM UNTIL       the picture of FROM was drawn by UNTIL, and stood until the next one was drawn
  heard POSITION AT      the server says that POSITION of the sound is heard AT; a beep begins at each full second of it
"""

import array
import ctypes
import math
import os
import signal
import sys
import time

SIDE, COLUMNS, ROWS = 16, 8, 4
RATE, BLOCK = 48_000, 480


def now():
    return time.monotonic_ns() // 1000


class Log:
    """Lines of one process, written whole."""

    def __init__(self, path):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.lines, self.written = [], now()

    def add(self, line):
        self.lines.append(line)
        if now() - self.written > 50_000:
            os.write(self.file, ("\n".join(self.lines) + "\n").encode())
            self.lines, self.written = [], now()


class SampleSpec(ctypes.Structure):
    _fields_ = [("format", ctypes.c_int), ("rate", ctypes.c_uint32), ("channels", ctypes.c_uint8)]


class BufferAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("maxlength", "tlength", "prebuf", "minreq", "fragsize")]


def sound(sink, log):
    pulse = ctypes.CDLL("libpulse-simple.so.0")
    pulse.pa_simple_new.restype = ctypes.c_void_p
    pulse.pa_simple_get_latency.restype = ctypes.c_uint64
    spec = SampleSpec(3, RATE, 1)  # PA_SAMPLE_S16LE
    unset = 2**32 - 1
    attributes = BufferAttributes(unset, RATE // 5 * 2, unset, unset, unset)
    error = ctypes.c_int()
    playback = 1  # PA_STREAM_PLAYBACK
    stream = pulse.pa_simple_new(
        None, b"clock", playback, sink.encode(), b"beeps", ctypes.byref(spec), None, ctypes.byref(attributes),
        ctypes.byref(error))
    if not stream:
        sys.exit(f"clock.py: the sound server refuses, error {error.value}")
    stream = ctypes.c_void_p(stream)
    beep = array.array("h", (int(26_000 * math.sin(2 * math.pi * 1000 * n / RATE)) for n in range(BLOCK))).tobytes()
    silence = bytes(BLOCK * 2)
    position = 0
    while True:
        before = now()
        latency = pulse.pa_simple_get_latency(stream, ctypes.byref(error))
        after = now()
        # Where the answer took long, it says little.
        if after - before < 1000:
            log.add(f"heard {position * 1_000_000 // RATE} {before + latency}")
        block = beep if position % RATE < 5 * BLOCK else silence
        if pulse.pa_simple_write(stream, block, ctypes.c_size_t(len(block)), ctypes.byref(error)) < 0:
            sys.exit(f"clock.py: the sound server is gone, error {error.value}")
        position += BLOCK


def picture(value):
    """Rows of 32 bits a sample."""
    squares = [(b"\xff" if value >> bit & 1 else b"\0") * (SIDE * 4) for bit in reversed(range(COLUMNS * ROWS))]
    rows = [b"".join(squares[row * COLUMNS:(row + 1) * COLUMNS]) for row in range(ROWS)]
    return b"".join(row * SIDE for row in rows)


def pictures(name, log):
    x = ctypes.CDLL("libX11.so.6")
    for function in ("XOpenDisplay", "XDefaultVisual", "XCreateGC", "XCreateImage"):
        getattr(x, function).restype = ctypes.c_void_p
    x.XDefaultRootWindow.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x.XOpenDisplay(name.encode()))
    if not display:
        sys.exit(f"clock.py: there is no display {name}")
    window = ctypes.c_ulong(x.XDefaultRootWindow(display))
    context = ctypes.c_void_p(x.XCreateGC(display, window, ctypes.c_ulong(0), None))
    width, height = SIDE * COLUMNS, SIDE * ROWS
    memory = ctypes.create_string_buffer(width * height * 4)
    image = ctypes.c_void_p(x.XCreateImage(
        display, ctypes.c_void_p(x.XDefaultVisual(display, 0)), x.XDefaultDepth(display, 0), 2, 0, memory, width, height,
        32, 0))  # ZPixmap
    # The pointer away from the picture.
    x.XWarpPointer(display, ctypes.c_ulong(0), window, 0, 0, 0, 0, 32_000, 32_000)
    while True:
        start = now()
        ctypes.memmove(memory, picture(start // 100 & 0xFFFF_FFFF), len(memory))
        x.XPutImage(display, window, context, image, 0, 0, 0, 0, width, height)
        x.XSync(display, 0)
        log.add(f"drawn {start} {now()}")
        time.sleep(0.002)


def main():
    _, display, sink, path = sys.argv
    # Sound is a process of its own, which ends with this one.
    if sink != "-" and os.fork() == 0:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        sound(sink, Log(path))
    else:
        pictures(display, Log(path))


main()
