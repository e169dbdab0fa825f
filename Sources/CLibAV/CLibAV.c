#include "CLibAV.h"
