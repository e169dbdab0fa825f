// SPDX-License-Identifier: MIT
// The order of pictures, and one picture through the coder.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "h264_stream.h"
#include "regions.h"

static const sv_picture *find_surface(void *context, VASurfaceID id) {
    h264_encoder *encoder = context;
    return id < H264_SURFACES && encoder->surfaces[id].memory ? &encoder->surfaces[id].picture : NULL;
}

static void note_violation(void *context, const char *field, const char *message) {
    h264_encoder *encoder = context;
    if (!encoder->violations++) snprintf(encoder->field, sizeof encoder->field, "%s", field);
    if (!encoder->options.fault) fprintf(stderr, "%s: %s\n", field, message);
}

static VAEncSliceParameterBufferH264 make_slice(h264_encoder *encoder, int type, int first, int count, int order) {
    uint64_t *random = &encoder->random;
    int largest = 16 << encoder->sequence.seq_fields.bits.log2_max_pic_order_cnt_lsb_minus4;
    VAEncSliceParameterBufferH264 slice = {
        .macroblock_address = (uint32_t)first,
        .num_macroblocks = (uint32_t)count,
        .macroblock_info = VA_INVALID_ID,
        .slice_type = (uint8_t)type,
        .idr_pic_id = (uint16_t)(encoder->period & 1),
        .pic_order_cnt_lsb = (uint16_t)(order & (largest - 1)),
        .direct_spatial_mv_pred_flag = 1,
        .cabac_init_idc = (uint8_t)h264_random_below(random, 3),
    };
    int qp = encoder->options.qp >= 0 ? encoder->options.qp : h264_random_below(random, 52);
    slice.slice_qp_delta = (int8_t)(qp - encoder->picture.pic_init_qp);
    if (encoder->picture.pic_fields.bits.deblocking_filter_control_present_flag && !encoder->options.gop) {
        slice.disable_deblocking_filter_idc = (uint8_t)h264_random_below(random, 3);
        slice.slice_alpha_c0_offset_div2 = (int8_t)(h264_random_below(random, 13) - 6);
        slice.slice_beta_offset_div2 = (int8_t)(h264_random_below(random, 13) - 6);
    }
    return slice;
}

/// A slice of the picture being encoded, and the bytes of its packed header.
typedef struct {
    VAEncSliceParameterBufferH264 params;
    uint8_t header[512];
} slice_memory;

/// Gives a slice its packed header, whose last byte may be incomplete.
static void pack_header(h264_encoder *encoder, slice_memory *memory, VAPictureH264 initial[2][16], sv_slice *slice) {
    VAEncPictureParameterBufferH264 picture = encoder->picture;
    VAEncSliceParameterBufferH264 params = memory->params;
    h264_spoil_header(encoder, &picture, &params);
    sv_output out = {.bytes = memory->header, .capacity = sizeof memory->header};
    sv_bits bits;
    sv_bits_begin(&bits, &out);
    h264_write_packed_slice_header(&encoder->sequence, &picture, &params, initial, &bits);
    unsigned unused = bits.pending ? 8 - bits.pending : 0;
    sv_bits_align(&bits, 0);
    slice->header = (sv_packed){
        .data = memory->header, .bits = out.count * 8 - unused, .has_emulation = true, .type = VAEncPackedHeaderSlice};
}

