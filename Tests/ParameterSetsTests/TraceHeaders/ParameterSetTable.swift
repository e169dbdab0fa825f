// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport

/// `paramsets/paramsets.tsv` of the media: single parameter sets with what FFmpeg says they tell.
enum ParameterSetTable {
    struct Row {
        var kind: String
        var trace: String
        var profileIdc: Int?
        var levelIdc: Int?
        var size: PictureSize
        var chromaFormatIdc: Int?
        var bitDepth: Int?
        var unit: [UInt8]
    }

    static func rows(codec: String) throws -> [Row] {
        let text = String(decoding: try TestMedia.bytes("paramsets/paramsets.tsv"), as: UTF8.self)
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count > 9, columns[0] == codec else { return nil }
            let numbers = columns[2...7].map { Int($0) }
            return Row(
                kind: columns[1], trace: columns[8], profileIdc: numbers[0], levelIdc: numbers[1],
                size: PictureSize(width: numbers[2] ?? 0, height: numbers[3] ?? 0), chromaFormatIdc: numbers[4],
                bitDepth: numbers[5], unit: hex(columns[9]))
        }
    }
}
