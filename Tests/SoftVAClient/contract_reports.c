// SPDX-License-Identifier: MIT
// What is reported, and the grammar of faults.
#include <pthread.h>
#include <softva.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <va/va.h>

#include "contract.h"

VAStatus send_misc(client *c, VAEncMiscParameterType type, uint32_t value) {
    uint32_t words[8] = {(uint32_t)type, value};
    VABufferID id;
    EXPECT(!vaCreateBuffer(c->display, c->context, VAEncMiscParameterBufferType, sizeof words, 1, words, &id), "a buffer");
    VAStatus status = vaRenderPicture(c->display, c->context, &id, 1);
    vaDestroyBuffer(c->display, id);
    return status;
}

/// Lines that differ in their numbers are one, and a field that is new is named after any number of them.
void lines_of_reports(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings) && !vaBeginPicture(c.display, c.context, c.inputs[0]), "%s", vaErrorStr(c.status));
    for (uint32_t level = 100; level < 500; level++) send_misc(&c, VAEncMiscParameterTypeQualityLevel, level);
    EXPECT(strcmp(whole_report(), "violation quality_level: 100 is over 7 (400)\n") == 0, "%s", whole_report());
    send_misc(&c, VAEncMiscParameterTypeFrameRate, 0);
    EXPECT(strstr(whole_report(), "violation framerate: "), "%s", whole_report());
    client_close(&c);
}

static size_t read_file(const char *path, char *text, size_t capacity) {
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, capacity - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    return size;
}

/// The path of a file that is not there yet.
static void new_path(char *path, size_t capacity, const char *name) {
    const char *folder = getenv("TMPDIR");
    snprintf(path, capacity, "%s/softva-%s-%ld", folder ? folder : "/tmp", name, (long)getpid());
    unlink(path);
}

/// The file has what was counted since a display was closed before it; counts go on.
void report_files(void) {
    char path[256], text[4096];
    new_path(path, sizeof path, "report");
    setenv("SOFTVA_REPORT", path, 1);
    client c[2];
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    for (int i = 0; i < 2; i++) EXPECT(client_open(&c[i], &settings) && client_encode(&c[i]), "%s", vaErrorStr(c[i].status));
    vaBeginPicture(c[0].display, c[0].context, c[0].inputs[0]);
    send_misc(&c[0], VAEncMiscParameterTypeQualityLevel, 99);
    for (int i = 0; i < 2; i++) client_close(&c[i]);
    unsetenv("SOFTVA_REPORT");
    char expected[256];
    snprintf(expected, sizeof expected,
             "violation quality_level: 99 is over 7 (1)\nmisuse vaDestroyContext: a picture was begun and not ended (1)\n"
             "pictures 2, strict, process %ld\npictures 0, strict, process %ld\n", (long)getpid(), (long)getpid());
    read_file(path, text, sizeof text);
    EXPECT(strcmp(text, expected) == 0, "%s", text);
    EXPECT(softva_count(SOFTVA_VIOLATIONS) == 1 && softva_count(SOFTVA_PICTURES) == 2, "%zu, %zu",
           softva_count(SOFTVA_VIOLATIONS), softva_count(SOFTVA_PICTURES));
    unlink(path);
}

static void *encode_alone(void *argument) {
    client *c = argument;
    client_settings settings = client_defaults(false);
    bool encoded = client_open(c, &settings) && client_encode_all(c);
    return encoded ? c : NULL;
}

