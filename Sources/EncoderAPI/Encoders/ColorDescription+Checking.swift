// SPDX-License-Identifier: MIT

extension ColorDescription {
    /// The codes of a table of H.273.
    private struct Table {
        let name: String
        let codes: [ClosedRange<Int>]

        func legal(_ code: Int) -> Int { codes.contains { $0.contains(code) } ? code : 2 }

        var description: String {
            let texts = codes.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound)" }
            return "\(name) \(texts.joined(separator: ", "))"
        }
    }

    /// Tables 2, 3 and 4 without what they reserve, without what the encoder cannot write, and without a matrix of 0
    /// (GBR), which is for 4:4:4; 2 is unspecified.
    private static func tables(_ capabilities: EncoderCapabilities) -> (
        primaries: Table, transfer: Table, matrix: Table
    ) {
        let largest = capabilities.largestColorPrimaries
        let primaries = [1...2, 4...12, 22...22].filter { $0.lowerBound <= largest }
        return (
            Table(name: "primaries", codes: primaries.map { $0.lowerBound...min($0.upperBound, largest) }),
            Table(name: "transfer characteristics", codes: [1...2, 4...18]),
            Table(name: "matrix coefficients", codes: [1...2, 4...14])
        )
    }

    /// What an encoder can write, in words.
    package static func legalCodes(with capabilities: EncoderCapabilities) -> String {
        let tables = tables(capabilities)
        return [tables.primaries, tables.transfer, tables.matrix].map(\.description).joined(separator: "; ")
    }

    /// This color with unspecified in place of each code that an encoder cannot write.
    package func legal(with capabilities: EncoderCapabilities) -> ColorDescription {
        let tables = Self.tables(capabilities)
        return ColorDescription(
            primaries: tables.primaries.legal(primaries), transfer: tables.transfer.legal(transfer),
            matrix: tables.matrix.legal(matrix), isFullRange: isFullRange)
    }
}
