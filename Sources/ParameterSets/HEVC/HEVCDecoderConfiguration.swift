// SPDX-License-Identifier: MIT

/// `HEVCDecoderConfigurationRecord`, the contents of an `hvcC` box (ISO/IEC 14496-15 8.3.3.1).
public struct HEVCDecoderConfiguration: Hashable, Sendable {
    /// NAL units of one type (ISO/IEC 14496-15 8.3.3.1.2).
    public struct UnitArray: Hashable, Sendable {
        /// `NAL_unit_type`, 0...63.
        public fileprivate(set) var type = HEVCNALUnitType.vps
        /// `array_completeness`: no unit of the type is in the stream itself.
        public fileprivate(set) var isComplete = false
        /// The units, without start code or length; at most 65535 of at most 65535 bytes.
        public fileprivate(set) var nalUnits: [[UInt8]] = []
        fileprivate var reserved = false

        /// An array to read into.
        init() {}

        /// Units of one type.
        public init(type: HEVCNALUnitType, isComplete: Bool, nalUnits: [[UInt8]]) {
            self.type = type
            self.isComplete = isComplete
            self.nalUnits = nalUnits
        }
    }

    /// `general_profile_space` up to `general_level_idc`: what all sequences of the stream conform to.
    public private(set) var profileTierLevel = HEVCProfileTierLevel()
    /// `min_spatial_segmentation_idc`, 0...4095: how finely pictures are divided at least (E.3.1).
    public private(set) var minSpatialSegmentationIdc = 0
    /// `parallelismType`, 0...3: 0 mixed or unknown, 1 slices, 2 tiles, 3 rows of blocks.
    public private(set) var parallelismType = 0
    /// `chromaFormat`, 0...3.
    public private(set) var chromaFormatIdc = 1
    /// `bitDepthLumaMinus8`, 0...7.
    public private(set) var bitDepthLumaMinus8 = 0
    /// `bitDepthChromaMinus8`, 0...7.
    public private(set) var bitDepthChromaMinus8 = 0
    /// `avgFrameRate`, 0...65535, in frames per 256 seconds; 0 for unspecified.
    public private(set) var averageFrameRate = 0
    /// `constantFrameRate`, 0...3: 1 constant, 2 constant in each temporal layer, 0 may vary.
    public private(set) var constantFrameRate = 0
    /// `numTemporalLayers`, 0...7; 0 for unknown.
    public private(set) var temporalLayerCount = 0
    /// `temporalIdNested`: decoders may switch to a higher layer at any picture.
    public private(set) var temporalIdNested = false
    /// How many bytes each NAL unit's length takes in the stream: 1, 2 or 4.
    public private(set) var nalUnitLengthSize = 4
    /// The parameter sets and SEI messages, by type.
    public private(set) var arrays: [UnitArray] = []
    /// The record, as it was read or is to be written.
    public private(set) var bytes: [UInt8] = []

    private var reserved = Reserved()
    private var trailing = OpaqueBits()

    /// Reserved bits, all set by writers of today.
    private struct Reserved: Hashable {
        var segmentation = 15
        var parallelism = 63
        var chroma = 63
        var luma = 31
        var chromaDepth = 31
    }

    /// Reads a record.
    ///
    /// - Parameter bytes: The contents of an `hvcC` box. Reserved bits, and bytes after the record's end, are kept.
    /// - Throws: ``ParameterSetError`` naming field and bit offset.
    public init(bytes: some ByteView & ~Escapable) throws(ParameterSetError) {
        let bytes = bytes.array()
        self = try Self.reading(bytes, insteadOf: AVCDecoderConfiguration.self, in: "avcC")
        self.bytes = bytes
    }

    /// A record to read into.
    init() {}

