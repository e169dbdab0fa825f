// SPDX-License-Identifier: MIT
// Rules that tie one picture to those before it, and surfaces that are not of the coded size.
#include <softva.h>
#include <string.h>
#include <va/va.h>
#include <va/va_enc_h264.h>
#include <va/va_enc_hevc.h>

#include "contract.h"

static bool named(const char *field) {
    char line[96];
    snprintf(line, sizeof line, "violation %s: ", field);
    return strstr(whole_report(), line) != NULL;
}

/// Reconstructions of the shown size: what lies beyond it was coded all the same, and is referred to.
void shown_sizes(void) {
    for (int kind = 0; kind < 3; kind++) {
        client c;
        client_settings settings = client_defaults(kind > 0);
        settings.ten_bit = kind == 2;
        if (settings.ten_bit) settings.profile = VAProfileHEVCMain10;
        unsigned format = settings.ten_bit ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        vaDestroySurfaces(c.display, c.reconstructions, settings.pictures);
        vaCreateSurfaces(c.display, format, (unsigned)settings.width, (unsigned)settings.height, c.reconstructions,
                         (unsigned)settings.pictures, NULL, 0);
        char why[160] = "";
        EXPECT(client_encode_all(&c) && client_matches(&c, why), "%d: %s %s", kind, vaErrorStr(c.status), why);
        client_close(&c);
        EXPECT(softva_count(SOFTVA_VIOLATIONS) == 0, "%s", whole_report());
    }
}

/// A second context of the same display with surfaces of its own; closed by close_other().
static bool open_other(const client *c, client *other, bool ten_bit) {
    *other = *c;
    client_settings *settings = &other->settings;
    settings->ten_bit = ten_bit;
    if (ten_bit) settings->profile = VAProfileHEVCMain10;
    unsigned format = ten_bit ? VA_RT_FORMAT_YUV420_10 : VA_RT_FORMAT_YUV420;
    VAConfigAttrib wanted[2] = {{VAConfigAttribRTFormat, format}, {VAConfigAttribEncPackedHeaders, settings->packed}};
    return !vaCreateConfig(c->display, settings->profile, c->entrypoint, wanted, 2, &other->config) &&
           !vaCreateSurfaces(c->display, format, 64, 48, other->inputs, MAX_PICTURES, NULL, 0) &&
           !vaCreateSurfaces(c->display, format, 64, 48, other->reconstructions, MAX_PICTURES, NULL, 0) &&
           !vaCreateContext(c->display, other->config, 64, 48, VA_PROGRESSIVE, NULL, 0, &other->context) &&
           !vaCreateBuffer(c->display, other->context, VAEncCodedBufferType, 1 << 17, 1, NULL, &other->coded);
}

static void close_other(client *other) {
    vaDestroyBuffer(other->display, other->coded);
    vaDestroyContext(other->display, other->context);
    vaDestroySurfaces(other->display, other->inputs, MAX_PICTURES);
    vaDestroySurfaces(other->display, other->reconstructions, MAX_PICTURES);
    vaDestroyConfig(other->display, other->config);
}

/// A picture of eight bits is no reference for one of ten.
void other_depths(void) {
    client c, other;
    client_settings settings = client_defaults(true);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings) && client_encode(&c) && open_other(&c, &other, true), "%s", vaErrorStr(c.status));
    other.picture = 0;
    EXPECT(client_code(&other), "%s", vaErrorStr(other.status));
    VASurfaceID own = other.reconstructions[0];
    other.reconstructions[0] = c.reconstructions[0];
    EXPECT(!client_code(&other) && other.status == VA_STATUS_ERROR_INVALID_PARAMETER && named("picture.reference_frames"),
           "%s\n%s", vaErrorStr(other.status), whole_report());
    other.reconstructions[0] = own;
    close_other(&other);
    client_close(&c);
}

