// SPDX-License-Identifier: MIT
#include "client.h"

#include <softva.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <va/va.h>
#include <va/va_enc_h264.h>

#define TRY(call) ((c->status = (call)) == VA_STATUS_SUCCESS || (c->failed = #call, false))

client_settings client_defaults(bool hevc) {
    return (client_settings){.hevc = hevc,
                             .width = 62,
                             .height = 46,
                             .slices = 2,
                             .b_pictures = true,
                             .tree = 4,
                             .rate_control = VA_RC_CQP,
                             .packed = 0x1f,
                             .profile = hevc ? VAProfileHEVCMain : VAProfileH264High,
                             .pictures = 6,
                             .qp = 29};
}

void put_u(client_bits *bits, unsigned count, uint32_t value) {
    while (count-- > 0) {
        if (value >> count & 1) bits->bytes[bits->count / 8] |= (uint8_t)(0x80 >> bits->count % 8);
        bits->count++;
    }
}

void put_ue(client_bits *bits, uint32_t value) {
    unsigned length = 0;
    uint64_t code = (uint64_t)value + 1;
    while (code >> (length + 1)) length++;
    put_u(bits, length, 0);
    put_u(bits, length + 1, (uint32_t)code);
}

void put_se(client_bits *bits, int32_t value) {
    put_ue(bits, value > 0 ? 2 * (uint32_t)value - 1 : 2 * (uint32_t)-value);
}

void put_trailing(client_bits *bits) {
    put_u(bits, 1, 1);
    while (bits->count % 8) put_u(bits, 1, 0);
}

size_t client_picture_size(const client *c) {
    return (size_t)(c->settings.width * c->settings.height * 3 / 2) * (c->settings.ten_bit ? 2 : 1);
}

/// I P B B P P..., or I P P P...
static void make_plan(client *c) {
    static const client_picture with_b[6] = {
        {0, 'I', {0}, 0, 0, {0}, 0, true, 0},        {3, 'P', {0}, 1, 0, {0}, 1, true, 1},
        {1, 'B', {0}, 1, 1, {0, 1}, 2, false, 2},    {2, 'B', {0}, 1, 1, {0, 1}, 2, false, 2},
        {4, 'P', {1, 0}, 2, 0, {1, 0}, 2, true, 2},  {5, 'P', {4, 1}, 2, 0, {4, 1}, 2, true, 3},
    };
    for (int i = 0; i < c->settings.pictures; i++) {
        if (c->settings.b_pictures) {
            c->plan[i] = with_b[i];
            continue;
        }
        int count = i < 2 || c->settings.single ? (i > 0) : 2;
        c->plan[i] = (client_picture){i, i ? 'P' : 'I', {i - 1, i - 2}, count, 0, {i - 1, i - 2}, count, true, i};
    }
}

/// What to encode at (x, y) of a plane.
static unsigned sample(const client_settings *settings, int x, int y, int shown, int plane) {
    if (settings->frames) {
        size_t luma = (size_t)(settings->width * settings->height), width = (size_t)settings->width >> (plane > 0);
        const uint8_t *frame = settings->frames + (size_t)shown * (luma * 3 / 2);
        return frame[(plane > 0 ? luma * (size_t)(3 + plane) / 4 : 0) + (size_t)y * width + (size_t)x];
    }
    // A texture that moves by three and two samples a picture; no two pictures are alike.
    int u = x + 3 * shown, v = y + 2 * shown;
    unsigned noise = (unsigned)(u * 7 + v * 13 + u * v / 9 + plane * 40);
    return 40 + noise % 160 + (unsigned)(shown * 3 % 17);
}

/// Fills one surface through a derived image, or through one of its own.
static bool upload(client *c, VASurfaceID surface, int shown) {
    VAImage image;
    VAImageFormat format = {.fourcc = c->settings.ten_bit ? VA_FOURCC_P010 : VA_FOURCC_NV12};
    bool derived = vaDeriveImage(c->display, surface, &image) == VA_STATUS_SUCCESS;
    int width = c->settings.width, height = c->settings.height;
    if (!derived && !TRY(vaCreateImage(c->display, &format, width, height, &image))) return false;
    uint8_t *data;
    if (!TRY(vaMapBuffer(c->display, image.buf, (void **)&data))) return false;
    for (int plane = 0; plane < 2; plane++) {
        for (int y = 0; y < height / (plane + 1); y++) {
            for (int x = 0; x < width; x++) {
                uint8_t *row = data + image.offsets[plane] + (size_t)y * image.pitches[plane];
                unsigned value = sample(&c->settings, plane ? x / 2 : x, y, shown, plane ? 1 + x % 2 : 0);
                if (c->settings.ten_bit) {
                    row[2 * x] = (uint8_t)(value << 6 & 0xc0);
                    row[2 * x + 1] = (uint8_t)value;
                } else {
                    row[x] = (uint8_t)value;
                }
            }
        }
    }
    bool good = TRY(vaUnmapBuffer(c->display, image.buf));
    unsigned w = (unsigned)width, h = (unsigned)height;
    if (!derived && good) good = TRY(vaPutImage(c->display, surface, image.image_id, 0, 0, w, h, 0, 0, w, h));
    return TRY(vaDestroyImage(c->display, image.image_id)) && good;
}

