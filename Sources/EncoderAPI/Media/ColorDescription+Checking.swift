// SPDX-License-Identifier: MIT

extension ColorDescription {
    /// Largest code for primaries that libx264 and libx265 write; H.273 has one more, 22.
    package static let libraryPrimaries = 12

    // H.273 tables 2, 3 and 4 without what they reserve; 2 is unspecified.
    private static let legalPrimaries = [1, 2] + Array(4...12) + [22]
    private static let legalTransfers = [1, 2] + Array(4...18)
    private static let legalMatrices = [1, 2] + Array(4...14)

    /// Refuses code points that H.273 reserves or that 4:2:0 pictures cannot have.
    ///
    /// - Parameter largestPrimaries: The largest code for primaries that the encoder can write.
    /// - Throws: ``EncoderError`` that names the table, the code and the legal ones: with `.conflictingSettings` for a
    ///   matrix of 4:4:4, with `.invalidValue` for the others.
    package func check(largestPrimaries: Int = 22) throws(EncoderError) {
        guard matrix != 0 else {
            throw EncoderError(
                .conflictingSettings,
                reason: "matrix coefficients 0 (GBR) with 4:2:0 pictures, expected one of \(Self.legalMatrices)",
                setting: .color)
        }
        try Self.check(primaries, in: Self.legalPrimaries.filter { $0 <= largestPrimaries }, "color primaries")
        try Self.check(transfer, in: Self.legalTransfers, "transfer characteristics")
        try Self.check(matrix, in: Self.legalMatrices, "matrix coefficients")
    }

    /// The same with codes that no encoder here can write as unspecified, for descriptions that come with a file.
    package var writable: ColorDescription {
        ColorDescription(
            primaries: Self.legalPrimaries.contains(primaries) && primaries <= Self.libraryPrimaries ? primaries : 2,
            transfer: Self.legalTransfers.contains(transfer) ? transfer : 2,
            matrix: Self.legalMatrices.contains(matrix) ? matrix : 2, isFullRange: isFullRange)
    }

    private static func check(_ code: Int, in legal: [Int], _ table: String) throws(EncoderError) {
        guard legal.contains(code) else {
            throw EncoderError(
                .invalidValue, reason: "\(table) \(code), expected one of \(legal)", setting: .color)
        }
    }
}
