// SPDX-License-Identifier: MIT
#include "CLibAV.h"
