#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the encoders of GStreamer's older plugin, `vaapi`, on softva: two decoders show what the driver reconstructed,
# and say nothing.
#
#   Tests/SoftVAClient/gstreamer_vaapi.sh FOLDER SHIM     where softva_drv_video.so and openh264_yuv are, i915-shim.so
set -uo pipefail

for program in gst-launch-1.0 ffmpeg libde265-dec265; do
    command -v "$program" >/dev/null || { echo "vaapi plugin on softva: SKIPPED, needs $program"; exit 0; }
done
gst-inspect-1.0 vaapi >/dev/null 2>&1 || { echo "vaapi plugin on softva: SKIPPED, needs gstreamer1.0-vaapi"; exit 0; }
[ $# = 2 ] || { echo "usage: $0 FOLDER SHIM, such as .build/softva .build/i915-shim/i915-shim.so" >&2; exit 2; }
for file in "$1/softva_drv_video.so" "$1/openh264_yuv" "$2"; do
    [ -e "$file" ] || { echo "vaapi plugin on softva: SKIPPED, needs $file"; exit 0; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build=$(realpath "$1")
on_softva=(LD_PRELOAD="$(realpath "$2")" I915_SHIM_ROOT="$folder/device" LIBVA_DRIVERS_PATH="$build" LIBVA_DRIVER_NAME=softva)
# The plugin takes only drivers that it knows unless it is told otherwise, and looks for Wayland's folder.
on_softva+=(GST_VAAPI_ALL_DRIVERS=1 GST_VAAPI_DRM_DEVICE=/dev/dri/renderD128 GST_REGISTRY_FORK=no XDG_RUNTIME_DIR="$folder")
on_softva+=(SOFTVA_RECON="$folder/recon.yuv")
source="videotestsrc num-buffers=12 ! video/x-raw,format=NV12,width=320,height=240,framerate=25/1"

# What is wrong with a stream, as text: without B pictures, reconstructions come in the order of display.
check() {
    local stream=$1 decoder
    ffmpeg -v warning -xerror -err_detect explode -i "$stream" -f rawvideo -pix_fmt yuv420p "$folder/ffmpeg.yuv" </dev/null
    case $stream in
        *.h264) "$build/openh264_yuv" <"$stream" >"$folder/other.yuv" ;;
        *) libde265-dec265 -q -o "$folder/other.yuv" "$stream" 2>&1 | grep -v '^nFrames decoded: 12 ' ;;
    esac
    for decoder in ffmpeg other; do cmp "$folder/$decoder.yuv" "$folder/recon.yuv"; done
    [ "$(stat -c %s "$folder/recon.yuv")" = $((12 * 320 * 240 * 3 / 2)) ] || echo "the reconstruction is not of 12 pictures"
}

count=0 failed=0
for personality in strict ihd-tgl ihd-mtl radeonsi-old radeonsi-new i965; do
    for codec in h264 h265; do
        # Intel's old driver has no HEVC in softva. Mesa 22.3 writes headers of its own with tree blocks of 64, and the
        # plugin asks for tree blocks of 32, which softva reports and codes: no decoder reads that.
        case "$personality $codec" in "i965 h265" | "radeonsi-old h265") continue ;; esac
        for rate in "rate-control=cqp init-qp=28" "rate-control=cbr bitrate=600"; do
            count=$((count + 1))
            rm -f "$folder"/*.yuv* "$folder/out.$codec"
            # shellcheck disable=SC2086
            said=$(env "${on_softva[@]}" SOFTVA_PERSONALITY="$personality" GST_REGISTRY="$folder/registry-$personality" \
                timeout 60 gst-launch-1.0 -q $source ! "vaapi${codec}enc" $rate ! "${codec}parse" ! \
                filesink location="$folder/out.$codec" 2>&1 && check "$folder/out.$codec" 2>&1) || said="status $?: $said"
            if [ -n "$said" ]; then
                failed=$((failed + 1))
                echo "$personality vaapi${codec}enc $rate: ${said:0:300}"
            fi
        done
    done
done
echo "vaapi plugin on softva: $count streams, $failed failed"
[ "$failed" = 0 ]
