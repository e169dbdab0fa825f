// SPDX-License-Identifier: MIT
// Profiles, entry points, attributes and configurations.
#ifndef SOFTVA_CONFIG_H
#define SOFTVA_CONFIG_H

#include "softva_driver.h"

#define SV_MAX_PROFILES 8

VAStatus sv_query_profiles(sv_driver *driver, VAProfile *profiles, int *count);
VAStatus sv_query_entrypoints(sv_driver *driver, VAProfile profile, VAEntrypoint *entrypoints, int *count);
VAStatus sv_get_attributes(sv_driver *driver, VAProfile profile, VAEntrypoint entrypoint, VAConfigAttrib *attributes,
                           int count);
VAStatus sv_create_config(sv_driver *driver, VAProfile profile, VAEntrypoint entrypoint, VAConfigAttrib *attributes,
                          int count, VAConfigID *id);
VAStatus sv_destroy_config(sv_driver *driver, VAConfigID id);
VAStatus sv_query_config(sv_driver *driver, VAConfigID id, VAProfile *profile, VAEntrypoint *entrypoint,
                         VAConfigAttrib *attributes, int *count);
VAStatus sv_query_surface_attributes(sv_driver *driver, VAConfigID id, VASurfaceAttrib *attributes, unsigned *count);

#endif
