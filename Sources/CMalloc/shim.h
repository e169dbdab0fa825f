// SPDX-License-Identifier: MIT
// glibc's malloc.h, which Swift's Glibc module leaves out.
#include <malloc.h>
