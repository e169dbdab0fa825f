#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs Intel's VA-API drivers on i915-shim: what they offer, FFmpeg's encoders on them, and what they make of faults.

  Tests/IntelDrivers/test_drivers.py
  Tests/IntelDrivers/test_drivers.py record     what the drivers offer becomes tables.txt
"""

import os
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import calls
import headers
from client import ROOT, SHIM, environment, ffmpeg, needs, run

HERE = Path(__file__).resolve().parent
TABLES = HERE / "tables.txt"

# Driver, build, chip, faults.
MACHINES = [
    *(("iHD", build, chip, faults) for build in ("free", "full") for faults in ("", "huc=absent")
      for chip in ("kbl", "icl", "tgl", "adlp")),
    ("i965", "free", "hsw", ""),
    ("i965", "full", "kbl", ""),
]

H264_IP, H264_B = "SPS PPS IDR P P P P P", "SPS PPS IDR P B B P B"
HEVC_GPB, HEVC_B = "VPS SPS PPS IDR B B B B B", "VPS SPS PPS IDR P B B P B"
# Nothing can be read: on icl, iHD leaves HEVC rate control to firmware that writes the commands from nothing.
NOTHING = None
# Driver, build, chip, encoder and its options, the stream. Low power is all that free builds of iHD have; there iHD
# wants B slices in HEVC where others have P slices.
STREAMS = [
    *(("iHD", "free", chip, f"h264_vaapi {options}", H264_IP) for chip in ("kbl", "icl", "tgl", "adlp") for options in
      ("-qp 28", "-rc_mode CBR -b:v 1M", "-rc_mode VBR -b:v 1M", "-rc_mode QVBR -b:v 1M -global_quality 25")),
    *(("iHD", "free", chip, "hevc_vaapi -qp 28 -bf 0", HEVC_GPB) for chip in ("icl", "tgl", "adlp")),
    *(("iHD", "free", chip, f"hevc_vaapi -rc_mode {mode} -b:v 1M -bf 0", HEVC_GPB) for chip in ("tgl", "adlp")
      for mode in ("CBR", "VBR")),
    ("iHD", "free", "tgl", "hevc_vaapi -qp 28 -bf 2", HEVC_GPB),
    ("iHD", "free", "tgl", "hevc_vaapi -qp 28 -bf 0 -profile:v main10", HEVC_GPB),
    ("iHD", "free", "icl", "hevc_vaapi -rc_mode CBR -b:v 1M -bf 0", NOTHING),
    *(("iHD", "full", chip, options, H264_B) for chip in ("kbl", "icl", "tgl") for options in
      ("h264_vaapi -qp 28 -bf 2", "h264_vaapi -rc_mode CBR -b:v 1M -bf 2")),
    *(("iHD", "full", chip, options, HEVC_B) for chip in ("kbl", "icl") for options in
      ("hevc_vaapi -qp 28 -bf 2", "hevc_vaapi -rc_mode VBR -b:v 1M -bf 2")),
    ("iHD", "full", "tgl", "h264_vaapi -low_power 1 -rc_mode CBR -b:v 1M", H264_IP),
    ("i965", "free", "hsw", "h264_vaapi -qp 28 -bf 2", H264_B),
    ("i965", "free", "hsw", "h264_vaapi -rc_mode CBR -b:v 1M -bf 0", H264_IP),
    ("i965", "full", "kbl", "h264_vaapi -rc_mode VBR -b:v 1M -bf 2", H264_B),
    ("i965", "full", "kbl", "hevc_vaapi -qp 28 -bf 2", HEVC_B),
]

# Faults, encoder and its options, the calls that fail, the stream.
H264, HEVC = "h264_vaapi -qp 28", "hevc_vaapi -qp 28 -bf 0"
ENCODING_ERROR = "VA_STATUS_ERROR_ENCODING_ERROR"
FAULTS = [
    ("submit=hang", f"{H264} -async_depth 1", [], ""),
    ("submit=hang", f"{HEVC} -async_depth 1", [("vaMapBuffer", ENCODING_ERROR)], ""),
    ("submit:3=hang", f"{H264} -async_depth 1", [("vaMapBuffer", ENCODING_ERROR)], "SPS PPS IDR P"),
    ("submit:3=hang", f"{H264} -async_depth 2", [("vaMapBuffer", ENCODING_ERROR)], "SPS PPS IDR P"),
    ("submit=hang", f"{HEVC} -async_depth 2", [("vaMapBuffer", ENCODING_ERROR)], ""),
    ("submit=+20ms", H264, [], "SPS PPS IDR P P P P P"),
    ("submit=+20ms", HEVC, [], "VPS SPS PPS IDR B B B B B"),
    ("submit:4+=eio", H264, [("vaEndPicture", ENCODING_ERROR)], "SPS PPS IDR P"),
    ("submit:4+=eio", HEVC, [("vaEndPicture", ENCODING_ERROR)], ""),
    ("create:40+=enospc", H264, [("vaCreateContext", "VA_STATUS_ERROR_ALLOCATION_FAILED")], ""),
    ("create=enomem", H264, [("vaInitialize", "VA_STATUS_ERROR_OPERATION_FAILED")], ""),
]


def offers(machine, folder):
    driver, build, chip, faults = machine
    result = run([sys.executable, HERE / "capabilities.py"], env=environment(folder, driver, build, chip, faults))
    return result.stdout or result.stderr


def title(machine):
    driver, build, chip, faults = machine
    return f"[{' '.join(word for word in (driver, build, chip, faults) if word)}]"


def read_tables():
    """What was recorded for each title."""
    tables, titles = {}, []
    for line in TABLES.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            titles = [line] if titles and tables.get(titles[-1]) else [*titles, line]
            tables[line] = ""
        elif not line.startswith("#"):
            for name in titles:
                tables[name] += line + "\n"
    return tables


def check_offers(machine, folder):
    recorded, now = read_tables().get(title(machine), ""), offers(machine, folder)
    return [] if now == recorded else [f"offers\n{now}instead of\n{recorded}"]


def failures(folder):
    """The calls that failed but for FFmpeg's first, which asks whether vaSyncBuffer() is there."""
    failed = calls.failures(calls.calls_of(folder))
    reasons = ("INVALID_BUFFER", "UNIMPLEMENTED")
    asked = failed[:1] in ([("vaSyncBuffer", f"VA_STATUS_ERROR_{reason}")] for reason in reasons)
    return failed[1:] if asked else failed


