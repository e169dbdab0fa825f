// SPDX-License-Identifier: MIT
// A largest size of slices, by which a driver divides them.
#include <softva.h>
#include <string.h>
#include <va/va.h>

#include "contract.h"

/// Counts the slices of a stream and finds the largest, in bytes with a start code of four.
static int slices_of(const client *c, size_t *largest) {
    int count = 0;
    size_t last = 0;
    *largest = 0;
    for (size_t i = 0; i <= c->stream_size; i++) {
        bool begins = i + 4 < c->stream_size && memcmp(c->stream + i, "\0\0\0\1", 4) == 0;
        if (!begins && i < c->stream_size) continue;
        unsigned type = c->stream[last + 4] & 31;
        if (i > 0 && (type == 1 || type == 5)) {
            count++;
            if (i - last > *largest) *largest = i - last;
        }
        last = i;
    }
    return count;
}

static void encode_slices(const char *personality, client_settings settings, const char *what) {
    client c;
    char why[160] = "";
    size_t largest = 0;
    settings.slices = 1;
    settings.qp = 22;
    settings.max_slice_bytes = 900;
    start(personality, NULL);
    bool done = client_open(&c, &settings) && client_encode_all(&c) && client_matches(&c, why);
    EXPECT(done, "%s, %s: %s %s", personality, what, vaErrorStr(c.status), why);
    int count = done ? slices_of(&c, &largest) : 0;
    // A picture whose blocks all fit in 900 bytes has no reason for two slices; the first of each plan has many.
    EXPECT(count >= settings.pictures + 3 && largest <= 900, "%s, %s: %d slices, the largest of %zu bytes", personality,
           what, count, largest);
    client_close(&c);
    EXPECT(softva_count(SOFTVA_VIOLATIONS) == 0 && softva_count(SOFTVA_MISUSES) == 0, "%s, %s:\n%s", personality, what,
           whole_report());
}

/// What decoders show is what was reconstructed, whoever writes the headers.
void slices_of_bytes(void) {
    static const VAProfile profiles[] = {VAProfileH264ConstrainedBaseline, VAProfileH264High};
    for (int i = 0; i < 2; i++) {
        client_settings settings = settings_for("strict", false);
        settings.width = 126;
        settings.height = 94;
        settings.profile = profiles[i];
        settings.b_pictures = i > 0;
        encode_slices("strict", settings, "packed headers");
        settings.escaped = true;
        encode_slices("strict", settings, "escaped headers");
        settings.packed = 0x3;
        encode_slices("strict", settings, "the driver's slice headers");
        encode_slices("ihd-tgl", settings_for("ihd-tgl", false), "packed headers");
    }
}

/// Who takes a largest size, and which.
void sizes_of_slices(void) {
    static const struct {
        const char *personality;
        bool hevc;
        uint32_t bytes;
        int slices;
        const char *violation;
        VAStatus status;
    } rows[] = {
        {"strict", false, 151, 1, NULL, VA_STATUS_SUCCESS},
        {"ihd-tgl", false, 65535, 1, NULL, VA_STATUS_SUCCESS},
        {"strict", false, 150, 1, "max_slice_size", VA_STATUS_SUCCESS},
        {"strict", false, 65536, 1, "max_slice_size", VA_STATUS_SUCCESS},
        {"strict", false, 1000, 2, "max_slice_size", VA_STATUS_SUCCESS},
        {"ihd-tgl", true, 1000, 1, "max_slice_size", VA_STATUS_ERROR_INVALID_BUFFER},
        {"strict", true, 1000, 1, "misc.type", VA_STATUS_ERROR_INVALID_BUFFER},
        {"i965", false, 1000, 1, "misc.type", VA_STATUS_ERROR_INVALID_BUFFER},
        {"radeonsi-old", false, 1000, 1, "misc.type", VA_STATUS_SUCCESS},
        {"radeonsi-new", false, 1000, 1, "misc.type", VA_STATUS_SUCCESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        client c;
        client_settings settings = settings_for(rows[i].personality, rows[i].hevc);
        settings.slices = rows[i].slices;
        settings.max_slice_bytes = rows[i].hevc ? 0 : rows[i].bytes;
        start(rows[i].personality, NULL);
        bool rendered = client_open(&c, &settings) && client_render(&c);
        if (rows[i].hevc) c.status = send_misc(&c, VAEncMiscParameterTypeMaxSliceSize, rows[i].bytes);
        VAStatus status = c.status;
        EXPECT((rendered || !rows[i].hevc) && status == rows[i].status, "row %zu: %s", i, vaErrorStr(status));
        vaEndPicture(c.display, c.context);
        char line[64] = "";
        if (rows[i].violation) snprintf(line, sizeof line, "violation %s: ", rows[i].violation);
        EXPECT(rows[i].violation ? strstr(whole_report(), line) != NULL : softva_count(SOFTVA_VIOLATIONS) == 0,
               "row %zu:\n%s", i, whole_report());
        client_close(&c);
    }
}
