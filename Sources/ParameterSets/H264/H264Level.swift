// SPDX-License-Identifier: MIT

/// A level: how much a decoder must be able to do (A.3, table A-1).
public struct H264Level: RawRepresentable, Hashable, Sendable {
    /// Ten times the level, such as 41 for 4.1; 9 for level 1b.
    public var rawValue: Int

    /// Any level, also one that table A-1 does not have.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Level 1b, told in two ways depending on the profile.
    public static let level1b = Self(rawValue: 9)

    /// The levels of table A-1, lowest first; 1b comes after 1.
    public static let all = table.map { Self(rawValue: $0.level) }

    /// What an SPS's `level_idc` means with its profile: 11 with `constraint_set3_flag` is 1b up to Extended (A.3.1).
    public init(levelIdc: Int, profile: H264Profile) {
        let isShort1b =
            levelIdc == 11 && profile.constraints.set3 && Self.profilesWith1bFlag.contains(profile.profileIdc)
        rawValue = isShort1b ? 9 : levelIdc
    }

    /// `level_idc` and `constraint_set3_flag` that tell this level in a profile; the flag is nil when it means other
    /// things there.
    public func coded(profileIdc: Int) -> (levelIdc: Int, constraintSet3: Bool?) {
        guard Self.profilesWith1bFlag.contains(profileIdc) else { return (rawValue, nil) }
        return self == .level1b ? (11, true) : (rawValue, false)
    }

    private static let profilesWith1bFlag = [66, 77, 88]

    /// One row of table A-1.
    public struct Limits: Hashable, Sendable {
        /// `MaxMBPS`: macroblocks per second.
        public var macroblocksPerSecond: Int
        /// `MaxFS`: macroblocks in a frame.
        public var macroblocksPerFrame: Int
        /// `MaxDpbMbs`: macroblocks in the decoded picture buffer.
        public var dpbMacroblocks: Int
        /// `MaxBR`: bit rate in 1000 bit/s for Baseline to Extended; others multiply (``H264Profile/vclFactor``).
        public var bitRate: Int
        /// `MaxCPB`: coded picture buffer in 1000 bits, likewise.
        public var codedPictureBuffer: Int

        init(_ mbps: Int, _ frame: Int, _ dpb: Int, _ bitRate: Int, _ buffer: Int) {
            macroblocksPerSecond = mbps
            macroblocksPerFrame = frame
            dpbMacroblocks = dpb
            self.bitRate = bitRate
            codedPictureBuffer = buffer
        }
    }

    /// The level's limits; nil for a level that table A-1 does not have.
    public var limits: Limits? {
        Self.table.first { $0.level == rawValue }?.limits
    }

    /// `MaxDpbFrames` for frames of a coded size in luma samples, 0...16; nil for an unknown level (A.3.1).
    public func maxDpbFrames(_ size: PictureSize) -> Int? {
        let macroblocks = max(Self.macroblocks(size), 1)
        return limits.map { min($0.dpbMacroblocks / macroblocks, 16) }
    }

    /// The lowest level that allows all of what is given.
    ///
    /// - Parameters:
    ///   - width: Luma samples per row, shown or coded.
    ///   - height: Rows of luma samples.
    ///   - framesPerSecond: The highest rate; 0 allows any level.
    ///   - bitsPerSecond: The highest rate of the slices in bit/s; 0 allows any level.
    ///   - bufferBits: The coded picture buffer in bits; 0 allows any level.
    ///   - profile: Decides how rate and buffer are counted.
    ///   - dpbFrames: Frames that a decoder has to keep, 0...16.
    /// - Returns: The level; nil when no level allows it.
    public static func lowest(
        width: Int, height: Int, framesPerSecond: Double = 0, bitsPerSecond: Int = 0, bufferBits: Int = 0,
        profile: H264Profile, dpbFrames: Int = 0
    ) -> H264Level? {
        let size = PictureSize(width: width, height: height)
        let row = table.first { row in
            let level = Self(rawValue: row.level)
            return level.allows(size, framesPerSecond: framesPerSecond, dpbFrames: dpbFrames)
                && bitsPerSecond <= row.limits.bitRate * profile.vclFactor
                && bufferBits <= row.limits.codedPictureBuffer * profile.vclFactor
        }
        return row.map { Self(rawValue: $0.level) }
    }

    private func allows(_ size: PictureSize, framesPerSecond: Double, dpbFrames: Int) -> Bool {
        guard let limits, let dpbLimit = maxDpbFrames(size) else { return false }
        let macroblocks = Self.macroblocks(size)
        let longestSide = Double(max(Self.macroblocks(along: size.width), Self.macroblocks(along: size.height)))
        return macroblocks <= limits.macroblocksPerFrame
            && longestSide * longestSide <= Double(8 * limits.macroblocksPerFrame)
            && Double(macroblocks) * framesPerSecond <= Double(limits.macroblocksPerSecond) && dpbFrames <= dpbLimit
            // fR is 1/172 s, 1/300 from level 6 on (A.3.1, A.3.3).
            && framesPerSecond <= (rawValue < 60 ? 172 : 300)
    }

    private static func macroblocks(_ size: PictureSize) -> Int {
        let (count, overflow) = macroblocks(along: size.width).multipliedReportingOverflow(
            by: macroblocks(along: size.height))
        return overflow ? .max : count
    }

    private static func macroblocks(along side: Int) -> Int { side / 16 + (side % 16 > 0 ? 1 : 0) }

    /// Table A-1, lowest first.
    private static let table: [(level: Int, limits: Limits)] = [
        (10, Limits(1485, 99, 396, 64, 175)),
        (9, Limits(1485, 99, 396, 128, 350)),
        (11, Limits(3000, 396, 900, 192, 500)),
        (12, Limits(6000, 396, 2376, 384, 1000)),
        (13, Limits(11880, 396, 2376, 768, 2000)),
        (20, Limits(11880, 396, 2376, 2000, 2000)),
        (21, Limits(19800, 792, 4752, 4000, 4000)),
        (22, Limits(20250, 1620, 8100, 4000, 4000)),
        (30, Limits(40500, 1620, 8100, 10000, 10000)),
        (31, Limits(108_000, 3600, 18000, 14000, 14000)),
        (32, Limits(216_000, 5120, 20480, 20000, 20000)),
        (40, Limits(245_760, 8192, 32768, 20000, 25000)),
        (41, Limits(245_760, 8192, 32768, 50000, 62500)),
        (42, Limits(522_240, 8704, 34816, 50000, 62500)),
        (50, Limits(589_824, 22080, 110_400, 135_000, 135_000)),
        (51, Limits(983_040, 36864, 184_320, 240_000, 240_000)),
        (52, Limits(2_073_600, 36864, 184_320, 240_000, 240_000)),
        (60, Limits(4_177_920, 139_264, 696_320, 240_000, 240_000)),
        (61, Limits(8_355_840, 139_264, 696_320, 480_000, 480_000)),
        (62, Limits(16_711_680, 139_264, 696_320, 800_000, 800_000)),
    ]
}

extension H264Level: CustomStringConvertible {
    /// The level as people write it, such as `4.1` or `1b`; `level` and the number for a negative one.
    public var description: String {
        guard rawValue >= 0 else { return "level \(rawValue)" }
        return self == .level1b ? "1b" : rawValue % 10 == 0 ? "\(rawValue / 10)" : "\(rawValue / 10).\(rawValue % 10)"
    }
}
