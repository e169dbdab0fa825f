// SPDX-License-Identifier: MIT
#include "camera.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "settings.h"

enum { most_files = 16, most_buffers = 32, page = 4096 };

typedef struct Frame {
    unsigned buffer, sequence;
    int64_t time;
    unsigned size;
    bool is_damaged;
} Frame;

/// One opening of the node.
typedef struct Camera {
    int file;
    bool is_used, is_blocking, is_streaming;
    Mode mode;
    unsigned buffer_count, buffer_size;
    unsigned char *memory;
    unsigned queue[most_buffers], queue_length;
    Frame done[most_buffers];
    unsigned done_length;
    int64_t start;
    unsigned next;
    uint64_t random;
} Camera;

static Camera cameras[most_files];

static Camera *camera_of(int file) {
    for (int i = 0; i < most_files; i++)
        if (cameras[i].is_used && cameras[i].file == file) return &cameras[i];
    return NULL;
}

bool camera_is(int file) { return camera_of(file) != NULL; }

static int fail(int number) {
    errno = number;
    return -1;
}

int camera_open(int flags) {
    const Settings *settings = shim_settings();
    if (settings->open_error) return fail(settings->open_error);
    if (!settings->mode_count) return fail(ENOENT);
    for (int i = 0; i < most_files; i++) {
        if (cameras[i].is_used) continue;
        int file = (int)syscall(SYS_memfd_create, "v4l2-shim", 0);
        if (file < 0) return -1;
        cameras[i] = (Camera){.file = file, .is_used = true, .is_blocking = !(flags & O_NONBLOCK),
                              .mode = settings->modes[0], .random = settings->seed};
        return file;
    }
    return fail(EMFILE);
}

void camera_close(int file) {
    Camera *camera = camera_of(file);
    if (!camera) return;
    if (camera->memory) munmap(camera->memory, (size_t)camera->buffer_count * camera->buffer_size);
    camera->is_used = false;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000) + time.tv_nsec / 1000;
}

static void tell(const char *what, unsigned sequence, int64_t time) {
    const char *path = shim_settings()->log;
    FILE *log = path ? fopen(path, "a") : NULL;
    if (!log) return;
    fprintf(log, "%s %u %lld\n", what, sequence, (long long)time);
    fclose(log);
}

static unsigned frame_size(Mode mode) {
    unsigned samples = mode.width * mode.height;
    return mode.fourcc == V4L2_PIX_FMT_NV12 ? samples + samples / 2 : samples * 2;
}

/// Draws a frame, and gives its bytes: luma in steps from left to right that move with the sequence.
static unsigned draw(Camera *camera, unsigned char *memory, unsigned sequence) {
    const Settings *settings = shim_settings();
    Mode mode = camera->mode;
    if (mode.fourcc == V4L2_PIX_FMT_MJPEG) {
        FILE *file = settings->jpeg ? fopen(settings->jpeg, "r") : NULL;
        size_t length = file ? fread(memory, 1, camera->buffer_size, file) : 0;
        if (file) fclose(file);
        return (unsigned)length;
    }
    unsigned light = sequence < settings->dark ? 100 * sequence / settings->dark : 100;
    for (unsigned row = 0; row < mode.height; row++) {
        for (unsigned column = 0; column < mode.width; column++) {
            unsigned char luma = (unsigned char)(16 + ((column + sequence * 4) % 128) * light / 100);
            if (mode.fourcc == V4L2_PIX_FMT_NV12)
                memory[row * mode.width + column] = luma;
            else
                memory[(row * mode.width + column) * 2] = luma, memory[(row * mode.width + column) * 2 + 1] = 128;
        }
    }
    if (mode.fourcc == V4L2_PIX_FMT_NV12) memset(memory + mode.width * mode.height, 128, mode.width * mode.height / 2);
    return frame_size(mode);
}

static bool is_lost(Camera *camera) {
    camera->random = camera->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (camera->random >> 33) % 100 < shim_settings()->lost_percent;
}