/// The sync of a picture says nothing of other contexts' pictures.
void syncs_of_contexts(void) {
    client c, other;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings) && open_other(&c, &other, false), "%s", vaErrorStr(c.status));
    // Both read the same surface.
    VASurfaceID own = other.inputs[0];
    other.inputs[0] = c.inputs[0];
    EXPECT(client_render(&c) && !vaEndPicture(c.display, c.context) && client_render(&other) &&
               !vaEndPicture(other.display, other.context), "two pictures");
    EXPECT(softva_count(SOFTVA_MISUSES) == 0, "%s", whole_report());
    vaSyncSurface(other.display, other.inputs[0]);
    size_t before = softva_count(SOFTVA_MISUSES);
    void *data;
    EXPECT(!vaMapBuffer(c.display, c.coded, &data) && softva_count(SOFTVA_MISUSES) == before + 1, "%s", whole_report());
    vaUnmapBuffer(c.display, c.coded);
    EXPECT(!vaMapBuffer(c.display, other.coded, &data) && softva_count(SOFTVA_MISUSES) == before + 1, "%s", whole_report());
    vaUnmapBuffer(c.display, other.coded);
    other.inputs[0] = own;
    close_other(&other);
    client_close(&c);
}

/// A picture that could not be encoded is no reference, whether that is known when it is referred to or not.
void failed_references(void) {
    for (int early = 0; early < 2; early++) {
        client c;
        client_settings settings = client_defaults(false);
        start("strict", early ? "code:2=+200ms,code:2=encoding_error" : "code:2=encoding_error");
        EXPECT(client_open(&c, &settings) && client_encode(&c), "%s", vaErrorStr(c.status));
        if (early) {
            client_render(&c);
            vaEndPicture(c.display, c.context);
        } else {
            EXPECT(!client_encode(&c), "the fault strikes");
        }
        c.picture = 2;
        bool taken = client_code(&c);
        EXPECT(taken == early && named("picture.reference_frames"), "%d, %s\n%s", taken, vaErrorStr(c.status),
               whole_report());
        client_close(&c);
    }
}

/// A change of one structure at one picture, and the field that is named for it.
typedef struct {
    const char *field;
    bool hevc;
    int picture;
    VABufferType type;
    void (*change)(void *data);
} Rule;

#define CHANGE(name, structure, statement)     \
    static void name(void *data) {             \
        structure *s = data;                   \
        statement;                             \
    }
CHANGE(low_level_h264, VAEncSequenceParameterBufferH264, s->level_idc = 1)
CHANGE(no_level_h264, VAEncSequenceParameterBufferH264, s->level_idc = 255)
CHANGE(skip_frame_num, VAEncPictureParameterBufferH264, s->frame_num++; s->CurrPic.frame_idx++)
CHANGE(no_idr_h264, VAEncPictureParameterBufferH264, s->pic_fields.bits.idr_pic_flag = 0)
CHANGE(end_h264, VAEncPictureParameterBufferH264, s->last_picture = H264_LAST_PICTURE_EOSEQ)
CHANGE(no_level_hevc, VAEncSequenceParameterBufferHEVC, s->general_level_idc = 99)
CHANGE(no_idr_hevc, VAEncPictureParameterBufferHEVC, s->nal_unit_type = 1; s->pic_fields.bits.idr_pic_flag = 0)
CHANGE(end_hevc, VAEncPictureParameterBufferHEVC, s->last_picture = 1)
CHANGE(more_references, VAEncSliceParameterBufferHEVC,
       if (s->slice_type != 2) s->slice_fields.bits.num_ref_idx_active_override_flag = 0;
       s->num_ref_idx_l0_active_minus1 = 3)

static const Rule rules[] = {
    {"seq.level_idc", false, 0, VAEncSequenceParameterBufferType, low_level_h264},
    {"seq.level_idc", false, 0, VAEncSequenceParameterBufferType, no_level_h264},
    {"picture.frame_num", false, 1, VAEncPictureParameterBufferType, skip_frame_num},
    {"picture.idr", false, 0, VAEncPictureParameterBufferType, no_idr_h264},
    {"picture.last_picture", false, 5, VAEncPictureParameterBufferType, end_h264},
    {"seq.general_level_idc", true, 0, VAEncSequenceParameterBufferType, no_level_hevc},
    {"picture.idr", true, 0, VAEncPictureParameterBufferType, no_idr_hevc},
    {"picture.last_picture", true, 5, VAEncPictureParameterBufferType, end_hevc},
    {"slice.num_ref_idx_l0_active_minus1", true, 1, VAEncSliceParameterBufferType, more_references},
};