/// Divides the picture into slices of `type` and, if the stream mixes them, I slices; returns their number. P and B
/// slices are not mixed: FFmpeg 5.1 forgets list 1 when it deblocks a P slice next to a B slice.
static int divide(h264_encoder *encoder, int type, int order, slice_memory *memory, sv_slice *slices) {
    uint64_t *random = &encoder->random;
    int total = encoder->sequence.picture_width_in_mbs * encoder->sequence.picture_height_in_mbs;
    int count = encoder->options.gop || total < H264_SLICES ? 1 : 1 + h264_random_below(random, H264_SLICES);
    for (int i = 0, first = 0; i < count; i++) {
        int left = total - first, later = count - 1 - i;
        int length = later ? 1 + h264_random_below(random, left - later) : left;
        bool is_other = encoder->options.mixes_slices && type != SLICE_I && h264_random_below(random, 3) == 0;
        int slice_type = is_other ? SLICE_I : type;
        VAPictureH264 initial[2][16];
        memory[i].params = make_slice(encoder, slice_type, first, length, order);
        h264_initial_lists(encoder, slice_type, order, initial);
        if (slice_type != SLICE_I) h264_fill_lists(encoder, &memory[i].params, initial);
        slices[i] = (sv_slice){.params = &memory[i].params};
        encoder->has_b |= slice_type == SLICE_B;
        if (encoder->options.packs_headers) pack_header(encoder, &memory[i], initial, &slices[i]);
        first += length;
    }
    return count;
}

/// A surface that holds no reference.
static h264_surface *free_surface(h264_encoder *encoder) {
    h264_surface *surface = encoder->surfaces;
    while (surface->is_used) surface++;
    if (!surface->memory) {
        h264_surface_create(surface, encoder->options.input_width, encoder->options.input_height, &encoder->random);
    }
    return surface;
}

/// Makes the picture a reference; the sliding window drops the oldest one where there is no room.
static void keep(h264_encoder *encoder, h264_surface *surface, int order) {
    if (encoder->reference_count == encoder->options.reference_frames) {
        encoder->surfaces[encoder->references[0]].is_used = false;
        memmove(encoder->references, encoder->references + 1, sizeof(int) * (size_t)--encoder->reference_count);
    }
    surface->is_used = true;
    surface->frame_num = encoder->frame_num;
    surface->order = order;
    encoder->references[encoder->reference_count++] = (int)(surface - encoder->surfaces);
    int period = 16 << encoder->sequence.seq_fields.bits.log2_max_frame_num_minus4;
    encoder->frame_num = (encoder->frame_num + 1) % period;
}

static void fill_picture(
    h264_encoder *encoder, const h264_surface *surface, bool is_idr, bool is_reference, int order) {
    VAEncPictureParameterBufferH264 *picture = &encoder->picture;
    encoder->rotation = h264_random_below(&encoder->random, 16);
    picture->CurrPic = (VAPictureH264){.picture_id = (VASurfaceID)(surface - encoder->surfaces),
        .frame_idx = (uint32_t)encoder->frame_num, .TopFieldOrderCnt = order, .BottomFieldOrderCnt = order};
    picture->frame_num = (uint16_t)encoder->frame_num;
    picture->pic_fields.bits.idr_pic_flag = is_idr;
    picture->pic_fields.bits.reference_pic_flag = is_reference;
    for (int i = 0; i < 16; i++) {
        VAPictureH264 none = {.picture_id = VA_INVALID_SURFACE, .flags = VA_PICTURE_H264_INVALID};
        bool is_live = i < encoder->reference_count;
        picture->ReferenceFrames[i] = is_live ? h264_entry(encoder, encoder->references[i]) : none;
    }
}

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// Encodes the picture in the input, of type `type`.
static int encode_picture(h264_encoder *encoder, int type, bool is_idr, bool is_reference, int order) {
    h264_surface *surface = free_surface(encoder);
    fill_picture(encoder, surface, is_idr, is_reference, order);
    slice_memory memory[H264_SLICES];
    sv_slice slices[H264_SLICES];
    int count = divide(encoder, type, order, memory, slices);
    uint8_t sets[256];
    sv_output sets_out = {.bytes = sets, .capacity = sizeof sets};
    sv_bits bits;
    sv_bits_begin(&bits, &sets_out);
    h264_write_parameter_sets(&encoder->sequence, &encoder->picture, &encoder->options, &bits);
    sv_packed packed_sets = {
        .data = sets, .bits = sets_out.count * 8, .has_emulation = true, .type = VAEncPackedHeaderSequence};
    slices[0].before = is_idr ? &packed_sets : NULL;
    slices[0].before_count = is_idr;
    VAEncSequenceParameterBufferH264 sequence = encoder->sequence;
    VAEncPictureParameterBufferH264 picture;
    for (int i = 0; i < count; i++) {
        picture = encoder->picture;
        h264_spoil_structures(encoder, &sequence, &picture, &memory[i].params);
    }
    bool has_rate_control = encoder->options.qp < 0 && h264_random_below(&encoder->random, 2);
    sv_region regions[MAX_REGIONS];
    int region_count = encoder->options.qp >= 0 ? 0 : random_regions(encoder->random, encoder->input.picture.width,
        encoder->input.picture.height, 10, regions);
    sv_job job = {.sequence = &sequence, .picture = &picture, .slices = slices, .slice_count = count,
        .regions = regions, .region_count = region_count,
        .max_slice_bytes = (size_t)encoder->options.most_slice_bytes, .surfaces = {find_surface, NULL, encoder},
        .input = &encoder->input.picture, .reconstruction = &surface->picture,
        .qp = has_rate_control ? h264_random_below(&encoder->random, 52) : -1, .violation = note_violation,
        .violation_context = encoder};
    size_t before = encoder->bytes.count;
    double start = cpu_seconds();
    int status = softva_h264_encode(&job, &encoder->bytes);
    encoder->seconds += cpu_seconds() - start;
    if (status) return status;
    h264_promise(encoder, surface, order, encoder->bytes.count - before);
    if (is_reference) keep(encoder, surface, order);
    return 0;
}