/// Copies a reconstruction, cropped and planar.
static uint8_t *download(client *c, VASurfaceID surface) {
    VAImage image;
    VAImageFormat format = {.fourcc = c->settings.ten_bit ? VA_FOURCC_P010 : VA_FOURCC_NV12};
    unsigned width = (unsigned)c->settings.width, height = (unsigned)c->settings.height;
    uint8_t *data, *copy = calloc(1, client_picture_size(c)), *to = copy;
    if (!TRY(vaCreateImage(c->display, &format, (int)width, (int)height, &image))) return copy;
    if (TRY(vaGetImage(c->display, surface, 0, 0, width, height, image.image_id)) &&
        TRY(vaMapBuffer(c->display, image.buf, (void **)&data))) {
        for (unsigned plane = 0; plane < 3; plane++) {
            unsigned half = plane > 0;
            for (unsigned y = 0; y < height >> half; y++) {
                const uint8_t *row = data + image.offsets[half] + (size_t)y * image.pitches[half];
                for (unsigned x = 0; x < width >> half; x++) {
                    unsigned at = half ? 2 * x + plane - 1 : x;
                    if (c->settings.ten_bit) {
                        unsigned value = (row[2 * at] | (unsigned)row[2 * at + 1] << 8) >> 6;
                        *to++ = (uint8_t)value;
                        *to++ = (uint8_t)(value >> 8);
                    } else {
                        *to++ = row[at];
                    }
                }
            }
        }
        vaUnmapBuffer(c->display, image.buf);
    }
    vaDestroyImage(c->display, image.image_id);
    return copy;
}

bool client_open(client *c, const client_settings *settings) {
    memset(c, 0, sizeof *c);
    c->settings = *settings;
    c->config = c->context = c->coded = VA_INVALID_ID;
    c->stream = malloc(MAX_STREAM);
    c->coded_width = (settings->width + 15) / 16 * 16;
    c->coded_height = (settings->height + 15) / 16 * 16;
    make_plan(c);
    c->display = softva_display_open();
    if (!c->display) return false;
    VAEntrypoint entrypoints[4];
    int count = 0;
    if (!TRY(vaQueryConfigEntrypoints(c->display, settings->profile, entrypoints, &count))) return false;
    c->entrypoint = entrypoints[0];
    VAConfigAttrib packed = {VAConfigAttribEncPackedHeaders, 0};
    if (!TRY(vaGetConfigAttributes(c->display, settings->profile, c->entrypoint, &packed, 1))) return false;
    c->settings.packed &= packed.value;
    unsigned format = settings->ten_bit ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
    VAConfigAttrib wanted[3] = {{VAConfigAttribRTFormat, format},
                                {VAConfigAttribRateControl, settings->rate_control},
                                {VAConfigAttribEncPackedHeaders, c->settings.packed}};
    unsigned pictures = (unsigned)settings->pictures;
    unsigned width = (unsigned)settings->width, height = (unsigned)settings->height;
    unsigned coded_size = (1 << 17) + (unsigned)(c->coded_width * c->coded_height) * 2;
    if (!TRY(vaCreateConfig(c->display, settings->profile, c->entrypoint, wanted, 3, &c->config)) ||
        !TRY(vaCreateSurfaces(c->display, format, width, height, c->inputs, pictures, NULL, 0)) ||
        !TRY(vaCreateSurfaces(c->display, format, (unsigned)c->coded_width, (unsigned)c->coded_height,
                              c->reconstructions, pictures, NULL, 0)) ||
        !TRY(vaCreateContext(c->display, c->config, c->coded_width, c->coded_height, VA_PROGRESSIVE, NULL, 0,
                             &c->context)) ||
        !TRY(vaCreateBuffer(c->display, c->context, VAEncCodedBufferType, coded_size, 1, NULL, &c->coded))) {
        return false;
    }
    for (int i = 0; i < settings->pictures; i++) {
        if (!upload(c, c->inputs[i], c->plan[i].shown)) return false;
    }
    return true;
}

bool client_add(client *c, VABufferType type, const void *data, unsigned size) {
    uint8_t copy[8192];
    memcpy(copy, data, size);
    if (c->change) c->change(c, type, copy, size);
    VABufferID *id = &c->buffers[c->buffer_count];
    if (!TRY(vaCreateBuffer(c->display, c->context, type, size, 1, copy, id))) return false;
    c->buffer_count++;
    return true;
}

/// Adds emulation prevention bytes behind the start code; returns the bits.
static unsigned escape(const uint8_t *data, unsigned bits, uint8_t *out) {
    unsigned bytes = (bits + 7) / 8, count = 0, zeros = 0;
    for (unsigned i = 0; i < bytes; i++) {
        bool whole = i < bits / 8;
        if (i >= 4 && whole && zeros >= 2 && data[i] <= 3) {
            out[count++] = 3;
            zeros = 0;
        }
        out[count++] = data[i];
        zeros = data[i] ? 0 : zeros + 1;
    }
    return count * 8 - (bytes * 8 - bits);
}

