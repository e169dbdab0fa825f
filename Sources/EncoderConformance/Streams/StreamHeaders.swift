// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets

/// What the parameter sets of a stream say, in terms both codecs share, and what the headers of its slices do.
struct StreamHeaders {
    /// What the header of a slice says.
    struct Slice: Hashable {
        enum Kind: Hashable {
            case i, p, b
        }

        let kind: Kind
        /// The quantizer the slice starts from, on the scale of eight bits: 26 + `pic_init_qp` + `slice_qp_delta`
        /// (H.264 7-30, HEVC 7-54).
        let quantizer: Int
        /// `idr_pic_id` of an H.264 IDR slice.
        let idrPicID: Int?
        /// Where the picture stands in display order.
        let order: Order
    }

    /// What a slice says of its picture's place in display order.
    enum Order: Hashable {
        /// The last bits of the picture order count.
        case count(lsb: Int, bits: Int)
        /// Pictures are shown as they are decoded (H.264 8.2.1.3).
        case asDecoded
        /// It follows from more than the slice (H.264 8.2.1.2).
        case untold
    }

    /// `profile_idc` or `general_profile_idc`.
    let profileIdc: Int
    /// The profile's name, for messages.
    let profileName: String
    /// Whether all pictures are said to be intra pictures by the profile.
    let isIntraProfile: Bool
    /// The level in tenths.
    let level: Int
    let isHighTier: Bool
    let bitDepth: Int
    /// Nil in HEVC, which has only CABAC.
    let usesCABAC: Bool?
    let color: ColorDescription?
    let pixelAspectRatio: PixelAspectRatio?
    /// Pictures per second where the stream says that they come at a fixed rate.
    let fixedFrameRate: Ratio?
    /// By how many pictures decode order may lag behind display order; nil where the stream does not tell.
    let reorderFrames: Int?
    /// The coded size in luma samples.
    let codedSize: PictureSize
    private let sets: Sets

    private enum Sets {
        case h264(H264ParameterSets)
        case hevc(HEVCParameterSets)
    }

    /// Reads a format's parameter sets.
    ///
    /// - Throws: `ParameterSetError` for sets that cannot be read.
    init(_ format: FormatDescription) throws {
        switch format.codec {
        case .h264: try self.init(h264: format.parameterSets)
        case .hevc: try self.init(hevc: format.parameterSets)
        }
    }

    private init(h264 units: [[UInt8]]) throws {
        var sets = H264ParameterSets()
        var sps = H264SPS()
        var pps: H264PPS?
        for unit in units {
            let unit = try H264NALUnit(nalUnit: unit, in: sets)
            sets.update(with: unit)
            if case .sps(let set) = unit.payload { sps = set }
            if case .pps(let set) = unit.payload { pps = set }
        }
        profileIdc = sps.profileIdc
        profileName = sps.profile.description
        isIntraProfile = sps.profile.isIntraOnly
        level = sps.level.rawValue
        isHighTier = false
        bitDepth = sps.bitDepthLuma
        usesCABAC = pps?.entropyCodingModeFlag
        color = sps.color
        pixelAspectRatio = sps.pixelAspectRatio
        fixedFrameRate = sps.vui?.fixedFrameRateFlag == true ? sps.frameRate : nil
        reorderFrames = sps.vui?.bitstreamRestriction.map(\.maxNumReorderFrames)
        codedSize = sps.codedSize
        self.sets = .h264(sets)
    }

    private init(hevc units: [[UInt8]]) throws {
        var sets = HEVCParameterSets()
        var sps = HEVCSPS()
        for unit in units {
            let unit = try HEVCNALUnit(nalUnit: unit, in: sets)
            sets.update(with: unit)
            if case .sps(let set) = unit.payload { sps = set }
        }
        profileIdc = sps.profile.profileIdc
        profileName = "general_profile_idc \(profileIdc)"
        isIntraProfile = sps.profile.formatConstraints.intra
        level = sps.level.rawValue / 3
        isHighTier = sps.isHighTier
        bitDepth = sps.bitDepthLuma
        usesCABAC = nil
        color = sps.color
        pixelAspectRatio = sps.pixelAspectRatio
        fixedFrameRate = sps.frameRate
        reorderFrames = sps.reorderFrames
        codedSize = sps.codedSize
        self.sets = .hevc(sets)
    }