/// Fills buffers with all frames that are due.
static void advance(Camera *camera) {
    const Settings *settings = shim_settings();
    for (;;) {
        int64_t due = camera->start + (int64_t)camera->next * 1000000 / camera->mode.rate;
        bool is_over = settings->stall && camera->next >= settings->stall;
        if (due > now() || is_over) return;
        unsigned sequence = camera->next++;
        if (sequence && is_lost(camera)) {
            tell("lost", sequence, due);
        } else if (!camera->queue_length) {
            tell("overrun", sequence, due);
        } else {
            unsigned buffer = camera->queue[0];
            memmove(camera->queue, camera->queue + 1, --camera->queue_length * sizeof *camera->queue);
            unsigned size = draw(camera, camera->memory + (size_t)buffer * camera->buffer_size, sequence);
            bool is_damaged = settings->damaged && sequence % settings->damaged == settings->damaged - 1;
            tell(is_damaged ? "damaged" : "frame", sequence, due);
            camera->done[camera->done_length++] = (Frame){buffer, sequence, due, size, is_damaged};
        }
    }
}

static int dequeue(Camera *camera, struct v4l2_buffer *buffer) {
    const Settings *settings = shim_settings();
    if (!camera->is_streaming) return fail(EINVAL);
    while (advance(camera), !camera->done_length) {
        if (settings->vanish && camera->next >= settings->vanish) return fail(ENODEV);
        if (!camera->is_blocking) return fail(EAGAIN);
        nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
    }
    Frame frame = camera->done[0];
    if (settings->vanish && frame.sequence >= settings->vanish) return fail(ENODEV);
    memmove(camera->done, camera->done + 1, --camera->done_length * sizeof *camera->done);
    *buffer = (struct v4l2_buffer){
        .index = frame.buffer, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP,
        .bytesused = frame.size, .sequence = frame.sequence, .length = camera->buffer_size,
        .flags = V4L2_BUF_FLAG_MAPPED | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC |
                 (frame.is_damaged ? V4L2_BUF_FLAG_ERROR : 0),
        .timestamp = {.tv_sec = frame.time / 1000000, .tv_usec = frame.time % 1000000},
        .m.offset = frame.buffer * camera->buffer_size};
    return 0;
}

static int enumerate_format(struct v4l2_fmtdesc *wanted) {
    const Settings *settings = shim_settings();
    unsigned found = 0;
    for (size_t i = 0; i < settings->mode_count; i++) {
        bool is_new = true;
        for (size_t j = 0; j < i; j++) is_new = is_new && settings->modes[j].fourcc != settings->modes[i].fourcc;
        if (!is_new || found++ != wanted->index) continue;
        wanted->pixelformat = settings->modes[i].fourcc;
        wanted->flags = wanted->pixelformat == V4L2_PIX_FMT_MJPEG ? V4L2_FMT_FLAG_COMPRESSED : 0;
        return 0;
    }
    return fail(EINVAL);
}

static int enumerate_size(struct v4l2_frmsizeenum *wanted) {
    const Settings *settings = shim_settings();
    unsigned found = 0;
    for (size_t i = 0; i < settings->mode_count; i++) {
        Mode mode = settings->modes[i];
        bool is_new = mode.fourcc == wanted->pixel_format;
        for (size_t j = 0; j < i; j++) {
            Mode other = settings->modes[j];
            is_new = is_new && !(other.fourcc == mode.fourcc && other.width == mode.width && other.height == mode.height);
        }
        if (!is_new || found++ != wanted->index) continue;
        wanted->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        wanted->discrete.width = mode.width;
        wanted->discrete.height = mode.height;
        return 0;
    }
    return fail(EINVAL);
}

static int enumerate_interval(struct v4l2_frmivalenum *wanted) {
    const Settings *settings = shim_settings();
    unsigned found = 0;
    for (size_t i = 0; i < settings->mode_count; i++) {
        Mode mode = settings->modes[i];
        bool is_of_size =
            mode.fourcc == wanted->pixel_format && mode.width == wanted->width && mode.height == wanted->height;
        if (!is_of_size || found++ != wanted->index) continue;
        wanted->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        wanted->discrete = (struct v4l2_fract){1, mode.rate};
        return 0;
    }
    return fail(EINVAL);
}

/// The camera's mode that comes next to what is asked for, as drivers answer.
static int set_format(Camera *camera, struct v4l2_format *format) {
    const Settings *settings = shim_settings();
    struct v4l2_pix_format *pix = &format->fmt.pix;
    for (size_t i = 0; i < settings->mode_count; i++) {
        Mode mode = settings->modes[i];
        if (mode.fourcc == pix->pixelformat && mode.width == pix->width && mode.height == pix->height) {
            camera->mode = mode;
            break;
        }
    }
    Mode mode = camera->mode;
    *pix = (struct v4l2_pix_format){
        .width = mode.width, .height = mode.height, .pixelformat = mode.fourcc, .field = V4L2_FIELD_NONE,
        .bytesperline = mode.fourcc == V4L2_PIX_FMT_YUYV ? mode.width * 2 : mode.width, .sizeimage = frame_size(mode)};
    return 0;
}

