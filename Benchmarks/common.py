# SPDX-License-Identifier: MIT
"""What the scripts here share: the clips, the programs, one measured run."""
import functools, os, pathlib, re, subprocess

HERE = pathlib.Path(__file__).resolve().parent
BUNDLED = HERE.parent / "Sources/BundledClips/Clips/bird_640x360_48f.mkv"
# Where ENCODERKIT_MEDIA is set: a clip that has this size by itself.
NATIVE = {"1280x720": "clips/bbb_bird_720p_48f.mkv", "176x144": "clips/carphone_qcif_120f.y4m"}


def build(product=None, package=HERE):
    """Builds one program of a package, by default of this one, or all its programs, release."""
    chosen = ["--product", product] if product else []
    subprocess.run(["swift", "build", "-c", "release", *chosen], cwd=package, check=True, stdout=subprocess.DEVNULL)


@functools.cache
def program(name, package=HERE):
    """The path of a program that a release build of the package makes."""
    shown = subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=package, check=True,
                           capture_output=True, text=True)
    return str(pathlib.Path(shown.stdout.strip()) / name)


def bare(name, folder):
    """A copy of a program without debug information, not all of which valgrind 3.19 can read; it needs none."""
    path = pathlib.Path(folder) / name
    if not path.exists():
        subprocess.run(["strip", "-g", "-o", path, program(name)], check=True)
    return str(path)


def source(size):
    """The clip for a size: a native one if there is one, else the bundled one, which is scaled."""
    media = os.environ.get("ENCODERKIT_MEDIA")
    native = pathlib.Path(media or "") / NATIVE.get(size, "-")
    return native if media and native.exists() else BUNDLED


def clip(size, folder, frames=None):
    """Writes the clip into a folder: all of it as raw I420, or so many frames, looped, as Y4M. Returns the path."""
    path = pathlib.Path(folder) / (f"{size}.yuv" if frames is None else f"{size}-{frames}.y4m")
    if not path.exists():
        loop = [] if frames is None else ["-stream_loop", "-1"]
        cut = ["-f", "rawvideo"] if frames is None else ["-frames:v", str(frames), "-f", "yuv4mpegpipe"]
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", *loop, "-i", source(size), "-r", "30", "-vf",
             f"scale={size.replace('x', ':')},settb=1/30,setpts=N", "-pix_fmt", "yuv420p", *cut, path], check=True)
    return str(path)


def measure(command):
    """Runs a command in a fresh small process: wall and CPU seconds, peak resident kB. Throws when it fails."""
    run = subprocess.run([program("RunOnce"), *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True,
                         text=True)
    if run.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {run.returncode}\n{run.stderr}")
    wall, user, system, peak = run.stdout.split()
    return {"wall": float(wall), "cpu": float(user) + float(system), "peak": int(peak)}


# Loaded into a program, says at its end how many bytes of malloc are in use.
IN_USE = """#include <malloc.h>
#include <stdio.h>
__attribute__((destructor)) static void tell(void) {
    struct mallinfo2 info = mallinfo2();
    fprintf(stderr, "in use: %zu\\n", info.uordblks + info.hblkhd);
}
"""


def teller(folder):
    """A library that tells what malloc has in use at the end of a program; see in_use."""
    source, library = pathlib.Path(folder) / "InUse.c", pathlib.Path(folder) / "InUse.so"
    source.write_text(IN_USE)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def in_use(command, library):
    """Runs a command; bytes that malloc gave it and did not get back, in one arena."""
    environment = os.environ | {"MALLOC_ARENA_MAX": "1", "LD_PRELOAD": str(library)}
    run = subprocess.run([str(part) for part in command], env=environment, check=True, capture_output=True, text=True)
    return int(re.search(r"in use: (\d+)", run.stderr)[1])


def slope(lengths, values):
    """The steepness of the straight line through values at some lengths."""
    mean, level = sum(lengths) / len(lengths), sum(values) / len(values)
    return (sum((x - mean) * (y - level) for x, y in zip(lengths, values)) /
            sum((x - mean) ** 2 for x in lengths))


def machine():
    """One line about where this ran."""
    names = [line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.2f}"