/// Encodes the picture shown at `shown`.
static int encode_shown(h264_encoder *encoder, int shown, int idr, int type, bool is_reference) {
    h264_draw(encoder, shown);
    return encode_picture(encoder, type, type == SLICE_I && shown == idr, is_reference, 2 * (shown - idr));
}

/// A picture that starts over.
static int encode_idr(h264_encoder *encoder, int shown) {
    for (int i = 0; i < encoder->reference_count; i++) encoder->surfaces[encoder->references[i]].is_used = false;
    encoder->reference_count = 0;
    encoder->frame_num = 0;
    encoder->period++;
    return encode_shown(encoder, shown, shown, SLICE_I, true);
}

/// `count` pictures, the last of which is encoded first, the others as B.
static int encode_group(h264_encoder *encoder, int shown, int idr, int count) {
    const h264_options *options = &encoder->options;
    uint64_t *random = &encoder->random;
    int choice = h264_random_below(random, 8), type = choice < 6 || !options->uses_b ? SLICE_P : SLICE_B;
    if (options->gop) type = options->gop == 'I' ? SLICE_I : SLICE_P;
    if (choice == 7 && !options->gop) type = SLICE_I;
    bool is_reference = count > 1 || options->uses_order_type_2 || options->gop || h264_random_below(random, 4) > 0;
    int status = encode_shown(encoder, shown + count - 1, idr, type, is_reference);
    for (int i = 0; i + 1 < count && !status; i++) {
        bool is_kept = options->reference_frames > 2 && !options->gop && h264_random_below(random, 2);
        status = encode_shown(encoder, shown + i, idr, SLICE_B, is_kept);
    }
    return status;
}

int h264_encode_pictures(h264_encoder *encoder) {
    const h264_options *options = &encoder->options;
    int status = 0;
    for (int shown = 0, idr = 0; shown < options->frame_count && !status;) {
        if (shown == 0 || (!options->gop && h264_random_below(&encoder->random, 8) == 0)) {
            idr = shown;
            status = encode_idr(encoder, shown++);
            continue;
        }
        int count = options->gop == 'B' ? 3 : options->uses_b ? 1 + h264_random_below(&encoder->random, 3) : 1;
        if (count > options->frame_count - shown) count = options->frame_count - shown;
        status = encode_group(encoder, shown, idr, count);
        shown += count;
    }
    return status;
}