    /// Makes the record of a stream.
    ///
    /// - Parameters:
    ///   - videoParameterSets: VPS NAL units, without start code or length; whole arrays, as all units here.
    ///   - sequenceParameterSets: One SPS NAL unit or more. The first tells the sample format; profile, level and
    ///     segmentation are those that hold for all.
    ///   - pictureParameterSets: PPS NAL units; they tell how pictures are decoded in parallel.
    ///   - nalUnitLengthSize: 1, 2 or 4.
    ///   - isComplete: Whether no parameter set is in the stream itself, as `hvc1` asks.
    ///   - supplementalEnhancementInformation: SEI NAL units that hold for the whole stream.
    /// - Throws: ``ParameterSetError`` when a set cannot be read or something has no place in the record.
    public init(
        videoParameterSets: [[UInt8]], sequenceParameterSets: [[UInt8]], pictureParameterSets: [[UInt8]],
        nalUnitLengthSize: Int = 4, isComplete: Bool = true, supplementalEnhancementInformation: [[UInt8]] = []
    ) throws(ParameterSetError) {
        var sequences: [HEVCSPS] = []
        for unit in sequenceParameterSets {
            sequences.append(try HEVCSPS(nalUnit: unit))
        }
        var pictures: [HEVCPPS] = []
        for unit in pictureParameterSets {
            pictures.append(try HEVCPPS(nalUnit: unit))
        }
        try describe(sequences, pictures)
        self.nalUnitLengthSize = nalUnitLengthSize
        let units: [(HEVCNALUnitType, [[UInt8]])] = [
            (.vps, videoParameterSets), (.sps, sequenceParameterSets), (.pps, pictureParameterSets),
            (.prefixSEI, supplementalEnhancementInformation),
        ]
        arrays = units.filter { !$0.1.isEmpty }.map { type, units in
            UnitArray(type: type, isComplete: isComplete && type != .prefixSEI, nalUnits: units)
        }
        var writer = SyntaxWriter()
        try code(with: &writer)
        bytes = writer.bytes
    }

    /// The NAL units of a type, of all arrays.
    public func nalUnits(of type: HEVCNALUnitType) -> [[UInt8]] {
        arrays.filter { $0.type == type }.flatMap(\.nalUnits)
    }

    /// VPS NAL units.
    public var videoParameterSets: [[UInt8]] { nalUnits(of: .vps) }
    /// SPS NAL units.
    public var sequenceParameterSets: [[UInt8]] { nalUnits(of: .sps) }
    /// PPS NAL units.
    public var pictureParameterSets: [[UInt8]] { nalUnits(of: .pps) }

    /// The codec's name in MIME types (ISO/IEC 14496-15 annex E), such as `hvc1.1.6.L93.B0`.
    ///
    /// - Parameter sampleEntry: `hvc1`, or `hev1` where parameter sets also travel in the stream.
    /// - Returns: See ``HEVCProfileTierLevel/codecString(sampleEntry:)``.
    public func codecString(sampleEntry: String = "hvc1") -> String {
        profileTierLevel.codecString(sampleEntry: sampleEntry)
    }

    /// Fills the record's own fields from parsed parameter sets.
    private mutating func describe(_ sequences: [HEVCSPS], _ pictures: [HEVCPPS]) throws(ParameterSetError) {
        let base = sequences.filter { $0.multilayer == nil }
        guard let first = base.first else {
            throw ParameterSetError(
                .missingParameterSet, reason: "an hvcC record needs a sequence parameter set of the base layer")
        }
        // A flag may be set only if it is in every sequence parameter set (8.3.3.1.3).
        profileTierLevel.profile = try HEVCProfile(flagsOfAll: base.map(\.profile))
        profileTierLevel.levelIdc = base.map(\.profileTierLevel.levelIdc).max() ?? 0
        profileTierLevel.profile.tierFlag = base.contains { $0.isHighTier }
        chromaFormatIdc = first.format.chromaFormatIdc
        bitDepthLumaMinus8 = first.format.bitDepthLumaMinus8
        bitDepthChromaMinus8 = first.format.bitDepthChromaMinus8
        temporalLayerCount = base.map { $0.maxSubLayersMinus1 + 1 }.max() ?? 0
        temporalIdNested = base.allSatisfy(\.temporalIdNestingFlag)
        minSpatialSegmentationIdc =
            sequences.map { $0.vui?.bitstreamRestriction?.minSpatialSegmentationIdc ?? 0 }.min() ?? 0
        parallelismType = minSpatialSegmentationIdc == 0 ? 0 : Self.parallelism(of: pictures)
    }

