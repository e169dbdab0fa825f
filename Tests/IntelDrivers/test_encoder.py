#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what our encoder and FFmpeg's tell Intel's driver at equal settings: nothing may differ that intended.txt does
not name, with a reason. No call of our encoder may fail.

  Tests/IntelDrivers/test_encoder.py          on tgl, the commands for the GPU too
  Tests/IntelDrivers/test_encoder.py chips    what the driver is told and the headers of the stream, on all chips and
                                              both builds, at the entry point that clients take first; prints a table
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import records
import traces
from client import ROOT, needs

BUILT = subprocess.run([ROOT / "dev/build", "--show-bin-path"], check=True, capture_output=True, text=True)
ENCBENCH = Path(os.environ.get("ENCBENCH", Path(BUILT.stdout.strip()) / "encbench"))
INTENDED = Path(__file__).resolve().parent / "intended.txt"
PICTURES = "ffmpeg -v error -f lavfi -i testsrc2=size=320x240:rate=25 -frames:v 6 -pix_fmt yuv420p -f yuv4mpegpipe -"
ORDER = "--max-key-frame-interval 120 --no-frame-reordering"
HIGH = "--profile-level h264-high-auto"
# FFmpeg's encoders predict a picture from one.
ONE = "--native ref=1"
# Settings that come to those of FFmpeg in traces.RECORDINGS.
OURS = {
    "h264-intra": f"--qp 28 --max-key-frame-interval 1 --no-frame-reordering {HIGH} {ONE}",
    "h264-cqp": f"--qp 28 {ORDER} {HIGH} {ONE}",
    "h264-vbr": f"--average-bit-rate 1M --data-rate-limit 250000/1 {ORDER} {HIGH} {ONE}",
    "h264-average": f"--average-bit-rate 1M {ORDER} {HIGH} {ONE}",
    "hevc-cqp": f"--qp 28 {ORDER} {ONE}",
    "hevc-vbr": f"--average-bit-rate 1M --data-rate-limit 250000/1 {ORDER} {ONE}",
    "hevc-slices": f"--qp 28 --native slices=2 {ORDER} {ONE}",
}


# The oldest that has an encoder first; those up to cfl have no HEVC at the low-power entry point, which is all that
# free builds have, and ehl.
CHIPS = ("skl", "bxt", "kbl", "cfl", "icl", "ehl", "tgl", "rkl", "adls", "adlp")
GEN9 = ("skl", "bxt", "kbl", "cfl")
# At low power, firmware writes the commands of their bit rates in HEVC from nothing, and the stream is empty.
GEN11 = ("icl", "ehl")


def check(name, build="free", chip="tgl", kinds=traces.KINDS):
    """What is wrong with the recording of that name, as lines."""
    codec = name[:4]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours", Path(folder) / "theirs"
        stream = ours / ("stream.265" if codec == "hevc" else "stream.264")
        command = f"{PICTURES} | {ENCBENCH} encode - --encoder vaapi --codec {codec} {OURS[name]} -o {stream}"
        failures = []
        traces.record(ours, ["bash", "-euo", "pipefail", "-c", command], build, failures, chip)
        traces.record_ffmpeg(theirs, f"{traces.RECORDINGS[name]} -bf 0", build, chip=chip)
        wrong = [f"{call} returned {status}" for call, status in failures]
        intended = records.read_intended(INTENDED, name, is_sourced=True)
        if kinds == traces.KINDS:
            return wrong + traces.compare(ours, theirs, intended, kinds)
        # Not every chip has all that differs on tgl.
        intended += records.read_intended(INTENDED, f"{name}-chips", is_sourced=True)
        lines = traces.compare(ours, theirs, intended, kinds)
        return wrong + [line for line in lines if not line.startswith("nothing differs as ")]


def cell(name, build, chip):
    """What is wrong on a chip; None where it has no such encoder, or what it codes cannot be read."""
    is_low_power = build == "free" or chip == "ehl"
    if is_low_power and (name.startswith("hevc") and chip in GEN9 or name == "hevc-vbr" and chip in GEN11):
        return None
    # FFmpeg 5.1 does not know slices of several rows of one number, and has four.
    if is_low_power and name == "hevc-slices" and chip in GEN11:
        return None
    return check(name, build, chip, ("calls", "headers"))


def check_chips():
    """A table of all chips with both builds; what is wrong anywhere, as lines."""
    wrong = []
    print("| chip | build |", " | ".join(OURS), "|\n| --- | --- |", " --- |" * len(OURS), sep="")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for chip in CHIPS:
            for build in ("free", "full"):
                found = list(pool.map(lambda name: cell(name, build, chip), OURS))
                said = ["-" if lines is None else f"{len(lines)} unknown" if lines else "as listed" for lines in found]
                print(f"| {chip} | {build} |", " | ".join(said), "|", flush=True)
                wrong += [f"{chip} {build} {name}: {line}" for name, lines in zip(OURS, found) for line in lines or []]
    return wrong


def main():
    lacking = needs("iHD", "free") or ("" if ENCBENCH.exists() else "encbench (swift build)")
    if lacking:
        print(f"encoder on intel drivers: SKIPPED, needs {lacking}")
        return 0
    if sys.argv[1:] == ["chips"]:
        lacking = needs("iHD", "full")
        wrong = [f"encoder on intel drivers: SKIPPED, needs {lacking}"] if lacking else check_chips()
        print("\n".join([*wrong, f"encoder on intel drivers: {len(CHIPS)} chips, {len(wrong)} unknown differences"]))
        return 1 if wrong and not lacking else 0
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in zip(OURS, pool.map(check, OURS)):
            failed += bool(wrong)
            for line in wrong[:40]:
                print(f"{name}: {line}")
    print(f"encoder on intel drivers: {len(OURS)} comparisons, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
