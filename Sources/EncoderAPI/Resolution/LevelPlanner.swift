// SPDX-License-Identifier: MIT

package import ParameterSets

/// Chooses and checks levels by the tables of the standards: pure, once for all back ends.
package struct LevelPlanner {
    let codec: VideoCodec
    let size: PictureSize
    /// How H.264 counts bit rate and buffer.
    private let h264Profile: H264Profile

    /// Plans for pictures.
    ///
    /// - Parameters:
    ///   - codec: The standard.
    ///   - size: Luma samples in a row and rows as coded.
    ///   - profile: The profile whose factor counts bit rate and buffer; nil for the usual one of the depth.
    ///   - bitDepth: Bits of a coded sample.
    package init(codec: VideoCodec, size: PictureSize, profile: Profile? = nil, bitDepth: Int = 8) {
        self.codec = codec
        self.size = size
        h264Profile = Self.h264Profile(profile, bitDepth: bitDepth)
    }

    /// The profile that H.264 streams have, or the usual one of their depth where none is named.
    package static func h264Profile(_ profile: Profile?, bitDepth: Int) -> H264Profile {
        profile?.h264 ?? (bitDepth > 8 ? .high10 : .high)
    }

    /// What a level leaves a stream of one size.
    package struct Bounds: Equatable {
        package var framesPerSecond: Double
        package var bitsPerSecond: Int
        package var bufferBits: Int
        /// Whether bit rate and buffer are those of HEVC's High tier.
        package var isHighTier = false
    }

    /// `general_level_idc` counts thirtieths of a level.
    private static let levelIdcPerTenth = 3

    /// The levels a configuration may name, in tenths.
    static func legalLevels(_ codec: VideoCodec) -> [Int] {
        switch codec {
        case .h264: H264Level.all.filter { $0 != .level1b }.map(\.rawValue)
        case .hevc: HEVCLevel.all.map { $0.rawValue / levelIdcPerTenth }
        }
    }

    /// Most frames per second of any size: HEVC A.4.2, and H.264 A.3.1 for levels up to 5.2.
    package static func mostFramesPerSecond(_ codec: VideoCodec) -> Double { codec == .h264 ? 172 : 300 }

    // MARK: - Choosing

    /// The lowest level that allows pictures of this size, and what else a stream needs; 0 needs nothing.
    ///
    /// - Parameters:
    ///   - framesPerSecond: The highest rate.
    ///   - bitsPerSecond: The highest bit rate.
    ///   - bufferBits: The decoder's buffer.
    ///   - referenceFrames: Frames that a decoder has to keep.
    ///   - isHighTier: Whether the bits are those of HEVC's High tier.
    /// - Returns: A level that a configuration may name, in tenths; nil where none is enough.
    package func lowest(
        framesPerSecond: Double, bitsPerSecond: Int = 0, bufferBits: Int = 0, referenceFrames: Int = 0,
        isHighTier: Bool = false
    ) -> Int? {
        switch codec {
        case .h264:
            let lowest = H264Level.lowest(
                width: size.width, height: size.height, framesPerSecond: framesPerSecond, bitsPerSecond: bitsPerSecond,
                bufferBits: bufferBits, profile: h264Profile, dpbFrames: referenceFrames)
            return lowest == .level1b ? 11 : lowest?.rawValue
        case .hevc:
            // HEVC counts the picture that is decoded as well (A.4.2).
            return HEVCLevel.lowest(
                width: size.width, height: size.height, framesPerSecond: framesPerSecond, bitsPerSecond: bitsPerSecond,
                bufferBits: bufferBits, isHighTier: isHighTier, factor: hevcFactor, dpbFrames: referenceFrames + 1
            ).map { $0.rawValue / Self.levelIdcPerTenth }
        }
    }

    /// The lowest level for a bit-rate ceiling, from the ceiling alone, so that no live change moves it.
    ///
    /// Counts four reference frames, as most presets use, and a buffer of ``RatePlanner/defaultBufferSeconds``.
    func level(ceiling: Int, rate: FrameRate) throws(EncoderError) -> Int {
        let bits = Int((Double(ceiling) * RatePlanner.defaultBufferSeconds).rounded(.down))
        let lowest = lowest(
            framesPerSecond: rate.framesPerSecond, bitsPerSecond: ceiling, bufferBits: bits, referenceFrames: 4)
        guard let lowest else {
            throw EncoderError(
                .invalidValue,
                reason: "no \(codec) level allows \(size.width)x\(size.height) at \(rate) frames per second and "
                    + "\(ceiling) bit/s", setting: .bitRateCeiling)
        }
        return lowest
    }

    // MARK: - Checking

    /// What `level` leaves pictures of this size.
    ///
    /// - Parameters:
    ///   - level: In tenths, one of ``legalLevels(_:)``.
    ///   - bitsPerSecond: The average that is asked for; nil in other modes.
    ///   - isPinned: Whether the level must stay whatever the bit rate: HEVC's High tier, which encoders signal only
    ///     where the bit rate needs it, is of no use then.
    /// - Returns: The largest frame rate, bit rate and buffer.
    /// - Throws: ``EncoderError`` when the pictures are too large for the level.
    package func bounds(level: Int, bitsPerSecond: Int?, isPinned: Bool = false) throws(EncoderError) -> Bounds {
        switch codec {
        case .h264: try h264Bounds(level)
        case .hevc: try hevcBounds(level, bitsPerSecond: isPinned ? nil : bitsPerSecond)
        }
    }

    /// Refuses a frame rate that `level` does not allow.
    package func check(_ rate: FrameRate, level: Int, bounds: Bounds) throws(EncoderError) {
        guard rate.framesPerSecond <= bounds.framesPerSecond else {
            let most = (bounds.framesPerSecond * 100).rounded(.down) / 100
            throw refusal(
                "\(size.width)x\(size.height) at \(rate) frames per second with level \(ProfileLevel.name(level)), which allows "
                    + "\(most)")
        }
    }

    private func h264Bounds(_ level: Int) throws(EncoderError) -> Bounds {
        guard let limits = H264Level(rawValue: level).limits else { throw unknown(level) }
        let (columns, rows) = ((size.width + 15) / 16, (size.height + 15) / 16)
        let most = limits.macroblocksPerFrame
        // A.3.1: neither side is longer than the root of 8 * MaxFS.
        guard columns * rows <= most, max(columns, rows) * max(columns, rows) <= 8 * most else {
            throw refusal(
                "\(size.width)x\(size.height), which is \(columns)x\(rows) macroblocks, with level \(ProfileLevel.name(level)), "
                    + "which allows \(most)")
        }
        return Bounds(
            framesPerSecond: Double(limits.macroblocksPerSecond) / Double(columns * rows),
            bitsPerSecond: limits.bitRate * h264Profile.vclFactor,
            bufferBits: limits.codedPictureBuffer * h264Profile.vclFactor)
    }

    private func hevcBounds(_ level: Int, bitsPerSecond: Int?) throws(EncoderError) -> Bounds {
        let named = HEVCLevel(rawValue: level * Self.levelIdcPerTenth)
        guard let main = named.limits() else { throw unknown(level) }
        let samples = size.width * size.height
        guard samples <= main.lumaSamplesPerPicture, max(size.width, size.height) <= main.longestSide else {
            throw refusal(
                "\(size.width)x\(size.height) with level \(ProfileLevel.name(level)), which allows "
                    + "\(main.lumaSamplesPerPicture) luma samples")
        }
        let needsHighTier = bitsPerSecond.map { $0 > main.bitRate * hevcFactor } ?? false
        let high = needsHighTier ? named.limits(isHighTier: true) : nil
        let limits = high ?? main
        return Bounds(
            framesPerSecond: Double(main.lumaSamplesPerSecond) / Double(samples),
            bitsPerSecond: limits.bitRate * hevcFactor, bufferBits: limits.codedPictureBuffer * hevcFactor,
            isHighTier: high != nil)
    }

    /// `CpbVclFactor` of Main and Main 10 (table A.10); that of Main 12 is larger, which is left unused.
    private var hevcFactor: Int { 1000 }

    private func unknown(_ level: Int) -> EncoderError {
        EncoderError(
            .invalidValue, reason: "level \(ProfileLevel.name(level)), expected one of the standard",
            setting: .profileLevel)
    }

    private func refusal(_ reason: String) -> EncoderError {
        EncoderError(.conflictingSettings, reason: reason, setting: .profileLevel)
    }
}
