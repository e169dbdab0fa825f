// SPDX-License-Identifier: MIT
#include "CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// More than any device has: one that answers for ever is left.
enum { most_formats = 64, most_sizes = 128, most_rates = 64 };

typedef struct List {
    CV4L2Mode *modes;
    size_t capacity, count;
} List;

static int ask(int file, unsigned long request, void *argument) {
    int status;
    while ((status = ioctl(file, request, argument)) < 0 && errno == EINTR) {
    }
    return status;
}

static void add(List *list, CV4L2Mode mode) {
    if (list->count < list->capacity)
        list->modes[list->count++] = mode;
}

// What a device states as an interval is turned over into a rate.
static void set_rates(CV4L2Mode *mode, struct v4l2_fract shortest, struct v4l2_fract longest) {
    mode->rate_numerator = shortest.denominator;
    mode->rate_denominator = shortest.numerator;
    mode->min_rate_numerator = longest.denominator;
    mode->min_rate_denominator = longest.numerator;
}

static void add_rates(int file, List *list, CV4L2Mode mode) {
    for (unsigned index = 0; index < most_rates && list->count < list->capacity; index++) {
        struct v4l2_frmivalenum interval = {
            .index = index, .pixel_format = mode.fourcc, .width = mode.max_width, .height = mode.max_height};
        if (ask(file, VIDIOC_ENUM_FRAMEINTERVALS, &interval) < 0) {
            if (index == 0)
                add(list, mode);
            return;
        }
        if (interval.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
            set_rates(&mode, interval.discrete, interval.discrete);
            add(list, mode);
        } else {
            set_rates(&mode, interval.stepwise.min, interval.stepwise.max);
            add(list, mode);
            return;
        }
    }
}

static void add_sizes(int file, List *list, CV4L2Mode mode) {
    for (unsigned index = 0; index < most_sizes && list->count < list->capacity; index++) {
        struct v4l2_frmsizeenum size = {.index = index, .pixel_format = mode.fourcc};
        if (ask(file, VIDIOC_ENUM_FRAMESIZES, &size) < 0)
            return;
        if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
            mode.width = mode.max_width = size.discrete.width;
            mode.height = mode.max_height = size.discrete.height;
            mode.step_width = mode.step_height = 0;
            add_rates(file, list, mode);
        } else {
            mode.width = size.stepwise.min_width;
            mode.height = size.stepwise.min_height;
            mode.max_width = size.stepwise.max_width;
            mode.max_height = size.stepwise.max_height;
            mode.step_width = size.stepwise.step_width;
            mode.step_height = size.stepwise.step_height;
            add_rates(file, list, mode);
            return;
        }
    }
}

int cv4l2_ask(const char *path, CV4L2Device *device, CV4L2Mode *modes, size_t capacity) {
    *device = (CV4L2Device){0};
    // Without blocking: a node may be a pipe of that name.
    int file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return errno;
    struct v4l2_capability capability = {0};
    if (ask(file, VIDIOC_QUERYCAP, &capability) < 0) {
        int error = errno;
        close(file);
        return error;
    }
    memcpy(device->name, capability.card, sizeof capability.card);
    unsigned can = capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    device->is_camera = can & V4L2_CAP_VIDEO_CAPTURE && can & V4L2_CAP_STREAMING;
    List list = {modes, capacity, 0};
    for (unsigned index = 0; device->is_camera && index < most_formats; index++) {
        struct v4l2_fmtdesc format = {.index = index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
        if (ask(file, VIDIOC_ENUM_FMT, &format) < 0)
            break;
        add_sizes(file, &list,
                  (CV4L2Mode){.fourcc = format.pixelformat, .is_compressed = format.flags & V4L2_FMT_FLAG_COMPRESSED});
    }
    device->mode_count = list.count;
    close(file);
    return 0;
}
