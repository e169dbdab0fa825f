// SPDX-License-Identifier: MIT

import ParameterSets
import StreamInspection

/// How the units of a stream are written, one after the other.
protocol InspectionFormat {
    /// What comes before the first unit.
    func opening(_ stream: StreamSummary) -> String

    /// One unit.
    mutating func unit(_ unit: InspectedUnit) -> String

    /// What comes after the last unit.
    func closing() -> String
}

extension OpaqueBits {
    /// The bytes in hexadecimal; unused bits of the last one are zero.
    ///
    /// - Parameter limit: Bytes shown at most.
    /// - Returns: Two lower-case digits for each byte.
    func hexadecimal(limit: Int = .max) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let shown = bytes.prefix(limit)
        return String(unsafeUninitializedCapacity: shown.count * 2) { text in
            for (index, byte) in shown.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return shown.count * 2
        }
    }
}

extension SyntaxElement {
    /// Whether it is coded pictures rather than a header.
    var isPictureData: Bool { ["slice_data", "slice_segment_data"].contains(name.field) }
}