bool client_add_packed(client *c, uint32_t type, const uint8_t *data, unsigned bits) {
    static const uint32_t masks[5] = {0, 1, 2, 4, 0x10};
    if (!(c->settings.packed & masks[type])) return true;
    uint8_t escaped[512];
    VAEncPackedHeaderParameterBuffer header;
    memset(&header, 0, sizeof header);
    header.type = type;
    header.bit_length = bits;
    header.has_emulation_bytes = c->settings.escaped;
    if (c->settings.escaped) {
        header.bit_length = escape(data, bits, escaped);
        data = escaped;
    }
    return client_add(c, VAEncPackedHeaderParameterBufferType, &header, sizeof header) &&
           client_add(c, VAEncPackedHeaderDataBufferType, data, (header.bit_length + 7) / 8);
}

static bool add_misc(client *c, VAEncMiscParameterType type, const void *data, unsigned size) {
    uint32_t words[64] = {(uint32_t)type};
    memcpy(words + 1, data, size);
    return client_add(c, VAEncMiscParameterBufferType, words, 4 + size);
}

/// The rate, sent with every picture.
static bool add_rate(client *c) {
    if (c->settings.rate_control == VA_RC_CQP) return true;
    VAEncMiscParameterRateControl rate;
    VAEncMiscParameterFrameRate frames;
    VAEncMiscParameterHRD buffer;
    memset(&rate, 0, sizeof rate);
    memset(&frames, 0, sizeof frames);
    memset(&buffer, 0, sizeof buffer);
    rate.bits_per_second = c->settings.bits_per_second;
    rate.target_percentage = c->settings.rate_control == VA_RC_VBR ? 50 : 100;
    rate.window_size = 1000;
    frames.framerate = 30;
    buffer.buffer_size = c->settings.bits_per_second;
    buffer.initial_buffer_fullness = c->settings.bits_per_second * 3 / 4;
    return add_misc(c, VAEncMiscParameterTypeRateControl, &rate, sizeof rate) &&
           add_misc(c, VAEncMiscParameterTypeFrameRate, &frames, sizeof frames) &&
           add_misc(c, VAEncMiscParameterTypeHRD, &buffer, sizeof buffer);
}

/// Copies the segments of the coded buffer behind the stream.
static bool read_coded(client *c) {
    VACodedBufferSegment *segment;
    if (!TRY(vaMapBuffer(c->display, c->coded, (void **)&segment))) return false;
    c->segments = 0;
    c->segment_status = segment->status;
    size_t before = c->stream_size;
    for (; segment; segment = segment->next, c->segments++) {
        if (c->stream_size + segment->size > MAX_STREAM) break;
        memcpy(c->stream + c->stream_size, segment->buf, segment->size);
        c->stream_size += segment->size;
    }
    c->picture_sizes[c->picture] = c->stream_size - before;
    return TRY(vaUnmapBuffer(c->display, c->coded));
}

/// CPU time of all threads of the process, in seconds.
static double process_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

bool client_render(client *c) {
    bool good = TRY(vaBeginPicture(c->display, c->context, c->inputs[c->picture]));
    good = good && add_rate(c) && (c->settings.hevc ? client_render_hevc(c) : client_render_h264(c));
    good = good && TRY(vaRenderPicture(c->display, c->context, c->buffers, c->buffer_count));
    while (c->buffer_count > 0) vaDestroyBuffer(c->display, c->buffers[--c->buffer_count]);
    return good;
}

bool client_code(client *c) {
    VASurfaceID input = c->inputs[c->picture];
    double begun = process_seconds();
    bool good = client_render(c) && TRY(vaEndPicture(c->display, c->context));
    if (!good || !TRY(vaSyncSurface(c->display, input))) return false;
    c->seconds[c->picture] = process_seconds() - begun;
    if (!read_coded(c)) return false;
    c->picture++;
    return true;
}

bool client_encode(client *c) {
    int picture = c->picture;
    if (!client_code(c)) return false;
    c->shown[c->plan[picture].shown] = download(c, c->reconstructions[picture]);
    return c->status == VA_STATUS_SUCCESS;
}

bool client_encode_all(client *c) {
    while (c->picture < c->settings.pictures) {
        if (!client_encode(c)) return false;
    }
    return true;
}

void client_close(client *c) {
    for (int i = 0; i < MAX_PICTURES; i++) free(c->shown[i]);
    free(c->stream);
    if (!c->display) return;
    if (c->coded != VA_INVALID_ID) vaDestroyBuffer(c->display, c->coded);
    if (c->context != VA_INVALID_ID) vaDestroyContext(c->display, c->context);
    if (c->inputs[0]) vaDestroySurfaces(c->display, c->inputs, c->settings.pictures);
    if (c->reconstructions[0]) vaDestroySurfaces(c->display, c->reconstructions, c->settings.pictures);
    if (c->config != VA_INVALID_ID) vaDestroyConfig(c->display, c->config);
    softva_display_close(c->display);
}
