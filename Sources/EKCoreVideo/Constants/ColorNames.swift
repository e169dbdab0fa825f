// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    package import ParameterSets

    /// One part of what samples mean: names of CoreVideo, and codes of H.273 for them.
    package struct ColorNames: Sendable {
        /// The key that attaches it.
        package let attachment: String
        private let rows: [(name: String, code: Int)]

        /// Table 2 of H.273.
        package static let primaries = ColorNames(
            attachment: "CVImageBufferColorPrimaries",
            rows: [
                ("ITU_R_709_2", 1), ("EBU_3213", 5), ("SMPTE_C", 6), ("ITU_R_2020", 9), ("DCI_P3", 11), ("P3_D65", 12),
                ("P22", 22),
            ])
        /// Table 3 of H.273.
        package static let transfer = ColorNames(
            attachment: "CVImageBufferTransferFunction",
            rows: [
                ("ITU_R_709_2", 1), ("SMPTE_240M_1995", 7), ("Linear", 8), ("IEC_sRGB", 13), ("ITU_R_2020", 14),
                ("SMPTE_ST_2084_PQ", 16), ("SMPTE_ST_428_1", 17), ("ITU_R_2100_HLG", 18),
            ])
        /// Table 4 of H.273.
        package static let matrix = ColorNames(
            attachment: "CVImageBufferYCbCrMatrix",
            rows: [("ITU_R_709_2", 1), ("ITU_R_601_4", 6), ("SMPTE_240M_1995", 7), ("ITU_R_2020", 9)])

        /// All names.
        package var names: [String] { rows.map(\.name) }

        /// The code of a name; nil for one that stands for none.
        package func code(_ name: String) -> Int? { rows.first { $0.name == name }?.code }

        /// The name of a code; nil where CoreVideo has none.
        package func name(_ code: Int) -> String? { rows.first { $0.code == code }?.name }
    }

    extension ColorDescription {
        /// This one, with what another says of the parts that are unspecified here.
        package func completed(by other: ColorDescription?) -> ColorDescription {
            guard let other else { return self }
            // 2 is unspecified in all three tables.
            var color = self
            if primaries == 2 { color.primaries = other.primaries }
            if transfer == 2 { color.transfer = other.transfer }
            if matrix == 2 { color.matrix = other.matrix }
            return color
        }
    }

    extension CVBuffer {
        /// What the attachments say of the samples; nil where they name none of the three parts.
        package var color: ColorDescription? {
            guard hasAttachments else { return nil }
            func code(_ names: ColorNames) -> Int? {
                (attachment(names.attachment as NSString)?.value as? NSString).flatMap { names.code("\($0)") }
            }
            let codes = (code(.primaries), code(.transfer), code(.matrix))
            if codes.0 == nil, codes.1 == nil, codes.2 == nil { return nil }
            // 2 is unspecified in all three tables.
            return ColorDescription(primaries: codes.0 ?? 2, transfer: codes.1 ?? 2, matrix: codes.2 ?? 2)
        }
    }
#endif
