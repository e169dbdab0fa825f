// SPDX-License-Identifier: MIT
// Every personality, every fault and the contract of the calls.
#include <pthread.h>
#include <softva.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <va/va.h>

#include "contract.h"

int failures, checks;

/// Whether the report has a line with `text`.
static bool reported(const char *text) {
    static char report[1 << 16];
    softva_report(report, sizeof report);
    return strstr(report, text) != NULL;
}

const char *whole_report(void) {
    static char report[4096];
    softva_report(report, sizeof report);
    return report;
}

void start(const char *personality, const char *fault) {
    softva_reset();
    EXPECT(softva_set_personality(personality) == 0, "%s", personality);
    EXPECT(softva_set_fault(fault) == 0, "%s", fault);
}

client_settings settings_for(const char *personality, bool hevc) {
    client_settings settings = client_defaults(hevc);
    bool intel = strncmp(personality, "ihd", 3) == 0, radeon = strncmp(personality, "radeonsi", 8) == 0;
    if (intel || radeon) {
        settings.tree = 6;
        settings.gpb = intel && hevc;
        settings.b_pictures = intel && hevc;
        settings.single = radeon;
        settings.no_deltas = strcmp(personality, "radeonsi-old") == 0;
        settings.width = 126;
        settings.height = 94;
    }
    return settings;
}

static void encodes(const char *personality, const client_settings *settings, const char *what) {
    start(personality, NULL);
    client c;
    char why[160] = "";
    bool done = client_open(&c, settings) && client_encode_all(&c);
    EXPECT(done, "%s, %s: %s: %s", personality, what, c.failed, vaErrorStr(c.status));
    EXPECT(!done || client_matches(&c, why), "%s, %s: %s", personality, what, why);
    client_close(&c);
    EXPECT(softva_count(SOFTVA_VIOLATIONS) == 0 && softva_count(SOFTVA_MISUSES) == 0 && softva_count(SOFTVA_LEAKS) == 0,
           "%s, %s:\n%s", personality, what, whole_report());
}

static void every_personality(void) {
    static const char *const names[] = {"strict",  "ihd-tgl",      "ihd-kbl-nohuc", "ihd-mtl",
                                        "i965",    "radeonsi-old", "radeonsi-new"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool has_hevc = strcmp(names[i], "i965") != 0 && strcmp(names[i], "ihd-kbl-nohuc") != 0;
        for (int hevc = 0; hevc <= has_hevc; hevc++) {
            client_settings settings = settings_for(names[i], hevc);
            encodes(names[i], &settings, hevc ? "HEVC" : "H.264");
            settings.escaped = true;
            encodes(names[i], &settings, hevc ? "HEVC, escaped headers" : "H.264, escaped headers");
            if (strcmp(names[i], "strict") != 0) continue;
            settings.packed = 0x3;
            settings.slices = 1;
            encodes(names[i], &settings, hevc ? "HEVC, the driver's slice headers" : "H.264, the driver's slice headers");
            settings = settings_for(names[i], hevc);
            settings.b_pictures = false;
            encodes(names[i], &settings, hevc ? "HEVC, P" : "H.264, P");
        }
        if (!has_hevc || strncmp(names[i], "ihd", 3) == 0) continue;
        client_settings ten = settings_for(names[i], true);
        ten.ten_bit = true;
        ten.profile = VAProfileHEVCMain10;
        encodes(names[i], &ten, "Main10");
    }
    client_settings plain = client_defaults(false);
    plain.profile = VAProfileH264ConstrainedBaseline;
    plain.b_pictures = false;
    encodes("strict", &plain, "Constrained Baseline");
    plain.profile = VAProfileH264Main;
    plain.b_pictures = true;
    encodes("strict", &plain, "Main");
}

static void entrypoints(void) {
    client c;
    client_settings settings = settings_for("ihd-tgl", true);
    start("ihd-tgl", NULL);
    EXPECT(client_open(&c, &settings) && c.entrypoint == VAEntrypointEncSliceLP, "%d", c.entrypoint);
    client_close(&c);
    start("ihd-mtl", NULL);
    EXPECT(client_open(&c, &settings) && c.entrypoint == VAEntrypointEncSlice, "%d", c.entrypoint);
    client_close(&c);
    start("ihd-kbl-nohuc", NULL);
    EXPECT(!client_open(&c, &settings) && c.status == VA_STATUS_ERROR_UNSUPPORTED_PROFILE, "%d", c.status);
    client_close(&c);
    settings = settings_for("ihd-kbl-nohuc", false);
    settings.rate_control = VA_RC_CBR;
    EXPECT(!client_open(&c, &settings) && c.status == VA_STATUS_ERROR_INVALID_VALUE, "CBR without HuC: %d", c.status);
    client_close(&c);
    EXPECT(softva_set_personality("nvidia") == -1, "an unknown personality is refused");
}