static int set_rate(Camera *camera, struct v4l2_streamparm *parameters, bool is_set) {
    const Settings *settings = shim_settings();
    struct v4l2_captureparm *capture = &parameters->parm.capture;
    for (size_t i = 0; is_set && i < settings->mode_count; i++) {
        Mode mode = settings->modes[i];
        bool is_of_size = mode.fourcc == camera->mode.fourcc && mode.width == camera->mode.width &&
                          mode.height == camera->mode.height;
        if (is_of_size && capture->timeperframe.denominator == mode.rate * capture->timeperframe.numerator)
            camera->mode = mode;
    }
    capture->capability = V4L2_CAP_TIMEPERFRAME;
    capture->timeperframe = (struct v4l2_fract){1, camera->mode.rate};
    return 0;
}

static int make_buffers(Camera *camera, struct v4l2_requestbuffers *wanted) {
    if (camera->memory) munmap(camera->memory, (size_t)camera->buffer_count * camera->buffer_size);
    camera->memory = NULL;
    camera->queue_length = camera->done_length = 0;
    camera->buffer_count = wanted->count < most_buffers / 2 ? wanted->count : most_buffers / 2;
    camera->buffer_size = (frame_size(camera->mode) + page - 1) / page * page;
    wanted->count = camera->buffer_count;
    size_t size = (size_t)camera->buffer_count * camera->buffer_size;
    if (!size) return 0;
    if (ftruncate(camera->file, (off_t)size) < 0) return -1;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, camera->file, 0);
    if (memory == MAP_FAILED) return -1;
    camera->memory = memory;
    return 0;
}

static int describe_buffer(Camera *camera, struct v4l2_buffer *buffer) {
    if (buffer->index >= camera->buffer_count) return fail(EINVAL);
    buffer->length = camera->buffer_size;
    buffer->m.offset = buffer->index * camera->buffer_size;
    return 0;
}

static int queue(Camera *camera, unsigned index) {
    if (index >= camera->buffer_count || camera->queue_length >= most_buffers) return fail(EINVAL);
    camera->queue[camera->queue_length++] = index;
    return 0;
}

int camera_request(int file, unsigned long request, void *argument) {
    Camera *camera = camera_of(file);
    const Settings *settings = shim_settings();
    // A file whose camera is gone answers nothing.
    if (settings->vanish && camera->next > settings->vanish && request != VIDIOC_DQBUF) return fail(ENODEV);
    switch (request) {
    case VIDIOC_QUERYCAP: {
        struct v4l2_capability *capability = argument;
        *capability = (struct v4l2_capability){
            .driver = "shim", .card = "Pretended camera", .bus_info = "memory",
            .capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING | V4L2_CAP_DEVICE_CAPS,
            .device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING};
        return 0;
    }
    case VIDIOC_ENUM_FMT: return enumerate_format(argument);
    case VIDIOC_ENUM_FRAMESIZES: return enumerate_size(argument);
    case VIDIOC_ENUM_FRAMEINTERVALS: return enumerate_interval(argument);
    case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
    case VIDIOC_S_INPUT: return 0;
    case VIDIOC_ENUMINPUT: {
        struct v4l2_input *input = argument;
        if (input->index) return fail(EINVAL);
        *input = (struct v4l2_input){.name = "Camera", .type = V4L2_INPUT_TYPE_CAMERA};
        return 0;
    }
    case VIDIOC_G_FMT: case VIDIOC_S_FMT: case VIDIOC_TRY_FMT: return set_format(camera, argument);
    case VIDIOC_G_PARM: return set_rate(camera, argument, false);
    case VIDIOC_S_PARM: return set_rate(camera, argument, true);
    case VIDIOC_REQBUFS: return make_buffers(camera, argument);
    case VIDIOC_QUERYBUF: return describe_buffer(camera, argument);
    case VIDIOC_QBUF: return queue(camera, ((struct v4l2_buffer *)argument)->index);
    case VIDIOC_DQBUF: return dequeue(camera, argument);
    case VIDIOC_STREAMON:
        if (settings->stream_error) return fail(settings->stream_error);
        camera->is_streaming = true;
        camera->start = now();
        camera->next = 0;
        return 0;
    case VIDIOC_STREAMOFF: camera->is_streaming = false; return 0;
    default: return fail(ENOTTY);
    }
}
