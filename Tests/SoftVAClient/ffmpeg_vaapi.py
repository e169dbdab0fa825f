#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs FFmpeg's VA-API encoders on softva, on a virtual display, and compares every decoded frame with the driver's
reconstruction.

  Tests/SoftVAClient/ffmpeg_vaapi.py FOLDER     where softva_drv_video.so and the program openh264_yuv are
"""

import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

NV12, P010 = "format=nv12,hwupload", "format=p010,hwupload"
SOURCE = "testsrc2=size={}:rate=30,noise=alls=6:allf=t"

# Personality, size, filter, encoder and its options, the decoders that read it, violations that are FFmpeg's own.
ROWS = [
    ("strict", "352x288", NV12, "h264_vaapi -qp 28 -g 1", "f o", []),
    ("strict", "352x288", NV12, "h264_vaapi -qp 28 -bf 0", "f o", []),
    ("strict", "352x288", NV12, "h264_vaapi -qp 28 -bf 2 -g 9 -aud 1", "f", []),
    ("strict", "318x178", NV12, "h264_vaapi -qp 24 -bf 0 -coder cavlc -slices 3", "f o", []),
    ("strict", "352x288", NV12, "h264_vaapi -qp 28 -profile:v constrained_baseline -slices 4", "f o", []),
    ("strict", "352x288", NV12, "h264_vaapi -b:v 500k -rc_mode CBR -bf 2", "f", []),
    ("strict", "352x288", NV12, "h264_vaapi -b:v 500k -rc_mode VBR -bf 0", "f o", []),
    ("strict", "352x288", NV12, "hevc_vaapi -qp 28 -g 1", "f d", []),
    ("strict", "352x288", NV12, "hevc_vaapi -qp 28 -bf 0 -aud 1", "f d", []),
    ("strict", "318x178", NV12, "hevc_vaapi -qp 24 -bf 2 -slices 2", "f d", []),
    ("strict", "352x288", NV12, "hevc_vaapi -b:v 500k -rc_mode CBR -bf 2", "f d", []),
    ("strict", "352x288", NV12, "hevc_vaapi -b:v 500k -rc_mode VBR", "f d", []),
    ("strict", "318x178", P010, "hevc_vaapi -qp 28 -bf 2 -profile:v main10", "f d", []),
    ("ihd-tgl", "352x288", NV12, "h264_vaapi -low_power 1 -qp 28 -bf 0", "f o", []),
    ("ihd-tgl", "352x288", NV12, "hevc_vaapi -low_power 1 -b:v 500k -bf 2", "f d", []),
    ("ihd-mtl", "352x288", NV12, "hevc_vaapi -b:v 500k -bf 0", "f d", []),
    ("radeonsi-old", "352x288", NV12, "h264_vaapi -qp 28 -bf 0", "f o", []),
    ("radeonsi-old", "352x288", NV12, "hevc_vaapi -qp 28 -bf 0", "f d", []),
    ("radeonsi-new", "352x288", NV12, "h264_vaapi -b:v 500k -bf 0", "f o", []),
    ("i965", "352x288", NV12, "h264_vaapi -b:v 500k -bf 1", "f", []),
    # FFmpeg 5.1 says in the structures that no B picture is a reference, and in the headers that this one is.
    ("strict", "352x288", NV12, "h264_vaapi -qp 28 -bf 3 -b_depth 2", "f",
     ["reference_pic_flag", "ReferenceFrames", "frame_num"]),
    ("strict", "352x288", NV12, "hevc_vaapi -qp 28 -bf 3 -b_depth 2", "f d", ["reference_pic_flag"]),
    # FFmpeg 5.1 sets cu_qp_delta_enabled_flag only for rate control, also where the driver requires it.
    ("ihd-tgl", "352x288", NV12, "hevc_vaapi -low_power 1 -qp 28 -bf 2", "f d", ["cu_qp_delta_enabled_flag"]),
]
FRAMES = 6
ENCODE = ["ffmpeg", "-v", "error", "-init_hw_device", "vaapi=va:,connection_type=x11", "-f", "lavfi", "-i"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def frames_of(path, size):
    data = path.read_bytes()
    return [hashlib.md5(data[i : i + size]).hexdigest() for i in range(0, len(data), size)]


def decoded(decoder, stream, pixel_format, built):
    """The file a decoder writes and what it says."""
    out = stream.with_suffix("." + decoder)
    if decoder == "d":
        result = run(["libde265-dec265", "-q", "-o", str(out), str(stream)])
        return out, "" if result.returncode == 0 and "error" not in result.stderr else result.stderr
    if decoder == "o":
        with stream.open("rb") as source, out.open("wb") as target:
            result = subprocess.run([built / "openh264_yuv"], stdin=source, stdout=target, stderr=subprocess.PIPE,
                                    text=True, timeout=60, check=False)
        return out, result.stderr or ("" if result.returncode == 0 else "failed")
    command = ["ffmpeg", "-v", "warning", "-i", str(stream), "-fps_mode", "passthrough"]
    result = run([*command, "-pix_fmt", pixel_format, "-f", "rawvideo", str(out)])
    return out, result.stderr.strip() or ("" if result.returncode == 0 else "failed")


def check(row, folder, built, environment):
    """What is wrong with one row, as lines."""
    personality, size, upload, encoder, decoders, own = row
    stream = folder / ("stream.265" if "hevc" in encoder else "stream.264")
    recon, report = folder / "recon.yuv", folder / "report"
    environment = dict(environment, LIBVA_DRIVERS_PATH=str(built), LIBVA_DRIVER_NAME="softva", SOFTVA_RECON=str(recon),
                       SOFTVA_REPORT=str(report), SOFTVA_PERSONALITY=personality)
    command = [*ENCODE, SOURCE.format(size), "-frames:v", str(FRAMES), "-vf", upload, "-c:v", *encoder.split(), str(stream)]
    result = run(command, env=environment)
    if result.returncode != 0 or not recon.exists():
        return [f"encoding failed: {result.stderr.strip()[-400:]}"]

    wrong = []
    lines = [line for line in report.read_text().splitlines() if not line.startswith("pictures")]
    wrong += [line for line in lines if not any(name in line for name in own)]
    wrong += [f"no violation names {name}" for name in own if not any(name in line for line in lines)]
    index = [tuple(map(int, line.split())) for line in Path(f"{recon}.index").read_text().splitlines()]
    width, height, depth = index[0][2:]
    if f"{width}x{height}" != size:
        wrong.append(f"shown as {width}x{height}")
    bytes_each = width * height * 3 // 2 * (2 if depth > 8 else 1)
    coded = frames_of(recon, bytes_each)
    expected = [coded[i] for i in sorted(range(len(index)), key=lambda i: index[i][:2])]
    for decoder in decoders.split():
        out, said = decoded(decoder, stream, "yuv420p10le" if depth > 8 else "yuv420p", built)
        got = frames_of(out, bytes_each) if out.exists() else []
        if said:
            wrong.append(f"decoder {decoder} says: {said[:300]}")
        if got != expected:
            wrong.append(f"decoder {decoder}: {sum(a != b for a, b in zip(got, expected))} of {len(got)} frames differ")
    return wrong


def check_failure(folder, built, environment):
    """What is wrong with the report of a program that fails, and ends without closing its display."""
    report = folder / "report"
    environment = dict(environment, LIBVA_DRIVERS_PATH=str(built), LIBVA_DRIVER_NAME="softva", SOFTVA_REPORT=str(report),
                       SOFTVA_FAULT="code:3=encoding_error")
    result = run([*ENCODE, SOURCE.format("352x288"), "-vf", NV12, "-c:v", "h264_vaapi", "-f", "null", "-"], env=environment)
    said = report.read_text() if report.exists() else ""
    wanted = ["fault code:3=encoding_error: struck (1)", "leak display: was not closed (1)", "pictures "]
    return [f"the report lacks {line!r}: {said!r}" for line in wanted if line not in said or result.returncode == 0]


def check_readme():
    """What is wrong with the commands of the driver's README, each block of `sh` run as it is written; those that need a
    build of encbench are of `bash`."""
    root = Path(__file__).resolve().parents[2]
    blocks = re.findall(r"^```sh\n(.*?)^```", (root / "Sources/SoftVA/README.md").read_text(), re.M | re.S)
    wrong = []
    for block in blocks:
        # What pretends a render node is for x86-64 alone.
        if "i915-shim" in block and platform.machine() != "x86_64":
            continue
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=root, capture_output=True, text=True,
                                timeout=120, check=False, stdin=subprocess.DEVNULL)
        if result.returncode != 0 or "violation" in result.stdout or result.stderr:
            wrong.append(f"{block}\n{result.stdout}{result.stderr}")
    return wrong or ([] if len(blocks) == 4 else [f"{len(blocks)} blocks"])


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    built = Path(arguments[0]).resolve()
    read, write = os.pipe()
    # Of several servers that start at once, one may fail to make it and go on without a socket there.
    sockets = Path("/tmp/.X11-unix")
    if not sockets.exists():
        sockets.mkdir(exist_ok=True)
        sockets.chmod(0o1777)
    # A server that begins anew when its last client leaves turns away the one that is just coming.
    display = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-noreset", "-screen", "0", "64x64x24", "-nolisten", "tcp"],
                               pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)

    def check_alone(row):
        with tempfile.TemporaryDirectory() as folder:
            return check(row, Path(folder), built, environment)

    failed = 0
    try:
        environment = dict(os.environ, DISPLAY=":" + os.fdopen(read).readline().strip())
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for row, wrong in zip(ROWS, pool.map(check_alone, ROWS)):
                failed += bool(wrong)
                for line in wrong:
                    print(f"{row[0]}, {row[1]}, {row[3]}: {line}")
        with tempfile.TemporaryDirectory() as folder:
            wrong = check_failure(Path(folder), built, environment) + check_readme()
        failed += len(wrong)
        for line in wrong:
            print(line)
    finally:
        display.terminate()
        display.wait()
    print(f"ffmpeg: {len(ROWS)} streams, a failing program and the README's commands, {failed} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
