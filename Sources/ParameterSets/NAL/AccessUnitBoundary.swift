// SPDX-License-Identifier: MIT

/// Finds where the access units of a stream begin, from its NAL units in decoding order.
public protocol AccessUnitDetector: Sendable {
    /// A detector at the start of a stream.
    init()

    /// Whether a unit is the first of an access unit.
    ///
    /// - Parameter nalUnit: The stream's next unit, without start code or length.
    /// - Returns: True for the stream's first unit and wherever the standard begins an access unit; where prefix units
    ///   of H.264 come first, for the slice behind them.
    /// - Throws: ``ParameterSetError`` when the unit cannot be read as far as this needs; the detector goes on as if it
    ///   had not been there.
    mutating func startsAccessUnit(_ nalUnit: some ByteView & ~Escapable) throws(ParameterSetError) -> Bool
}

/// What both standards say about the order of units (7.4.1.2.3 in H.264, 7.4.2.4.4 in HEVC).
struct AccessUnitOrder: Sendable {
    /// Where a unit may stand.
    enum Place {
        /// Before the first slice only: delimiters, parameter sets, SEI that goes before.
        case beforePicture
        /// The first slice of a picture.
        case pictureStart
        /// A further slice of the picture.
        case picture
        /// Anything that begins nothing.
        case anywhere
    }

    private var hasUnit = false
    private var hasPicture = false

    mutating func startsAccessUnit(_ place: Place) -> Bool {
        let starts = !hasUnit || (hasPicture && (place == .beforePicture || place == .pictureStart))
        hasUnit = true
        hasPicture = place == .pictureStart || place == .picture || (hasPicture && !starts)
        return starts
    }
}
