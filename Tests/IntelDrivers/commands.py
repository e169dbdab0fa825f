# SPDX-License-Identifier: MIT
"""The commands of video engines that a driver made, read from the file that I915_SHIM_DUMP names; for drivers that place
objects themselves, as iHD does from tgl on. Commands that steer a batch are left out, and so are the bytes of headers,
which headers.py reads from the stream."""

from records import Record

# By the upper half of a command's first word; others go by that number.
NAMES = {
    0x7000: "MFX_PIPE_MODE_SELECT",
    0x7001: "MFX_SURFACE_STATE",
    0x7002: "MFX_PIPE_BUF_ADDR_STATE",
    0x7003: "MFX_IND_OBJ_BASE_ADDR_STATE",
    0x7004: "MFX_BSP_BUF_BASE_ADDR_STATE",
    0x7007: "MFX_QM_STATE",
    0x7008: "MFX_FQM_STATE",
    0x7080: "VDENC_PIPE_MODE_SELECT",
    0x7081: "VDENC_SRC_SURFACE_STATE",
    0x7082: "VDENC_REF_SURFACE_STATE",
    0x7083: "VDENC_DS_REF_SURFACE_STATE",
    0x7084: "VDENC_PIPE_BUF_ADDR_STATE",
    0x7085: "VDENC_IMG_STATE",
    0x7086: "VDENC_CONST_QPT_STATE",
    0x7087: "VDENC_WALKER_STATE",
    0x7088: "VDENC_WEIGHTSOFFSETS_STATE",
    0x7100: "MFX_AVC_IMG_STATE",
    0x7102: "MFX_AVC_DIRECTMODE_STATE",
    0x7103: "MFX_AVC_SLICE_STATE",
    0x7104: "MFX_AVC_REF_IDX_STATE",
    0x7380: "HCP_PIPE_MODE_SELECT",
    0x7381: "HCP_SURFACE_STATE",
    0x7382: "HCP_PIPE_BUF_ADDR_STATE",
    0x7383: "HCP_IND_OBJ_BASE_ADDR_STATE",
    0x7384: "HCP_QM_STATE",
    0x7385: "HCP_FQM_STATE",
    0x7390: "HCP_PIC_STATE",
    0x7392: "HCP_REF_IDX_STATE",
    0x7394: "HCP_SLICE_STATE",
    0x7581: "HUC_IMEM_STATE",
    0x7582: "HUC_DMEM_STATE",
    0x7584: "HUC_VIRTUAL_ADDR_STATE",
}
HEADERS = (0x7048, 0x73A2)
# The words that say where the reconstruction goes, before and after deblocking.
RECONSTRUCTION = {0x7002: (1, 4), 0x7382: (1,)}


class Submissions:
    """Makes records of commands. An object is named after the submission whose reconstruction it holds."""

    def __init__(self):
        self.records = []
        self.count = 0
        self.scope = ""
        self.objects = []
        self.reconstructions = {}

    def object_at(self, address):
        return next((start for start, size in self.objects if start <= address < start + size), None)

    def add(self, name, words, reconstruction=()):
        """Adds a record without words of 0. Two words that are an address become an object and an offset."""
        record, index = Record(self.scope, name), 0
        while index < len(words):
            pair = words[index] | words[index + 1] << 32 if index + 1 < len(words) else 0
            start = self.object_at(pair) if pair >> 32 else None
            if start is not None:
                if index + 1 in reconstruction:
                    self.reconstructions[start] = self.scope
                holder = self.reconstructions.get(start)
                what = f"reconstruction of {holder}" if holder else "memory"
                record.add(f"word[{index + 1}]", f"{what} + {pair - start:x}")
                index += 2
                continue
            if words[index]:
                record.add(f"word[{index + 1}]", f"{words[index]:08x}")
            index += 1
        self.records.append(record)

    def take(self, line):
        words = line.split()
        if words[:2] == ["#", "exec"]:
            self.count += 1
            self.scope, self.objects = f"submission {self.count}", []
        elif words[:2] == ["#", "object"]:
            self.objects.append((int(words[2], 16), int(words[3], 16)))
        elif words[:2] == ["#", "firmware"]:
            self.add(f"parameters of firmware {words[2]}", [int(word, 16) for word in words[3:]])
        else:
            first, *rest = (int(word, 16) for word in words[2:])
            number = first >> 16
            if number >> 11 == 0b01110 and number not in HEADERS:
                self.add(NAMES.get(number, f"command {number:x}"), rest, RECONSTRUCTION.get(number, ()))


def records_of(path, since=0.0):
    """The commands of each submission after a time, and the parameters of the firmware that they start."""
    submissions, counts = Submissions(), False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# exec "):
            counts = float(line.rpartition(" ")[2]) > since
        if counts:
            submissions.take(line)
    return submissions.records
