// SPDX-License-Identifier: MIT
#ifndef SOFTVA_UNIMPLEMENTED_H
#define SOFTVA_UNIMPLEMENTED_H

#include <va/va_backend.h>
#include <va/va_backend_vpp.h>

/// Fills the entries of the tables that return VA_STATUS_ERROR_UNIMPLEMENTED.
void sv_fill_unimplemented(struct VADriverVTable *table, struct VADriverVTableVPP *processing);

#endif