/// Encodes with a fault until something fails; returns whether all went well.
static bool run(client *c, const char *personality, const char *fault) {
    start(personality, fault);
    client_settings settings = settings_for(personality, false);
    return client_open(c, &settings) && client_encode_all(c);
}

static void statuses(void) {
    static const struct {
        const char *fault;
        VAStatus status;
        const char *call;
    } rows[] = {
        {"createconfig=invalid_value", VA_STATUS_ERROR_INVALID_VALUE, "vaCreateConfig"},
        {"createcontext=allocation_failed", VA_STATUS_ERROR_ALLOCATION_FAILED, "vaCreateContext"},
        {"createsurfaces:2=out_of_surfaces", VA_STATUS_ERROR_MAX_NUM_EXCEEDED, "vaCreateSurfaces"},
        {"createbuffer:3=allocation_failed", VA_STATUS_ERROR_ALLOCATION_FAILED, "vaCreateBuffer"},
        {"begin:2=hw_busy", VA_STATUS_ERROR_HW_BUSY, "vaBeginPicture"},
        {"render:2=invalid_parameter", VA_STATUS_ERROR_INVALID_PARAMETER, "vaRenderPicture"},
        {"endpicture:3=encoding_error", VA_STATUS_ERROR_ENCODING_ERROR, "vaEndPicture"},
        {"sync:2=timeout", VA_STATUS_ERROR_TIMEDOUT, "vaSyncSurface"},
        {"map:3=operation_failed", VA_STATUS_ERROR_OPERATION_FAILED, "vaMapBuffer"},
        {"code:2=encoding_error", VA_STATUS_ERROR_ENCODING_ERROR, "vaMapBuffer"},
        {"code:2=overflow", VA_STATUS_ERROR_NOT_ENOUGH_BUFFER, "vaMapBuffer"},
        {"endpicture:2=lost", VA_STATUS_ERROR_OPERATION_FAILED, "vaEndPicture"},
        {"endpicture:2=poison", VA_STATUS_ERROR_ENCODING_ERROR, "vaEndPicture"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        client c;
        EXPECT(!run(&c, "strict", rows[i].fault), "%s", rows[i].fault);
        EXPECT(c.status == rows[i].status && c.failed && strncmp(c.failed, rows[i].call, strlen(rows[i].call)) == 0,
               "%s: %s: %s", rows[i].fault, c.failed ? c.failed : "nothing", vaErrorStr(c.status));
        client_close(&c);
    }
}

static void later_pictures(void) {
    client c;
    EXPECT(!run(&c, "strict", "endpicture:2=encoding_error"), "the fault strikes");
    EXPECT(client_encode(&c), "once only: %s", vaErrorStr(c.status));
    client_close(&c);
    EXPECT(!run(&c, "strict", "endpicture:2=poison"), "the fault strikes");
    EXPECT(!client_encode(&c) && c.status == VA_STATUS_ERROR_ENCODING_ERROR, "the context stays poisoned");
    client_close(&c);
    EXPECT(!run(&c, "ihd-tgl", "endpicture:2=encoding_error"), "the fault strikes");
    EXPECT(!client_encode(&c), "Intel's contexts are poisoned by any failure");
    client_close(&c);
    EXPECT(!run(&c, "strict", "endpicture:2=lost"), "the fault strikes");
    int profiles;
    VAProfile list[16];
    EXPECT(vaQueryConfigProfiles(c.display, list, &profiles) == VA_STATUS_ERROR_OPERATION_FAILED, "the device is gone");
    client_close(&c);
    EXPECT(softva_count(SOFTVA_LEAKS) == 0, "what a lost device had is given back:\n%s", whole_report());
}

static void coded_buffers(void) {
    client c;
    EXPECT(run(&c, "strict", "code:6=size0"), "%s", vaErrorStr(c.status));
    EXPECT(c.picture_sizes[5] == 0 && c.segment_status == VA_CODED_BUF_STATUS_BAD_BITSTREAM, "%#x", c.segment_status);
    client_close(&c);
    EXPECT(run(&c, "i965", "code:6=overflow"), "i965 flags: %s", vaErrorStr(c.status));
    EXPECT(c.segment_status & VA_CODED_BUF_STATUS_SLICE_OVERFLOW_MASK, "%#x", c.segment_status);
    client_close(&c);
    char why[160];
    EXPECT(run(&c, "strict", "code=split"), "%s", vaErrorStr(c.status));
    EXPECT(c.segments == 3 && client_matches(&c, why), "%d segments, %s", c.segments, why);
    client_close(&c);
    EXPECT(run(&c, "radeonsi-new", NULL) && c.segments == 2, "%d segments", c.segments);
    client_close(&c);
    EXPECT(run(&c, "strict", "code:5=size0,code:6=reorder") && c.segment_status == VA_CODED_BUF_STATUS_BAD_BITSTREAM,
           "%#x", c.segment_status);
    client_close(&c);
    EXPECT(run(&c, "strict", NULL) && (c.segment_status & 0xff) == 0xff, "CQP has no average: %#x", c.segment_status);
    client_close(&c);
    start("ihd-kbl-nohuc", "caps=lie_create");
    client_settings settings = settings_for("ihd-kbl-nohuc", false);
    VAConfigAttrib rate = {VAConfigAttribRateControl, 0};
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    vaGetConfigAttributes(c.display, settings.profile, c.entrypoint, &rate, 1);
    EXPECT(rate.value & VA_RC_CBR, "CBR is advertised: %#x", rate.value);
    client_close(&c);
    settings.rate_control = VA_RC_CBR;
    settings.bits_per_second = 200000;
    EXPECT(!client_open(&c, &settings) && c.status == VA_STATUS_ERROR_INVALID_VALUE, "and refused: %d", c.status);
    client_close(&c);
    start("ihd-kbl-nohuc", "caps=lie_code");
    EXPECT(client_open(&c, &settings) && client_encode(&c) && c.stream_size == 0, "or taken, and nothing comes");
    client_close(&c);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/// Ends a picture and does not sync.
static void submit(client *c) {
    EXPECT(client_render(c) && vaEndPicture(c->display, c->context) == VA_STATUS_SUCCESS, "the picture is taken");
}

static void pictures_in_flight(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", "code:1=+600ms");
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    double before = seconds();
    submit(&c);
    EXPECT(seconds() - before < 0.5, "EndPicture does not wait");
    VASurfaceStatus status = VASurfaceReady;
    vaQuerySurfaceStatus(c.display, c.inputs[0], &status);
    EXPECT(status == VASurfaceRendering, "%d", status);
    EXPECT(vaSyncBuffer(c.display, c.coded, 10000000) == VA_STATUS_ERROR_TIMEDOUT, "10 ms are not enough");
    EXPECT(vaSyncBuffer(c.display, c.coded, VA_TIMEOUT_INFINITE) == VA_STATUS_SUCCESS, "it comes");
    EXPECT(seconds() - before > 0.59, "after 600 ms");
    EXPECT(vaSyncBuffer(c.display, VA_INVALID_ID, 0) == VA_STATUS_ERROR_INVALID_BUFFER, "as FFmpeg asks");
    EXPECT(softva_count(SOFTVA_MISUSES) == 0, "%s", whole_report());
    client_close(&c);

    start("strict", NULL);
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    submit(&c);
    void *data;
    VAImage image;
    EXPECT(vaMapBuffer(c.display, c.coded, &data) == VA_STATUS_SUCCESS, "the map waits");
    EXPECT(reported("read before a sync"), "%s", whole_report());
    EXPECT(vaMapBuffer(c.display, c.coded, &data) == VA_STATUS_SUCCESS && reported("mapped already"), "%s", whole_report());
    vaUnmapBuffer(c.display, c.coded);
    vaUnmapBuffer(c.display, c.coded);
    EXPECT(vaUnmapBuffer(c.display, c.coded) != VA_STATUS_SUCCESS && reported("not mapped"), "%s", whole_report());
    EXPECT(vaDeriveImage(c.display, c.inputs[0], &image) == VA_STATUS_SUCCESS, "derives");
    vaMapBuffer(c.display, image.buf, &data);
    EXPECT(reported("the derived image's surface is in flight"), "%s", whole_report());
    vaBeginPicture(c.display, c.context, c.inputs[1]);
    vaBeginPicture(c.display, c.context, c.inputs[0]);
    vaBeginPicture(c.display, c.context, c.reconstructions[0]);
    EXPECT(reported("the picture before was not ended") && reported("vaBeginPicture: the surface is in flight") &&
               reported("a derived image of the input surface is still mapped"), "%s", whole_report());
    vaUnmapBuffer(c.display, image.buf);
    vaDestroyImage(c.display, image.image_id);
    vaDestroySurfaces(c.display, c.inputs, 1);
    EXPECT(reported("vaDestroySurfaces: the surface is in flight"), "%s", whole_report());
    EXPECT(vaSyncSurface(c.display, c.inputs[0]) == VA_STATUS_ERROR_INVALID_SURFACE &&
               reported("surface: used after it was destroyed"), "%s", whole_report());
    c.inputs[0] = 0;  // the others are left alive
    EXPECT(vaEndPicture(c.display, c.context) != VA_STATUS_SUCCESS, "no parameters");
    EXPECT(vaEndPicture(c.display, c.context) != VA_STATUS_SUCCESS && reported("vaEndPicture: no picture was begun"),
           "%s", whole_report());
    client_close(&c);
    EXPECT(softva_count(SOFTVA_LEAKS) == 5 && reported("leak surface"), "%zu\n%s", softva_count(SOFTVA_LEAKS),
           whole_report());
}

static void *render_slowly(void *argument) {
    client *c = argument;
    vaRenderPicture(c->display, c->context, c->buffers, 0);
    return NULL;
}

static void one_at_a_time(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", "render=+600ms");
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    vaBeginPicture(c.display, c.context, c.inputs[0]);
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, render_slowly, &c) == 0, "a thread");
    const struct timespec while_it_renders = {0, 100000000};
    nanosleep(&while_it_renders, NULL);
    EXPECT(softva_count(SOFTVA_MISUSES) == 0, "%s", whole_report());
    vaEndPicture(c.display, c.context);
    pthread_join(thread, NULL);
    EXPECT(reported("two threads in one context"), "%s", whole_report());
    client_close(&c);

    settings = settings_for("ihd-tgl", false);
    start("ihd-tgl", NULL);
    VABufferID other;
    EXPECT(client_open(&c, &settings) &&
               vaCreateBuffer(c.display, c.context, VAEncCodedBufferType, 1 << 16, 1, NULL, &other) == VA_STATUS_SUCCESS,
           "%s", vaErrorStr(c.status));
    submit(&c);
    VABufferID first = c.coded;
    c.coded = other;
    c.picture = 1;
    submit(&c);
    VACodedBufferSegment *segments[2];
    vaSyncSurface(c.display, c.inputs[1]);
    vaMapBuffer(c.display, first, (void **)&segments[0]);
    EXPECT(softva_count(SOFTVA_MISUSES) == 0, "%s", whole_report());
    vaMapBuffer(c.display, other, (void **)&segments[1]);
    EXPECT(segments[0] == segments[1] && reported("the driver has one segment"), "%s", whole_report());
    vaUnmapBuffer(c.display, first);
    vaUnmapBuffer(c.display, other);
    vaDestroyBuffer(c.display, first);
    client_close(&c);
    EXPECT(softva_count(SOFTVA_LEAKS) == 0, "%s", whole_report());
}

int main(void) {
    every_personality();
    entrypoints();
    statuses();
    later_pictures();
    coded_buffers();
    pictures_in_flight();
    one_at_a_time();
    rates();
    endless_filler();
    far_orders();
    equal_orders();
    odd_buffers();
    cut_headers();
    shared_memory();
    hostile_counts();
    lone_descriptor();
    whole_table();
    stale_ids();
    child_process();
    types_of_buffers();
    buffers_of_other_contexts();
    buffers_without_context();
    destroyed_while_waiting();
    shown_sizes();
    other_depths();
    syncs_of_contexts();
    failed_references();
    rules_of_streams();
    losses();
    mapped_too_long();
    lines_of_reports();
    report_files();
    recon_files();
    grammar_of_faults();
    largest_frames();
    headers_of_mesa();
    parameters_of_mesa();
    regions_of_mesa();
    slices_of_bytes();
    sizes_of_slices();
    printf("contract: %d checks, %d failed\n", checks, failures);
    return failures != 0;
}
