// SPDX-License-Identifier: MIT
// A picture between BeginPicture and its completion: copies of everything the application has rendered.
#ifndef SOFTVA_WORK_H
#define SOFTVA_WORK_H

#include "softva_driver.h"

#define SV_MAX_SLICES 600
#define SV_MAX_UNITS 1024
#define SV_MAX_REFERENCES 64

typedef union {
    VAEncSliceParameterBufferH264 h264;
    VAEncSliceParameterBufferHEVC hevc;
} sv_slice_params;

/// A picture that may be referred to.
typedef struct {
    VASurfaceID id;
    sv_surface *surface;  // NULL: nothing usable was reconstructed in it
    sv_picture picture;   // its samples, of the coded size
} sv_reference;

struct sv_work {
    sv_work *next;
    uint64_t serial;
    sv_context *context;
    sv_codec codec;
    bool has_sequence, has_picture;  // rendered for this picture
    union {
        VAEncSequenceParameterBufferH264 h264;
        VAEncSequenceParameterBufferHEVC hevc;
    } sequence;
    union {
        VAEncPictureParameterBufferH264 h264;
        VAEncPictureParameterBufferHEVC hevc;
    } picture;

    sv_slice_params *params;  // of each slice
    sv_slice *slices;
    int slice_count, slice_capacity;
    sv_packed *units;  // packed headers in the order rendered, slice headers left out
    int unit_count, unit_capacity, units_taken;
    sv_packed slice_header;  // for the next slice
    bool has_packed_type;
    VAEncPackedHeaderParameterBuffer packed_type;  // for the next packed data

    VASurfaceID input_id;
    sv_surface *input, *reconstruction;
    sv_buffer *coded;
    sv_reference references[SV_MAX_REFERENCES];
    int reference_count;
    sv_region regions[SV_MAX_REGIONS];  // of interest
    int region_count;
    uint32_t max_slice_bytes;  // 0: slices are as large as they become
    int width, height;  // coded, luma samples
    unsigned crop[4];    // left, right, top, bottom: luma samples that decoders leave out
    int32_t poc;
    int order_bits;  // of slice_pic_order_cnt_lsb in the packed SPS, 0 if there was none
    unsigned idr;  // pictures since the context's start that are IDR
    sv_rate_settings rate;
    bool fast;
    sv_rate_type type;
    sv_fault fault;
};

sv_work *sv_work_new(sv_context *context);
void sv_work_free(sv_work *work);

/// Copies one rendered buffer into the picture and, where it sets something for longer, into its context.
VAStatus sv_work_take(sv_driver *driver, sv_work *work, const sv_buffer *buffer);

/// Adds a unit of the driver's own, with emulation prevention, behind those before the first slice; takes `data`
/// over.
bool sv_work_add_unit(sv_work *work, uint8_t *data, size_t count, uint32_t type);

/// Forgets the packed headers that the application has rendered, but for those of slices.
void sv_work_drop_units(sv_work *work);

#endif