    /// The lowest level that allows the coded size at a frame rate, in tenths; nil where none does.
    func lowestLevel(framesPerSecond: Double) -> Int? {
        let codec: VideoCodec = if case .h264 = sets { .h264 } else { .hevc }
        return Self.lowestLevel(codec, codedSize, framesPerSecond: framesPerSecond)
    }

    /// The lowest level that allows a size at a frame rate, in tenths; nil where none does.
    static func lowestLevel(_ codec: VideoCodec, _ size: PictureSize, framesPerSecond: Double) -> Int? {
        switch codec {
        case .h264:
            H264Level.lowest(width: size.width, height: size.height, framesPerSecond: framesPerSecond, profile: .high)?
                .rawValue
        case .hevc:
            HEVCLevel.lowest(width: size.width, height: size.height, framesPerSecond: framesPerSecond)
                .map { $0.rawValue / 3 }
        }
    }

    /// What the level allows NAL units of a profile for 4:2:0 of eight or ten bits; nil for a level without limits.
    var levelRates: (bitsPerSecond: Int, bufferBits: Int)? {
        switch sets {
        case .h264:
            // cpbBrNalFactor is 6/5 of cpbBrVclFactor in each profile (table A-2).
            guard let limits = H264Level(rawValue: level).limits else { return nil }
            let factor = H264Profile(profileIdc: profileIdc).vclFactor * 6 / 5
            return (limits.bitRate * factor, limits.codedPictureBuffer * factor)
        case .hevc:
            // CpbNalFactor is 1100 in Main and Main 10 (table A.10).
            guard let limits = HEVCLevel(rawValue: level * 3).limits(isHighTier: isHighTier) else { return nil }
            return (limits.bitRate * 1100, limits.codedPictureBuffer * 1100)
        }
    }

    /// Reads the headers of an access unit's slices; dependent slice segments, which repeat their slice's, are left
    /// out.
    ///
    /// - Throws: `ParameterSetError` for a slice that cannot be read.
    func slices(of unit: AccessUnit) throws -> [Slice] {
        try unit.streamUnits(unit.format.codec).filter(\.isSlice).compactMap { try slice($0.bytes) }
    }

    private func slice(_ bytes: ArraySlice<UInt8>) throws -> Slice? {
        switch sets {
        case .h264(let sets):
            let header = try H264SliceHeader(nalUnit: bytes, in: sets)
            let pps = sets.pps(header.ppsID)
            let initial = pps?.picInitQpMinus26 ?? 0
            let isIDR = try H264NALUnitHeader(nalUnit: bytes).isIDR
            return Slice(
                kind: header.kind == .b ? .b : header.kind.isInter ? .p : .i,
                quantizer: 26 + initial + header.qpDelta, idrPicID: isIDR ? header.idrPicID : nil,
                order: pps.flatMap { sets.sps($0.spsID) }.map { Self.order(header, $0.picOrderCnt) } ?? .untold)
        case .hevc(let sets):
            let segment = try HEVCSliceSegmentHeader(nalUnit: bytes, in: sets)
            guard let header = segment.slice else { return nil }
            let initial = sets.pps(segment.ppsID)?.quantisation.initQpMinus26 ?? 0
            let kind: Slice.Kind =
                switch header.kind {
                case .i: .i
                case .p: .p
                case .b: .b
                }
            let sps = sets.pps(segment.ppsID).flatMap { sets.sps($0.spsID) }
            return Slice(
                kind: kind, quantizer: 26 + initial + header.qpDelta, idrPicID: nil,
                order: sps.map { sps in
                    .count(
                        lsb: header.references?.picOrderCntLsb ?? 0, bits: sps.log2MaxPicOrderCntLsbMinus4 + 4)
                } ?? .untold)
        }
    }

    private static func order(_ header: H264SliceHeader, _ count: H264PicOrderCnt) -> Order {
        switch count.type {
        case 0: .count(lsb: header.picOrderCntLsb, bits: count.log2MaxPicOrderCntLsbMinus4 + 4)
        case 2: .asDecoded
        default: .untold
        }
    }
}
