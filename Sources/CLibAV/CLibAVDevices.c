// SPDX-License-Identifier: MIT
#include "CLibAVDevices.h"

#include "CLibAV.h"
#include "Libraries.h"

static CLibAVDevices functions;

enum { index_avdevice, index_avformat };

static bool fill(Failure *failure) {
    static const Library libraries[] = {LIBRARY(avdevice, AVDEVICE), LIBRARY(avformat, AVFORMAT)};
    if (!clibav_load(failure->text, sizeof failure->text))
        return false;
    void *handles[] = {open_library(&libraries[index_avdevice], failure), open_library(&libraries[index_avformat], failure)};
    if (!handles[index_avdevice] || !handles[index_avformat])
        return false;
#define FILL(name_of_library, name) FILL_MEMBER_OF(functions, name_of_library, name)
    CLIBAV_DEVICE_FUNCTIONS(FILL)
#undef FILL
    functions.avdevice_register_all();
    return true;
}

DEFINE_ACCESSOR(clibav_load_devices, CLibAVDevices, functions, fill)
