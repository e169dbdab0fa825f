// SPDX-License-Identifier: MIT

/// Reads headers of slices without looking for emulation prevention in all of their data.
enum SliceHeaderReading {
    /// More than the headers of nearly all slices.
    private static let usualSize = 256

    /// Reads from the first bytes of a unit, and from all of it when they do not suffice.
    static func header<Header>(
        of nalUnit: [UInt8], _ read: (inout SyntaxReader) throws(ParameterSetError) -> Header
    ) throws(ParameterSetError) -> Header {
        var reader = SyntaxReader(PlainBytes(nalUnit: nalUnit, limit: usualSize))
        do {
            return try read(&reader)
        } catch {
            guard error.code == .endOfData, nalUnit.count > usualSize else { throw error }
        }
        reader = SyntaxReader(PlainBytes(nalUnit: nalUnit))
        return try read(&reader)
    }
}
