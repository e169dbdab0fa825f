// SPDX-License-Identifier: MIT

/// Reads headers of slices without removing emulation prevention from all of their data.
enum SliceHeaderReading {
    /// More than the headers of nearly all slices.
    private static let usualSize = 256

    /// Reads from the first bytes of a unit, and from all of it when they do not suffice.
    static func header<Header>(
        of nalUnit: [UInt8], _ read: (inout SyntaxReader) throws(ParameterSetError) -> Header
    ) throws(ParameterSetError) -> Header {
        let start = EmulationPrevention.unescape(nalUnit, limit: usualSize)
        var reader = SyntaxReader(start)
        do {
            return try read(&reader)
        } catch {
            guard error.code == .endOfData, start.count == usualSize else { throw error }
        }
        reader = SyntaxReader(EmulationPrevention.unescape(nalUnit))
        return try read(&reader)
    }
}