    private static func parallelism(of pictures: [HEVCPPS]) -> Int {
        let types = Set(
            pictures.map { picture in
                switch (picture.tiles != nil, picture.entropyCodingSyncEnabledFlag) {
                case (false, false): 1
                case (true, false): 2
                case (false, true): 3
                case (true, true): 0
                }
            })
        return types.count == 1 ? types.first ?? 0 : 0
    }

    /// Hands each field of the record to `coder`, under the names of ISO/IEC 14496-15; bytes behind the record are
    /// called `trailing_bytes`.
    package mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.fixed("configurationVersion", 1, 8)
        try profileTierLevel.code(with: &coder, in: .init(maxSubLayersMinus1: 0))
        try coder.u("reserved", &reserved.segmentation, 4)
        try coder.u("min_spatial_segmentation_idc", &minSpatialSegmentationIdc, 12)
        try coder.u("reserved", &reserved.parallelism, 6)
        try coder.u("parallelismType", &parallelismType, 2)
        try coder.u("reserved", &reserved.chroma, 6)
        try coder.u("chromaFormat", &chromaFormatIdc, 2)
        try coder.u("reserved", &reserved.luma, 5)
        try coder.u("bitDepthLumaMinus8", &bitDepthLumaMinus8, 3)
        try coder.u("reserved", &reserved.chromaDepth, 5)
        try coder.u("bitDepthChromaMinus8", &bitDepthChromaMinus8, 3)
        try coder.u("avgFrameRate", &averageFrameRate, 16)
        try coder.u("constantFrameRate", &constantFrameRate, 2)
        try coder.u("numTemporalLayers", &temporalLayerCount, 3)
        try coder.flag("temporalIdNested", &temporalIdNested)
        try coder.lengthSize(&nalUnitLengthSize)
        var arrayCount = arrays.count
        try coder.u("numOfArrays", &arrayCount, 8)
        try coder.expect("numOfArrays", &arrays, count: arrayCount, repeating: UnitArray())
        for i in arrays.indices {
            try arrays[i].code(with: &coder, at: i)
        }
        try coder.opaque("trailing_bytes", &trailing, count: coder.remainingBits)
    }
}

extension HEVCDecoderConfiguration.UnitArray {
    fileprivate mutating func code(with coder: inout some SyntaxCoder, at i: Int) throws(ParameterSetError) {
        try coder.flag("array_completeness", &isComplete, at: i)
        try coder.flag("reserved", &reserved, at: i)
        try coder.u("NAL_unit_type", &type.rawValue, 6, at: i)
        try coder.nalUnits("numNalus", &nalUnits, countBits: 16, at: i)
    }
}

extension HEVCProfile {
    /// The first profile with the compatibility and constraint flags that all have.
    fileprivate init(flagsOfAll profiles: [HEVCProfile]) throws(ParameterSetError) {
        var common: [UInt8] = []
        for var profile in profiles {
            var writer = SyntaxWriter()
            try profile.code(with: &writer, in: nil)
            common = common.isEmpty ? writer.bytes : common
            // The first byte is space, tier and `general_profile_idc`.
            for index in common.indices.dropFirst() {
                common[index] &= writer.bytes[index]
            }
        }
        self.init()
        var reader = SyntaxReader(common)
        try code(with: &reader, in: nil)
        // The profile that all conform to need not be the first one's own.
        let idc = profileIdc
        guard
            let shared = ([idc] + (1..<32)).first(where: { idc in profiles.allSatisfy { $0.isCompatible(with: idc) } })
        else {
            throw ParameterSetError(
                .notRepresentable, field: "general_profile_idc", reason: "no profile holds for all parameter sets")
        }
        profileIdc = shared
    }
}

extension HEVCDecoderConfiguration: DecoderConfigurationRecord {
    typealias Header = HEVCNALUnitHeader
}
