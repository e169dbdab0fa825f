// SPDX-License-Identifier: MIT
// Calls of the table that softva leaves to others: display, subpictures, video processing. libva calls most of them
// without asking whether they are there.
#include "softva_unimplemented.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define UNIMPLEMENTED(name, ...) \
    static VAStatus name(VADriverContextP c, __VA_ARGS__) { return VA_STATUS_ERROR_UNIMPLEMENTED; }

UNIMPLEMENTED(query_surface_error, VASurfaceID surface, VAStatus status, void **info)
UNIMPLEMENTED(put_surface, VASurfaceID surface, void *drawable, short x, short y, unsigned short width,
              unsigned short height, short to_x, short to_y, unsigned short to_width, unsigned short to_height,
              VARectangle *clips, unsigned count, unsigned flags)
UNIMPLEMENTED(set_image_palette, VAImageID image, unsigned char *palette)
UNIMPLEMENTED(create_subpicture, VAImageID image, VASubpictureID *id)
UNIMPLEMENTED(destroy_subpicture, VASubpictureID id)
UNIMPLEMENTED(set_subpicture_image, VASubpictureID id, VAImageID image)
UNIMPLEMENTED(set_subpicture_chromakey, VASubpictureID id, unsigned least, unsigned most, unsigned mask)
UNIMPLEMENTED(set_subpicture_alpha, VASubpictureID id, float alpha)
UNIMPLEMENTED(associate_subpicture, VASubpictureID id, VASurfaceID *targets, int count, short x, short y,
              unsigned short width, unsigned short height, short to_x, short to_y, unsigned short to_width,
              unsigned short to_height, unsigned flags)
UNIMPLEMENTED(deassociate_subpicture, VASubpictureID id, VASurfaceID *targets, int count)
UNIMPLEMENTED(display_attributes, VADisplayAttribute *list, int count)
UNIMPLEMENTED(lock_surface, VASurfaceID surface, unsigned *fourcc, unsigned *luma_pitch, unsigned *u_pitch,
              unsigned *v_pitch, unsigned *luma, unsigned *u, unsigned *v, unsigned *name, void **buffer)
UNIMPLEMENTED(unlock_surface, VASurfaceID surface)
UNIMPLEMENTED(get_surface_attributes, VAConfigID config, VASurfaceAttrib *list, unsigned count)
UNIMPLEMENTED(acquire_buffer, VABufferID buffer, VABufferInfo *info)
UNIMPLEMENTED(release_buffer, VABufferID buffer)
UNIMPLEMENTED(create_group, VAMFContextID *id)
UNIMPLEMENTED(change_group, VAMFContextID id, VAContextID context)
UNIMPLEMENTED(submit_group, VAMFContextID id, VAContextID *contexts, int count)
UNIMPLEMENTED(create_buffer2, VAContextID context, VABufferType type, unsigned width, unsigned height,
              unsigned *unit_size, unsigned *pitch, VABufferID *id)
UNIMPLEMENTED(query_processing_rate, VAConfigID config, VAProcessingRateParameter *parameters, unsigned *rate)
UNIMPLEMENTED(copy, VACopyObject *to, VACopyObject *from, VACopyOption option)
UNIMPLEMENTED(query_filters, VAContextID context, VAProcFilterType *list, unsigned *count)
UNIMPLEMENTED(query_filter_caps, VAContextID context, VAProcFilterType type, void *list, unsigned *count)
UNIMPLEMENTED(query_pipeline_caps, VAContextID context, VABufferID *filters, unsigned count, VAProcPipelineCaps *caps)

void sv_fill_unimplemented(struct VADriverVTable *table, struct VADriverVTableVPP *processing) {
    table->vaQuerySurfaceError = query_surface_error;
    table->vaPutSurface = put_surface;
    table->vaSetImagePalette = set_image_palette;
    table->vaCreateSubpicture = create_subpicture;
    table->vaDestroySubpicture = destroy_subpicture;
    table->vaSetSubpictureImage = set_subpicture_image;
    table->vaSetSubpictureChromakey = set_subpicture_chromakey;
    table->vaSetSubpictureGlobalAlpha = set_subpicture_alpha;
    table->vaAssociateSubpicture = associate_subpicture;
    table->vaDeassociateSubpicture = deassociate_subpicture;
    table->vaGetDisplayAttributes = display_attributes;
    table->vaSetDisplayAttributes = display_attributes;
    table->vaLockSurface = lock_surface;
    table->vaUnlockSurface = unlock_surface;
    table->vaGetSurfaceAttributes = get_surface_attributes;
    table->vaAcquireBufferHandle = acquire_buffer;
    table->vaReleaseBufferHandle = release_buffer;
    table->vaCreateMFContext = create_group;
    table->vaMFAddContext = change_group;
    table->vaMFReleaseContext = change_group;
    table->vaMFSubmit = submit_group;
    table->vaCreateBuffer2 = create_buffer2;
    table->vaQueryProcessingRate = query_processing_rate;
    table->vaCopy = copy;
    processing->vaQueryVideoProcFilters = query_filters;
    processing->vaQueryVideoProcFilterCaps = query_filter_caps;
    processing->vaQueryVideoProcPipelineCaps = query_pipeline_caps;
}
