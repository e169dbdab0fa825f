// SPDX-License-Identifier: MIT

/// `mastering_display_colour_volume()`: the display that the video was mastered on (D.1.29 in H.264, D.2.28 in HEVC).
public struct MasteringDisplay: SyntaxStructure {
    /// A point of the CIE 1931 diagram in units of 0.00002, 0...50000 each by the standard; up to 65535 are read and
    /// written.
    public struct Chromaticity: Hashable, Sendable {
        /// The x coordinate.
        public var x = 0
        /// The y coordinate.
        public var y = 0

        /// Makes a point.
        public init(x: Int = 0, y: Int = 0) {
            self.x = x
            self.y = y
        }
    }

    /// `display_primaries`, three; green, blue and red by convention.
    public var displayPrimaries = Array(repeating: Chromaticity(), count: 3)
    /// `white_point`.
    public var whitePoint = Chromaticity()
    /// `max_display_mastering_luminance`, 0...2^32 - 1, in 0.0001 cd/m2.
    public var maxDisplayMasteringLuminance = 0
    /// `min_display_mastering_luminance`, 0...2^32 - 1, in 0.0001 cd/m2.
    public var minDisplayMasteringLuminance = 0

    /// All zero.
    public init() {}

    /// Codes 192 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.expect("display_primaries", &displayPrimaries, count: 3, repeating: Chromaticity())
        for index in displayPrimaries.indices {
            try coder.u("display_primaries_x", &displayPrimaries[index].x, 16, at: index)
            try coder.u("display_primaries_y", &displayPrimaries[index].y, 16, at: index)
        }
        try coder.u("white_point_x", &whitePoint.x, 16)
        try coder.u("white_point_y", &whitePoint.y, 16)
        try coder.u("max_display_mastering_luminance", &maxDisplayMasteringLuminance, 32)
        try coder.u("min_display_mastering_luminance", &minDisplayMasteringLuminance, 32)
    }
}

/// `content_light_level_info()`: how bright the content gets (D.1.31 in H.264, D.2.35 in HEVC).
public struct ContentLightLevel: SyntaxStructure {
    /// `max_content_light_level`, 0...65535, in cd/m2; 0 unknown.
    public var maxContentLightLevel = 0
    /// `max_pic_average_light_level`, 0...65535, in cd/m2; 0 unknown.
    public var maxPicAverageLightLevel = 0

    /// Unknown.
    public init() {}

    /// Codes 32 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("max_content_light_level", &maxContentLightLevel, 16)
        try coder.u("max_pic_average_light_level", &maxPicAverageLightLevel, 16)
    }
}

/// `alternative_transfer_characteristics()`: a transfer function preferred to the VUI's (D.1.32, D.2.38).
public struct AlternativeTransfer: SyntaxStructure {
    /// `preferred_transfer_characteristics`, 0...255, a code point of ITU-T H.273: 18 is HLG.
    public var preferredTransferCharacteristics = 2

    /// Unspecified.
    public init() {}

    /// Codes 8 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("preferred_transfer_characteristics", &preferredTransferCharacteristics, 8)
    }
}
