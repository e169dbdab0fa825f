#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions per 1080p frame of a session on VA-API beside FFmpeg's h264_vaapi and hevc_vaapi, on Intel's driver.

Both run with i915-shim in place of a GPU, under callgrind, at two lengths; the slopes are compared. What the driver, the
shim and libc (allocator, copies of planes) do does not count, libva's part does. FFmpeg generates grey pictures and uploads
them; the session is given grey pictures in memory, and then in surfaces of its own pool.
"""
import collections, os, pathlib, re, subprocess, sys, tempfile
import common

ROOT = common.HERE.parent
SHIM = ROOT / ".build/i915-shim/i915-shim.so"
LENGTHS = (30, 90)
SIZE = "1920x1080"
NOT_COUNTED = re.compile(
    r"iHD_drv_video|i915-shim|libigdgmm|libdrm|/libc\.so|/libc-|ld-linux|/libm\.so|vgpreload|libstdc\+\+|libpthread")
# What makes FFmpeg's grey pictures, which a session is given: no part of encoding them.
SOURCE = re.compile(r"ff_fill_rectangle|ff_draw|color_request|testsrc|activate_source")


def counted(path):
    """Instructions by object: the self cost of each function of each object."""
    costs, names = collections.Counter(), {}
    current = None
    skip = False
    for line in open(path, errors="replace"):
        if line.startswith("ob="):
            match = re.match(r"ob=\((\d+)\)(?: (.*))?", line)
            if match[2]:
                names[match[1]] = match[2].strip()
            current = names.get(match[1], "?")
        elif line.startswith("cob="):
            match = re.match(r"cob=\((\d+)\)(?: (.*))?", line)
            if match[2]:
                names[match[1]] = match[2].strip()
        elif line.startswith("calls="):
            skip = True
        elif line[0] in "0123456789+-*":
            if skip:
                skip = False
            else:
                costs[current] += int(line.split()[1])
    return costs


def measure(command, folder, environment=None):
    path = pathlib.Path(folder) / "callgrind"
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={path}", *command], capture_output=True, text=True,
        env={**os.environ, "LD_PRELOAD": str(SHIM), **(environment or {})})
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit {run.returncode}\n{run.stderr[-2000:]}")
    return counted(path)


def slope(make, folder):
    short, long = (measure(make(frames), folder) for frames in LENGTHS)
    frames = LENGTHS[1] - LENGTHS[0]
    return {name: (long[name] - short[name]) / frames for name in long if not NOT_COUNTED.search(name)}


def ffmpeg(codec):
    return lambda frames: [
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-vaapi_device", "/dev/dri/renderD128", "-f", "rawvideo", "-pix_fmt",
        "nv12", "-s", SIZE, "-r", "30", "-stream_loop", "-1", "-i", common.GREY, "-frames:v", str(frames), "-vf",
        "hwupload", "-c:v", f"{codec}_vaapi", "-low_power", "1", "-qp", "30", "-g", "1000000", "-bf", "0", "-f", "null",
        "-"]


def session(codec, kind):
    return lambda frames: ["/tmp/DeviceProbe.s", codec, kind, SIZE, str(frames)]


def main():
    subprocess.run(["make", "-s", "-f", "dev/i915-shim.mk"], cwd=ROOT, check=True)
    pass
    with tempfile.TemporaryDirectory() as folder:
        common.GREY = str(pathlib.Path(folder) / "grey.nv12")
        width, height = map(int, SIZE.split("x"))
        pathlib.Path(common.GREY).write_bytes(b"\x80" * (width * height * 3 // 2) * 4)
        for codec in "h264", "hevc":
            reference = slope(ffmpeg(codec), folder)
            total = sum(reference.values())
            for kind, limit in ("memory", 1.0), ("surface", 0.5):
                ours = slope(session(codec, kind), folder)
                ratio = sum(ours.values()) / total
                print(f"{codec} {kind:8} session {sum(ours.values()):12,.0f}  ffmpeg {total:12,.0f}  ratio {ratio:.2f}, "
                      f"limit {limit}{'  OVER' if ratio > limit else ''}", flush=True)
                if "-v" in sys.argv:
                    for name, cost in sorted(ours.items(), key=lambda item: -item[1])[:8]:
                        print(f"    {cost:12,.0f}  {name}")
            if "-v" in sys.argv:
                for name, cost in sorted(reference.items(), key=lambda item: -item[1])[:8]:
                    print(f"    {cost:12,.0f}  ffmpeg: {name}")


if __name__ == "__main__":
    main()
