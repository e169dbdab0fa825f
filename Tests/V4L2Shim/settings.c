// SPDX-License-Identifier: MIT
#include "settings.h"

#include <linux/videodev2.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static unsigned number(const char *name) {
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static void read_all(void) {
    const char *node = getenv("V4L2_SHIM_NODE"), *modes = getenv("V4L2_SHIM_MODES");
    settings.node = node ? node : "/dev/video0";
    settings.open_error = (int)number("V4L2_SHIM_OPEN");
    settings.stream_error = (int)number("V4L2_SHIM_STREAM");
    settings.lost_percent = number("V4L2_SHIM_LOST");
    settings.seed = number("V4L2_SHIM_SEED") + 1;
    settings.vanish = number("V4L2_SHIM_VANISH");
    settings.stall = number("V4L2_SHIM_STALL");
    settings.damaged = number("V4L2_SHIM_DAMAGED");
    settings.dark = number("V4L2_SHIM_DARK");
    settings.jpeg = getenv("V4L2_SHIM_JPEG");
    settings.log = getenv("V4L2_SHIM_LOG");
    for (const char *place = modes ? modes : "YUYV:640x480@30"; place && settings.mode_count < most_modes;) {
        char code[5];
        Mode mode;
        if (sscanf(place, "%4[^:]:%ux%u@%u", code, &mode.width, &mode.height, &mode.rate) == 4 && strlen(code) == 4) {
            mode.fourcc = v4l2_fourcc((uint32_t)code[0], (uint32_t)code[1], (uint32_t)code[2], (uint32_t)code[3]);
            settings.modes[settings.mode_count++] = mode;
        }
        place = strchr(place, ',');
        if (place) place++;
    }
}

const Settings *shim_settings(void) {
    pthread_once(&once, read_all);
    return &settings;
}