/// Makes a packed SPS one of Baseline without constraint_set1_flag.
static void drop_constraint(client *c, VABufferType type, void *data, unsigned size) {
    (void)c;
    uint8_t *bytes = data;
    if (type == VAEncPackedHeaderDataBufferType && size > 6 && (bytes[4] & 31) == 7) bytes[6] &= 0xbf;
}

static void apply_rule(client *c, VABufferType type, void *data, unsigned size) {
    (void)size;
    const Rule *rule = c->change_context;
    if (c->picture == rule->picture && type == rule->type) rule->change(data);
}

void rules_of_streams(void) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        client c;
        client_settings settings = client_defaults(rules[i].hevc);
        settings.slices = 1;
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        c.change = apply_rule;
        c.change_context = (void *)&rules[i];
        client_encode_all(&c);
        EXPECT(named(rules[i].field), "%s %zu: %s", rules[i].field, i, whole_report());
        client_close(&c);
    }
    // Levels allow a largest picture.
    client c;
    client_settings large = client_defaults(false);
    large.width = 1920;
    large.height = 1088;
    large.pictures = 1;
    start("strict", NULL);
    EXPECT(client_open(&c, &large), "%s", vaErrorStr(c.status));
    client_code(&c);
    EXPECT(named("seq.level_idc"), "%s", whole_report());
    client_close(&c);
    for (int hevc = 0; hevc < 2; hevc++) {
        // A sequence of another size that comes with a P picture.
        client_settings plain = client_defaults(hevc);
        start("strict", NULL);
        EXPECT(client_open(&c, &plain) && client_code(&c), "%s", vaErrorStr(c.status));
        c.repeats_sequence = true;
        c.coded_width = c.settings.width = 48;
        EXPECT(client_code(&c) && named("seq.picture_size"), "%s\n%s", vaErrorStr(c.status), whole_report());
        client_close(&c);
        client_settings bare = client_defaults(hevc);
        bare.packed = 0;
        bare.pictures = 1;
        start("strict", NULL);
        EXPECT(client_open(&c, &bare) && client_code(&c) && named("packed"), "%s\n%s", vaErrorStr(c.status), whole_report());
        client_close(&c);
    }
    client_settings baseline = client_defaults(false);
    baseline.profile = VAProfileH264ConstrainedBaseline;
    baseline.b_pictures = false;
    start("strict", NULL);
    EXPECT(client_open(&c, &baseline), "%s", vaErrorStr(c.status));
    c.change = drop_constraint;
    EXPECT(client_code(&c) && named("sps.constraint_set1_flag"), "%s", whole_report());
    client_close(&c);
    client_settings optional = client_defaults(true);
    optional.packed = 0x3;
    optional.optional_syntax = true;
    start("strict", NULL);
    EXPECT(client_open(&c, &optional) && client_code(&c) && named("pps.cabac_init_present_flag") &&
               named("pps.deblocking_filter_override_enabled_flag"), "%s", whole_report());
    client_close(&c);
    // Slices of whole rows, where only those are offered.
    client_settings rows = client_defaults(true);
    rows.width = 126;
    rows.height = 94;
    rows.tree = 6;
    rows.single = true;
    rows.b_pictures = false;
    start("radeonsi-old", NULL);
    EXPECT(client_open(&c, &rows), "%s", vaErrorStr(c.status));
    c.settings.slices = 3;
    client_code(&c);
    EXPECT(named("slice.num_ctu_in_slice"), "%s", whole_report());
    client_close(&c);
    // A reference picture set of the SPS that is further away than a number can say.
    static const uint32_t far[] = {32768, INT32_MAX, UINT32_MAX - 1};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        client_settings settings = client_defaults(true);
        settings.far_set = far[i];
        start("strict", NULL);
        EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
        client_code(&c);
        EXPECT(named("sps.st_ref_pic_set"), "%s", whole_report());
        client_close(&c);
    }
}

