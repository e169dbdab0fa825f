// SPDX-License-Identifier: MIT

/// A level: what a decoder must be able to do (A.4, tables A.8 and A.9).
public struct HEVCLevel: RawRepresentable, Hashable, Sendable, Comparable {
    /// `general_level_idc`: 30 times the level, such as 93 for 3.1; any value.
    public var rawValue: Int

    /// Any level, also one that the tables do not have.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Level 8.5, which has no limits.
    public static let unlimited = Self(rawValue: 255)

    /// The levels of the tables, lowest first; level 8.5 is not among them.
    public static let all = table.map { Self(rawValue: $0.idc) }

    /// Whether one level's number is lower; a lower level demands less.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// A level's limits in one tier.
    public struct Limits: Hashable, Sendable {
        /// `MaxLumaPs`: luma samples in a picture.
        public var lumaSamplesPerPicture: Int
        /// `MaxLumaSr`: luma samples per second.
        public var lumaSamplesPerSecond: Int
        /// `MaxBR` in units of 1000 bit/s of slices; profiles from format range extensions on scale it.
        public var bitRate: Int
        /// `MaxCPB` in units of 1000 bits of slices; scaled likewise.
        public var codedPictureBuffer: Int
        /// `MaxSliceSegmentsPerPicture`.
        public var sliceSegments: Int
        /// `MaxTileRows`.
        public var tileRows: Int
        /// `MaxTileCols`.
        public var tileColumns: Int

        /// The longest side in luma samples: the root of eight times ``lumaSamplesPerPicture`` (A.4.1).
        public var longestSide: Int { Int((Double(lumaSamplesPerPicture) * 8).squareRoot()) }

        /// `MaxDpbSize`: pictures of so many luma samples that a decoder keeps, 6...16 (A.4.2).
        public func maxDpbFrames(lumaSamples: Int) -> Int {
            if lumaSamples <= lumaSamplesPerPicture / 4 { return 16 }
            if lumaSamples <= lumaSamplesPerPicture / 2 { return 12 }
            return lumaSamples <= lumaSamplesPerPicture / 4 * 3 ? 8 : 6
        }
    }

    /// The limits in a tier; nil for level 8.5, for numbers that are no level, and for the High tier below level 4.
    public func limits(isHighTier: Bool = false) -> Limits? {
        guard let row = Self.table.first(where: { $0.idc == rawValue }) else { return nil }
        guard let bits = isHighTier ? row.high : row.main else { return nil }
        return Limits(
            lumaSamplesPerPicture: row.picture, lumaSamplesPerSecond: row.rate, bitRate: bits.rate,
            codedPictureBuffer: bits.buffer, sliceSegments: row.segments, tileRows: row.tileRows,
            tileColumns: row.tileColumns)
    }

    /// The lowest level whose limits hold all of what is given.
    ///
    /// - Parameters:
    ///   - width: Coded luma samples per row.
    ///   - height: Coded rows of luma samples.
    ///   - framesPerSecond: The highest picture rate; 0 allows any level.
    ///   - bitsPerSecond: The highest bit rate of slices, in bit/s; 0 allows any level.
    ///   - bufferBits: The coded picture buffer, in bits; 0 allows any level.
    ///   - isHighTier: Look at the High tier's bit rates; levels below 4 have only the Main tier and are then left out.
    ///   - factor: `CpbVclFactor`, in bits per unit of rate and buffer: 1000 for Main and Main 10, more for others
    ///     (table A.10).
    ///   - dpbFrames: Pictures that a decoder has to keep, 1...16.
    /// - Returns: The level; nil when level 6.2 is not enough.
    public static func lowest(
        width: Int, height: Int, framesPerSecond: Double = 0, bitsPerSecond: Int = 0, bufferBits: Int = 0,
        isHighTier: Bool = false, factor: Int = 1000, dpbFrames: Int = 1
    ) -> HEVCLevel? {
        let (samples, overflow) = width.multipliedReportingOverflow(by: height)
        // fR is 1/300 s (A.4.2).
        guard !overflow, framesPerSecond <= 300 else { return nil }
        return all.first { level in
            guard let limits = level.limits(isHighTier: isHighTier) else { return false }
            return samples <= limits.lumaSamplesPerPicture && max(width, height) <= limits.longestSide
                && Double(samples) * framesPerSecond <= Double(limits.lumaSamplesPerSecond)
                && Double(bitsPerSecond) <= Double(limits.bitRate) * Double(factor)
                && Double(bufferBits) <= Double(limits.codedPictureBuffer) * Double(factor)
                && dpbFrames <= limits.maxDpbFrames(lumaSamples: samples)
        }
    }

    private typealias Bits = (rate: Int, buffer: Int)

    private struct Row {
        var idc, picture, rate, segments, tileRows, tileColumns: Int
        var main: Bits?
        var high: Bits?

        init(_ idc: Int, _ picture: Int, _ rate: Int, _ main: Bits, _ high: Bits?, _ segments: Int, _ tiles: (Int, Int))
        {
            (self.idc, self.picture, self.rate, self.segments) = (idc, picture, rate, segments)
            (tileRows, tileColumns) = tiles
            (self.main, self.high) = (main, high)
        }
    }

    /// Tables A.8 and A.9: level, samples per picture and second, rate and buffer of both tiers, slices, tiles.
    private static let table = [
        Row(30, 36864, 552_960, (128, 350), nil, 16, (1, 1)),
        Row(60, 122_880, 3_686_400, (1500, 1500), nil, 16, (1, 1)),
        Row(63, 245_760, 7_372_800, (3000, 3000), nil, 20, (1, 1)),
        Row(90, 552_960, 16_588_800, (6000, 6000), nil, 30, (2, 2)),
        Row(93, 983_040, 33_177_600, (10000, 10000), nil, 40, (3, 3)),
        Row(120, 2_228_224, 66_846_720, (12000, 12000), (30000, 30000), 75, (5, 5)),
        Row(123, 2_228_224, 133_693_440, (20000, 20000), (50000, 50000), 75, (5, 5)),
        Row(150, 8_912_896, 267_386_880, (25000, 25000), (100_000, 100_000), 200, (11, 10)),
        Row(153, 8_912_896, 534_773_760, (40000, 40000), (160_000, 160_000), 200, (11, 10)),
        Row(156, 8_912_896, 1_069_547_520, (60000, 60000), (240_000, 240_000), 200, (11, 10)),
        Row(180, 35_651_584, 1_069_547_520, (60000, 60000), (240_000, 240_000), 600, (22, 20)),
        Row(183, 35_651_584, 2_139_095_040, (120_000, 120_000), (480_000, 480_000), 600, (22, 20)),
        Row(186, 35_651_584, 4_278_190_080, (240_000, 240_000), (800_000, 800_000), 600, (22, 20)),
    ]
}

extension HEVCLevel: CustomStringConvertible {
    /// The level as people write it, such as `3.1` or `4`; `level` and the number for one that is no multiple of 3.
    public var description: String {
        guard self != .unlimited else { return "8.5" }
        guard rawValue % 3 == 0 else { return "level \(rawValue)" }
        return rawValue % 30 == 0 ? "\(rawValue / 30)" : "\(rawValue / 30).\(rawValue % 30 / 3)"
    }
}
