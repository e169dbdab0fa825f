#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what our encoder and FFmpeg's tell Intel's driver at equal settings: nothing may differ that intended.txt does
not name, with a reason. No call of our encoder may fail.

  Tests/IntelDrivers/test_encoder.py
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

OPTIONS = subprocess.run([ROOT / "dev/build-options"], check=True, capture_output=True, text=True).stdout.split()
BUILT = subprocess.run(
    ["swift", "build", *OPTIONS, "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
ENCBENCH = Path(BUILT.stdout.strip()) / "encbench"
INTENDED = Path(__file__).resolve().parent / "intended.txt"
PICTURES = "ffmpeg -v error -f lavfi -i testsrc2=size=320x240:rate=25 -frames:v 6 -pix_fmt yuv420p -f yuv4mpegpipe -"
ORDER = "--max-key-frame-interval 120 --no-frame-reordering"
HIGH = "--profile-level h264-high-auto"
# FFmpeg's encoders predict a picture from one.
ONE = "--native ref=1"
# Settings that come to those of FFmpeg in traces.RECORDINGS.
OURS = {
    "h264-intra": f"--qp 28 --max-key-frame-interval 1 {HIGH} {ONE}",
    "h264-cqp": f"--qp 28 {ORDER} {HIGH} {ONE}",
    "h264-vbr": f"--average-bit-rate 1M --data-rate-limit 250000/1 {ORDER} {HIGH} {ONE}",
    "h264-average": f"--average-bit-rate 1M {ORDER} {HIGH} {ONE}",
    "hevc-cqp": f"--qp 28 {ORDER} {ONE}",
    "hevc-vbr": f"--average-bit-rate 1M --data-rate-limit 250000/1 {ORDER} {ONE}",
    "hevc-slices": f"--qp 28 --native slices=2 {ORDER} {ONE}",
}


def check(name):
    """What is wrong with the recording of that name, as lines."""
    codec = name[:4]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours", Path(folder) / "theirs"
        stream = ours / ("stream.265" if codec == "hevc" else "stream.264")
        command = f"{PICTURES} | {ENCBENCH} encode - --encoder vaapi --codec {codec} {OURS[name]} -o {stream}"
        failures = []
        traces.record(ours, ["bash", "-euo", "pipefail", "-c", command], failures=failures)
        traces.record_ffmpeg(theirs, traces.RECORDINGS[name])
        wrong = [f"{call} returned {status}" for call, status in failures]
        return wrong + traces.compare(ours, theirs, records.read_intended(INTENDED, name, is_sourced=True))


def main():
    lacking = needs("iHD", "free") or ("" if ENCBENCH.exists() else "encbench (swift build)")
    if lacking:
        print(f"encoder on intel drivers: SKIPPED, needs {lacking}")
        return 0
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in zip(OURS, pool.map(check, OURS)):
            failed += bool(wrong)
            for line in wrong[:40]:
                print(f"{name}: {line}")
    print(f"encoder on intel drivers: {len(OURS)} comparisons, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