/// After the loss of a device everything is given back, and nobody is blamed for what is still in flight or mapped.
void losses(void) {
    static const char *const faults[] = {"sync:1=lost", "render:2=lost", "createbuffer:9=lost", "map:2=lost", "endpicture:2=lost",
                                         "begin:2=lost"};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        client c;
        client_settings settings = client_defaults(false);
        start("strict", faults[i]);
        EXPECT(client_open(&c, &settings) && !client_encode_all(&c), "%s strikes", faults[i]);
        int count;
        VADisplayAttribute attributes[1];
        EXPECT(vaQueryDisplayAttributes(c.display, attributes, &count) == VA_STATUS_ERROR_OPERATION_FAILED, "%s", faults[i]);
        client_close(&c);
        EXPECT(softva_count(SOFTVA_MISUSES) == 0 && softva_count(SOFTVA_LEAKS) == 0, "%s:\n%s", faults[i], whole_report());
    }
}

/// Images and coded buffers that are mapped when they should not be.
void mapped_too_long(void) {
    client c;
    client_settings settings = client_defaults(false);
    start("strict", NULL);
    EXPECT(client_open(&c, &settings) && client_encode(&c), "%s", vaErrorStr(c.status));
    VAImage image;
    void *data;
    // Between Begin and End, too.
    client_render(&c);
    vaDeriveImage(c.display, c.inputs[1], &image);
    vaMapBuffer(c.display, image.buf, &data);
    vaEndPicture(c.display, c.context);
    EXPECT(strstr(whole_report(), "vaEndPicture: a derived image of the input surface is still mapped"), "%s",
           whole_report());
    vaSyncSurface(c.display, c.inputs[1]);
    vaDestroyImage(c.display, image.image_id);
    softva_reset();
    vaDeriveImage(c.display, c.reconstructions[0], &image);
    vaMapBuffer(c.display, image.buf, &data);
    EXPECT(softva_count(SOFTVA_MISUSES) == 0, "%s", whole_report());
    vaMapBuffer(c.display, image.buf, &data);
    EXPECT(strstr(whole_report(), "vaMapBuffer: the buffer is mapped already"), "%s", whole_report());
    EXPECT(client_code(&c) && strstr(whole_report(), "a derived image of a reference is mapped"), "%s", whole_report());
    vaUnmapBuffer(c.display, image.buf);
    vaUnmapBuffer(c.display, image.buf);
    EXPECT(vaGetImage(c.display, c.reconstructions[0], 2, 0, 40, 40, image.image_id) == VA_STATUS_ERROR_INVALID_IMAGE &&
               strstr(whole_report(), "the image is derived from the surface"), "%s", whole_report());
    vaDestroyImage(c.display, image.image_id);
    client_close(&c);

    // Two images of a surface with tiles: both show them, and in the end nothing has changed.
    start("strict", "derive=tiled");
    EXPECT(client_open(&c, &settings), "%s", vaErrorStr(c.status));
    VAImage images[2];
    uint8_t *pixels[2], first[64];
    for (int i = 0; i < 2; i++) vaDeriveImage(c.display, c.inputs[0], &images[i]);
    vaMapBuffer(c.display, images[0].buf, (void **)&pixels[0]);
    memcpy(first, pixels[0], sizeof first);
    vaMapBuffer(c.display, images[1].buf, (void **)&pixels[1]);
    EXPECT(memcmp(pixels[1], first, sizeof first) == 0, "the second shows the same");
    for (int i = 0; i < 2; i++) vaDestroyImage(c.display, images[i].image_id);
    client_close(&c);

    settings = client_defaults(false);
    settings.width = 126;
    settings.height = 94;
    settings.b_pictures = false;
    start("ihd-tgl", NULL);
    EXPECT(client_open(&c, &settings) && client_code(&c) && !vaMapBuffer(c.display, c.coded, &data), "%s",
           vaErrorStr(c.status));
    vaDestroyContext(c.display, c.context);
    EXPECT(strstr(whole_report(), "its segment is the context's"), "%s", whole_report());
    size_t before = softva_count(SOFTVA_MISUSES);
    vaUnmapBuffer(c.display, c.coded);
    EXPECT(softva_count(SOFTVA_MISUSES) == before, "nobody named the context: %s", whole_report());
    c.context = VA_INVALID_ID;
    client_close(&c);
}
