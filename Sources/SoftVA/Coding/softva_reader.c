// SPDX-License-Identifier: MIT
#include "softva_reader.h"

void sv_reader_begin(sv_reader *reader, const uint8_t *data, size_t bits, bool escaped) {
    *reader = (sv_reader){.data = data, .bits = bits, .escaped = escaped};
}

static unsigned read_bit(sv_reader *reader) {
    size_t byte = reader->position / 8;
    if (reader->escaped && reader->position % 8 == 0 && byte >= 2 && reader->position + 8 <= reader->bits &&
        reader->data[byte] == 3 && reader->data[byte - 1] == 0 && reader->data[byte - 2] == 0) {
        reader->position += 8;
        byte++;
    }
    if (reader->position >= reader->bits) {
        reader->overrun = true;
        return 0;
    }
    unsigned bit = reader->data[byte] >> (7 - reader->position % 8) & 1;
    reader->position++;
    return bit;
}

uint32_t sv_read_u(sv_reader *reader, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; i++) value = value << 1 | read_bit(reader);
    return value;
}

uint32_t sv_read_ue(sv_reader *reader) {
    unsigned zeros = 0;
    while (!reader->overrun && read_bit(reader) == 0) {
        if (++zeros > 32) reader->overrun = true;
    }
    if (reader->overrun) return 0;
    uint64_t suffix = sv_read_u(reader, zeros);
    return (uint32_t)(((uint64_t)1 << zeros) - 1 + suffix);
}

int32_t sv_read_se(sv_reader *reader) {
    uint32_t code = sv_read_ue(reader);
    uint32_t magnitude = code / 2 + (code & 1);
    return code & 1 ? (int32_t)magnitude : (int32_t)(0u - magnitude);
}

bool sv_more_rbsp_data(const sv_reader *reader) {
    size_t last = reader->bits;
    while (last > reader->position) {
        last--;
        if (reader->data[last / 8] >> (7 - last % 8) & 1) break;
    }
    return last > reader->position;
}
