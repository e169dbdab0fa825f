#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records what programs tell Intel's drivers, and compares two recordings.

  Tests/IntelDrivers/traces.py record FOLDER COMMAND...    runs the command on tgl; if it writes FOLDER/stream.*, its
                                                           headers are read too
  Tests/IntelDrivers/traces.py ffmpeg FOLDER               FFmpeg's encoders, each mode a folder below FOLDER
  Tests/IntelDrivers/traces.py compare OURS THEIRS [LIST]  two folders of `record` or `ffmpeg`; fails for differences that
                                                           LIST does not hold, and for lines of LIST that nothing is like

A folder gets calls.txt (structures given to libva), commands.txt (what the driver made of them for the GPU) and
headers.txt (of the stream). Fields have paths, such as `picture 0: VAEncPictureParameterBufferH264.pic_init_qp`,
`submission 1: VDENC_IMG_STATE.word.14` and `packet 0: Picture Parameter Set.pic_init_qp_minus26`.

LIST has lines `PATH | OURS | THEIRS | REASON`; the first three are patterns with * and ?, and `-` is the value of a field
that is not there. I915_SHIM_CHIP names another chip than tgl, with drivers that place objects themselves.
"""

import os
import sys
import tempfile
from pathlib import Path

import calls
import commands
import headers
import records
from client import environment, ffmpeg, run

KINDS = ("calls", "commands", "headers")
# FFmpeg's encoders at the settings that ours are compared at, and at constant bit rates, at which recordings of FFmpeg
# alone are compared: our encoder takes CBR only from drivers that list no VBR or refuse it, and this one does neither.
RECORDINGS = {
    "h264-intra": "h264_vaapi -qp 28 -i_qfactor 1 -i_qoffset -3 -g 1",
    "h264-cqp": "h264_vaapi -qp 28 -i_qfactor 1 -i_qoffset -3",
    "h264-cbr": "h264_vaapi -rc_mode CBR -b:v 1M",
    "h264-vbr": "h264_vaapi -rc_mode VBR -b:v 1M -maxrate 1M -bufsize 1M -rc_init_occupancy 900k",
    "h264-average": "h264_vaapi -rc_mode VBR -b:v 1M -bufsize 2500k -rc_init_occupancy 2250k",
    "hevc-slices": "hevc_vaapi -qp 28 -i_qfactor 1 -i_qoffset -3 -bf 0 -slices 2",
    "hevc-cqp": "hevc_vaapi -qp 28 -i_qfactor 1 -i_qoffset -3 -bf 0",
    "hevc-cbr": "hevc_vaapi -rc_mode CBR -b:v 1M -bf 0",
    "hevc-vbr": "hevc_vaapi -rc_mode VBR -b:v 1M -maxrate 1M -bufsize 1M -rc_init_occupancy 900k -bf 0",
}


def record(folder, command, build="free", failures=None, chip=os.environ.get("I915_SHIM_CHIP", "tgl")):
    """Runs the command and writes its records into the folder; returns them by kind. Its failure is an exception; calls to
    libva that fail are appended to `failures`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        result = run(command, env=environment(scratch, build=build, chip=chip))
        if result.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr.strip()[-400:]}")
        called = calls.calls_of(scratch)
        if failures is not None:
            failures += calls.failures(called)
        dump = commands.records_of(scratch / "dump", since=calls.last_context(called))
        made = {"calls": calls.records_of(called), "commands": dump}
    streams = sorted(folder.glob("stream.*"))
    made["headers"] = headers.records_of(streams[0]) if streams else []
    for kind, list_of_kind in made.items():
        records.write(list_of_kind, folder / f"{kind}.txt")
    return made


def record_ffmpeg(folder, encoder, build="free", **options):
    """Records an encoder of FFmpeg with its options."""
    folder.mkdir(parents=True, exist_ok=True)
    stream = folder / ("stream.265" if "hevc" in encoder else "stream.264")
    return record(folder, ffmpeg(stream, encoder), build, **options)


def compare(ours, theirs, intended, kinds=KINDS):
    """What is wrong with our folder, as lines."""
    both = [[entry for kind in kinds for entry in records.read(folder / f"{kind}.txt")] for folder in (ours, theirs)]
    return records.compare(*both, intended)


def main(arguments):
    match arguments:
        case ["record", folder, *command] if command:
            made = record(Path(folder), command)
            print(", ".join(f"{len(made[kind])} records of {kind}" for kind in KINDS))
            return 0
        case ["ffmpeg", folder]:
            for name, encoder in RECORDINGS.items():
                record_ffmpeg(Path(folder) / name, encoder)
            return 0
        case ["compare", ours, theirs, *lists] if len(lists) <= 1:
            wrong = compare(Path(ours), Path(theirs), records.read_intended(Path(lists[0])) if lists else [])
            print("\n".join([*wrong, f"{len(wrong)} differences"]))
            return 1 if wrong else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