/// Pictures of several displays in one file are not mixed up.
void recon_files(void) {
    enum { DISPLAYS = 3 };
    static char text[1 << 20];
    char path[256], index[sizeof path + 8];
    new_path(path, sizeof path, "recon");
    snprintf(index, sizeof index, "%s.index", path);
    setenv("SOFTVA_RECON", path, 1);
    start("strict", NULL);
    client c[DISPLAYS];
    pthread_t threads[DISPLAYS];
    for (int i = 0; i < DISPLAYS; i++) pthread_create(&threads[i], NULL, encode_alone, &c[i]);
    void *encoded[DISPLAYS];
    for (int i = 0; i < DISPLAYS; i++) pthread_join(threads[i], &encoded[i]);
    unsetenv("SOFTVA_RECON");
    size_t each = client_picture_size(&c[0]), size = read_file(path, text, sizeof text);
    EXPECT(encoded[0] && encoded[1] && encoded[2] && size == DISPLAYS * 6 * each, "%zu bytes", size);
    size_t known = 0;
    for (size_t at = 0; at + each <= size; at += each) {
        for (int i = 0; i < 6; i++) known += memcmp(text + at, c[0].shown[i], each) == 0;
    }
    EXPECT(known == DISPLAYS * 6, "%zu whole pictures", known);
    for (int i = 0; i < DISPLAYS; i++) client_close(&c[i]);
    unlink(path);
    unlink(index);
}

/// What the grammar does not know is refused as a whole.
void grammar_of_faults(void) {
    static const char *const wrong[] = {
        "map=size1", "nowhere=lost", "map:0=timeout", "caps=lost", "map", "code=tiled", "endpicture=encoding_error:17",
        "code=size0;sync=timeout", "sync=timeout!", "map=timeout=2", "map:2+x=timeout", "code=+5ms-", "sync=timeout\tmap=timeout",
        "sync=", "=lost", "sync=+-5ms", "sync=++5ms", "sync=+5", "map:-1=timeout", "map:+1=timeout", "map:=timeout",
        "map:1 =timeout", "caps:3=lie_code", "caps=+50ms", "SYNC=timeout", "sync=timeout,map"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) EXPECT(softva_set_fault(wrong[i]) == -1, "%s", wrong[i]);
    static const char *const right[] = {"", "sync=+50ms", "sync:2=+50ms,", "map:3+=timeout, sync=lost", "caps=lie_code"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) EXPECT(softva_set_fault(right[i]) == 0, "%s", right[i]);

    // Two rules for one call: a delay joins the first action. What struck is reported, what did not is not.
    client c;
    client_settings settings = client_defaults(false);
    start("strict", "code=+5ms,code:3=size0,code:3=encoding_error,code:99=size0");
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    for (int i = 0; i < 3; i++) client_code(&c);
    EXPECT(c.picture_sizes[1] > 0 && c.picture_sizes[2] == 0, "%zu and %zu bytes", c.picture_sizes[1], c.picture_sizes[2]);
    EXPECT(strcmp(whole_report(), "fault code=+5ms: struck (3)\nfault code:3=size0: struck (1)\n") == 0, "%s", whole_report());
    EXPECT(softva_count(SOFTVA_FAULTS) == 4, "%zu", softva_count(SOFTVA_FAULTS));
    client_close(&c);
}

/// A largest frame size is taken by those who offer it, and obeyed.
void largest_frames(void) {
    static const char *const names[] = {"strict", "i965"};
    for (int i = 0; i < 2; i++) {
        client c;
        client_settings settings = client_defaults(false);
        settings.width = 126;
        settings.height = 94;
        settings.b_pictures = false;
        settings.single = true;
        start(names[i], NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        VAConfigAttrib offer = {VAConfigAttribMaxFrameSize, 0};
        vaGetConfigAttributes(c.display, settings.profile, c.entrypoint, &offer, 1);
        vaBeginPicture(c.display, c.context, c.inputs[0]);
        send_misc(&c, VAEncMiscParameterTypeMaxFrameSize, 8000);
        bool named = strstr(whole_report(), "violation misc.type: ");
        EXPECT(i == 0 ? offer.value == 1 && !named : offer.value == VA_ATTRIB_NOT_SUPPORTED && named, "%s: %#x\n%s",
               names[i], offer.value, whole_report());
        client_close(&c);
    }
}
