// SPDX-License-Identifier: MIT

/// `AVCDecoderConfigurationRecord`, the contents of an `avcC` box (ISO/IEC 14496-15 5.3.3.1).
public struct AVCDecoderConfiguration: Hashable, Sendable {
    /// What records of profiles from High on may add (ISO/IEC 14496-15 5.3.3.1.2).
    public struct HighFields: Hashable, Sendable {
        /// `chroma_format`, 0...3.
        public fileprivate(set) var chromaFormatIdc = 1
        /// `bit_depth_luma_minus8`, 0...7.
        public fileprivate(set) var bitDepthLumaMinus8 = 0
        /// `bit_depth_chroma_minus8`, 0...7.
        public fileprivate(set) var bitDepthChromaMinus8 = 0
        /// SPS extension NAL units, at most 255.
        public fileprivate(set) var sequenceParameterSetExtensions: [[UInt8]] = []
        fileprivate var (reservedFormat, reservedLuma, reservedChroma) = (63, 31, 31)
    }

    /// `AVCProfileIndication`: `profile_idc` of the SPS.
    public private(set) var profileIdc = 0
    /// `profile_compatibility`: the SPS's byte of constraint flags.
    public private(set) var profileCompatibility = 0
    /// `AVCLevelIndication`: `level_idc` of the SPS.
    public private(set) var levelIdc = 0
    /// How many bytes the length before each NAL unit takes: 1, 2 or 4.
    public private(set) var nalUnitLengthSize = 4
    /// SPS NAL units, at most 31; subset SPS may be among them.
    public private(set) var sequenceParameterSets: [[UInt8]] = []
    /// PPS NAL units, at most 255.
    public private(set) var pictureParameterSets: [[UInt8]] = []
    /// The fields of profiles from High on; nil where the record ends without them.
    public private(set) var high: HighFields?
    /// The record, as it was read or is to be written.
    public private(set) var bytes: [UInt8] = []

    private var (reservedLength, reservedCount) = (63, 7)
    private var trailing = OpaqueBits()

    /// Makes the record of a stream.
    ///
    /// - Parameters:
    ///   - sequenceParameterSets: One to 31 SPS NAL units, without start code or length; whole arrays, as all units
    ///     here. The first tells profile, level and sample format.
    ///   - pictureParameterSets: At most 255 PPS NAL units.
    ///   - nalUnitLengthSize: 1, 2 or 4.
    ///   - sequenceParameterSetExtensions: At most 255 SPS extension NAL units, in profiles from High on.
    /// - Throws: ``ParameterSetError`` when the first SPS cannot be read or something has no place in the record.
    public init(
        sequenceParameterSets: [[UInt8]], pictureParameterSets: [[UInt8]], nalUnitLengthSize: Int = 4,
        sequenceParameterSetExtensions: [[UInt8]] = []
    ) throws(ParameterSetError) {
        guard let first = sequenceParameterSets.first else {
            throw ParameterSetError(.missingParameterSet, reason: "an avcC record needs a sequence parameter set")
        }
        let sps = try H264SPS(nalUnit: first)
        profileIdc = sps.profileIdc
        profileCompatibility = Int(sps.constraints.byte)
        levelIdc = sps.levelIdc
        self.nalUnitLengthSize = nalUnitLengthSize
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
        if Self.mayHaveHighFields(profileIdc) {
            var fields = HighFields()
            fields.chromaFormatIdc = sps.format.chromaFormatIdc
            fields.bitDepthLumaMinus8 = sps.format.bitDepthLumaMinus8
            fields.bitDepthChromaMinus8 = sps.format.bitDepthChromaMinus8
            fields.sequenceParameterSetExtensions = sequenceParameterSetExtensions
            high = fields
        } else if !sequenceParameterSetExtensions.isEmpty {
            throw ParameterSetError(
                .notRepresentable, reason: "a record of profile \(profileIdc) has no place for SPS extensions")
        }
        var writer = SyntaxWriter()
        try code(with: &writer)
        bytes = writer.bytes
    }

    /// Reads a record.
    ///
    /// - Parameter bytes: The contents of an `avcC` box. Reserved bits, and bytes after the record's end, are kept;
    ///   in profiles from High on, four bytes or more behind the PPS are read as ``high``.
    /// - Throws: ``ParameterSetError`` naming field and bit offset.
    public init(bytes: some ByteView & ~Escapable) throws(ParameterSetError) {
        let bytes = bytes.array()
        self = try Self.reading(bytes, insteadOf: HEVCDecoderConfiguration.self, in: "hvcC")
        self.bytes = bytes
    }

    /// A record to read into.
    init() {}

    /// The codec's name in MIME types, such as `avc1.64001F` (RFC 6381 3.3).
    ///
    /// - Parameter sampleEntry: `avc1`, or `avc3` when parameter sets travel among the samples.
    /// - Returns: The entry, a dot, and six hexadecimal digits for profile, constraints and level.
    public func codecString(sampleEntry: String = "avc1") -> String {
        let constraints = H264Constraints(byte: UInt8(truncatingIfNeeded: profileCompatibility))
        return CodecString.h264(sampleEntry, H264Profile(profileIdc: profileIdc, constraints: constraints), levelIdc)
    }

    /// Every profile but Baseline, Main and Extended.
    private static func mayHaveHighFields(_ profileIdc: Int) -> Bool {
        ![66, 77, 88].contains(profileIdc)
    }

    /// Hands each field of the record to `coder`, under the names of ISO/IEC 14496-15; lengths and units are called
    /// `nalUnitLength` and `nalUnit` for every type, and bytes behind the record `trailing_bytes`.
    package mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.fixed("configurationVersion", 1, 8)
        try coder.u("AVCProfileIndication", &profileIdc, 8)
        try coder.u("profile_compatibility", &profileCompatibility, 8)
        try coder.u("AVCLevelIndication", &levelIdc, 8)
        try coder.u("reserved", &reservedLength, 6)
        try coder.lengthSize(&nalUnitLengthSize)
        try coder.u("reserved", &reservedCount, 3)
        try coder.nalUnits("numOfSequenceParameterSets", &sequenceParameterSets, countBits: 5)
        try coder.nalUnits("numOfPictureParameterSets", &pictureParameterSets, countBits: 8)
        // Writers of the first edition end here in any profile.
        if coder.isReading {
            high = Self.mayHaveHighFields(profileIdc) && coder.remainingBits >= 32 ? HighFields() : nil
        }
        try high?.code(with: &coder)
        try coder.opaque("trailing_bytes", &trailing, count: coder.remainingBits)
    }
}

extension AVCDecoderConfiguration.HighFields {
    fileprivate mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.u("reserved", &reservedFormat, 6)
        try coder.u("chroma_format", &chromaFormatIdc, 2)
        try coder.u("reserved", &reservedLuma, 5)
        try coder.u("bit_depth_luma_minus8", &bitDepthLumaMinus8, 3)
        try coder.u("reserved", &reservedChroma, 5)
        try coder.u("bit_depth_chroma_minus8", &bitDepthChromaMinus8, 3)
        try coder.nalUnits("numOfSequenceParameterSetExt", &sequenceParameterSetExtensions, countBits: 8)
    }
}

extension AVCDecoderConfiguration: DecoderConfigurationRecord {
    typealias Header = H264NALUnitHeader
}