def check_stream(row, folder):
    driver, build, chip, encoder, expected = row
    stream = folder / ("stream.265" if "hevc" in encoder else "stream.264")
    command = ffmpeg(stream, encoder, upload="p010" if "main10" in encoder else "nv12")
    result = run(command, env=environment(folder, driver, build, chip))
    if result.returncode != 0 or result.stderr:
        return [f"encoding failed: {result.stderr.strip()[-300:]}"]
    wrong = [f"{name} returned {status}" for name, status in failures(folder)]
    if expected is NOTHING:
        return wrong + ([] if not any(stream.read_bytes()) else ["a stream of more than zeros"])
    read = headers.records_of(stream)
    if headers.summary(read) != expected:
        wrong.append(f"the stream is {headers.summary(read)} instead of {expected}")
    sps = next((record.fields for record in read if record.name == "Sequence Parameter Set"), {})
    width = int(sps.get("pic_width_in_luma_samples", 0)) or 16 * (int(sps.get("pic_width_in_mbs_minus1", -1)) + 1)
    return wrong if width == 320 else [*wrong, f"the stream is {width} samples wide"]


def check_fault(row, folder):
    faults, encoder, expected, stream_expected = row
    stream = folder / ("stream.265" if "hevc" in encoder else "stream.264")
    result = run(ffmpeg(stream, encoder), env=environment(folder, faults=faults))
    wrong = []
    if (result.returncode == 0) != (not expected):
        wrong.append(f"FFmpeg ended with {result.returncode}: {result.stderr[-300:]}")
    failed = failures(folder)
    if failed[: len(expected)] != expected or (failed and not expected):
        wrong.append(f"{failed} failed instead of {expected}")
    read = headers.summary(headers.records_of(stream)) if stream.exists() and stream.stat().st_size > 0 else ""
    return wrong if read == stream_expected else [*wrong, f"the stream is {read!r}"]


def check_refusals(_, folder):
    """What is wrong with how the shim takes values that it does not know."""
    values = [("I915_SHIM_CHIP", "xyz"), ("I915_SHIM_DEBUG", "4"), ("I915_SHIM_CODED_BYTES", "many")]
    values += [("I915_SHIM_FAULT", fault) for fault in ("submit", "create=hang", "submit:0=eio", "submit:1x=eio", "huc",
                                                           "submit=+0ms", "submit=+5", "submit=+60001ms", "create=+5ms")]
    wrong = []
    for name, value in values:
        result = run(["true"], env=environment(folder, **{name: value}))
        if result.returncode != 2 or f"i915-shim: {name}={value}, expected" not in result.stderr:
            wrong.append(f"{name}={value}: {result.returncode} {result.stderr}")
    return wrong


def check_readme(_, __):
    """What is wrong with the commands of the shim's README."""
    text = (ROOT / "Tests/I915Shim/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    result = run(["bash", "-euo", "pipefail", "-c", block], cwd=ROOT)
    said = result.stdout + result.stderr
    return [] if result.returncode == 0 and "EncSliceLP" in said and "nal_unit_type" in said else [said]


def check(job):
    """What is wrong with one row, as lines."""
    function, _, _, row = job
    with tempfile.TemporaryDirectory() as folder:
        return function(row, Path(folder))


def record():
    """Writes what every driver offers; machines that offer the same share it."""
    tables = {}
    for machine in MACHINES:
        if needs(*machine[:2]):
            sys.exit(f"{title(machine)} needs {needs(*machine[:2])}")
        with tempfile.TemporaryDirectory() as folder:
            tables.setdefault(offers(machine, Path(folder)), []).append(title(machine))
    text = "# What Intel's drivers offer to encoders on i915-shim; `dev/test-i915 record` writes it.\n"
    text += "".join("".join(f"{name}\n" for name in titles) + table for table, titles in tables.items())
    TABLES.write_text(text, encoding="utf-8")
    return 0


def main(arguments):
    if arguments == ["record"]:
        return record()
    if arguments or not SHIM.exists():
        print(__doc__ if arguments else f"there is no {SHIM}", file=sys.stderr)
        return 2
    jobs = [(check_fault, "iHD", "free", row) for row in FAULTS]
    jobs += [(check_offers, machine[0], machine[1], machine) for machine in MACHINES]
    jobs += [(check_stream, row[0], row[1], row) for row in STREAMS]
    jobs += [(check_refusals, "iHD", "free", ()), (check_readme, "iHD", "free", ())]
    skipped = Counter(needs(job[1], job[2]) for job in jobs if needs(job[1], job[2]))
    jobs = [job for job in jobs if not needs(job[1], job[2])]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, wrong in zip(jobs, pool.map(check, jobs)):
            failed += bool(wrong)
            for line in wrong:
                print(f"{job[0].__name__} {job[3]}: {line}")
    for reason, count in skipped.items():
        print(f"intel drivers: {count} rows SKIPPED, needs {reason}")
    print(f"intel drivers: {len(MACHINES)} machines, {len(STREAMS)} streams, {len(FAULTS)} faults, {failed} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
