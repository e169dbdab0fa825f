// SPDX-License-Identifier: MIT
// Reads the packed headers of a picture and compares them, field by field, with its structures.
#ifndef SOFTVA_HEADERS_H
#define SOFTVA_HEADERS_H

#include "softva_work.h"

/// What the parameter sets of a stream said; freed with free(). NULL: out of memory.
struct sv_header_state *sv_headers_new(void);

/// Reports where packed headers break a rule or disagree with the structures; sets the picture's crop. Those that a
/// driver replaces need not be whole.
void sv_headers_check(sv_work *work, bool are_replaced);

#endif
