// SPDX-License-Identifier: MIT

import ParameterSets

/// Describes an MP4 file by its avcC or hvcC box, and anything else as a raw stream.
func describe(_ file: [UInt8]) throws -> SequenceDescription {
    if let record = contents(of: "avcC", in: file) {
        return try SequenceDescription(avcC: record)
    }
    if let record = contents(of: "hvcC", in: file) {
        return try SequenceDescription(hvcC: record)
    }
    return try SequenceDescription(annexB: file)
}

/// A box's contents: its size comes before its name.
private func contents(of box: String, in file: [UInt8]) -> [UInt8]? {
    guard let name = file.firstRange(of: box.utf8), name.lowerBound >= 4 else { return nil }
    let size = file[(name.lowerBound - 4)..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
    return Array(file[name.upperBound...].prefix(max(size - 8, 0)))
}
