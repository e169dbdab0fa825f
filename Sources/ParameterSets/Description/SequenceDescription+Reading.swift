// SPDX-License-Identifier: MIT

// The ways to a description. Units that cannot be read are passed over. What is described is the sequence parameter set
// of the base layer that the first slice is coded with, or the first set where there is no slice, and the HDR metadata
// that comes with it.
extension SequenceDescription {
    /// Describes the stream that an `avcC` record belongs to.
    ///
    /// - Parameter avcC: The contents of the box (ISO/IEC 14496-15 5.3.3.1).
    /// - Throws: ``ParameterSetError`` naming field and bit offset; `.missingParameterSet` for a record without SPS, as
    ///   those of `avc3` streams may be: describe their first sample with ``init(lengthPrefixed:lengthSize:codec:)``.
    public init(avcC: some ByteView & ~Escapable) throws(ParameterSetError) {
        let record = try AVCDecoderConfiguration(bytes: avcC)
        try Self.checkSets(record.sequenceParameterSets, "avc3")
        try self.init(
            parameterSets: record.sequenceParameterSets + record.pictureParameterSets, codec: .h264)
        codecString = record.codecString()
    }

    /// Describes the stream that an `hvcC` record belongs to.
    ///
    /// - Parameter hvcC: The contents of the box (ISO/IEC 14496-15 8.3.3.1).
    /// - Throws: ``ParameterSetError`` naming field and bit offset; `.missingParameterSet` for a record without SPS, as
    ///   those of `hev1` streams may be: describe their first sample with ``init(lengthPrefixed:lengthSize:codec:)``.
    public init(hvcC: some ByteView & ~Escapable) throws(ParameterSetError) {
        let record = try HEVCDecoderConfiguration(bytes: hvcC)
        try Self.checkSets(record.sequenceParameterSets, "hev1")
        try self.init(parameterSets: record.arrays.flatMap(\.nalUnits), codec: .hevc)
        codecString = record.codecString()
    }

    /// Describes the stream that some NAL units are of.
    ///
    /// - Parameters:
    ///   - parameterSets: Parameter sets, without start code or length, as arrays or slices; SEI and other units may be
    ///     among them.
    ///   - codec: The codec; nil for the one whose sequence parameter set is among them.
    /// - Throws: ``ParameterSetError`` of the SPS that cannot be read; `.missingParameterSet` when there is none.
    public init(
        parameterSets: some Collection<some ByteView>, codec: VideoCodec? = nil
    ) throws(ParameterSetError) {
        try self.init(units: parameterSets, codec)
    }

    /// Describes a byte stream, or an access unit of one, which carries its parameter sets.
    ///
    /// - Parameters:
    ///   - annexB: The stream, or its beginning; a slice or a span is copied whole.
    ///   - codec: The codec; nil for the one whose sequence parameter set the stream has.
    /// - Throws: As ``init(parameterSets:codec:)``, and `.missingStartCode` when there is no start code.
    public init(
        annexB: some ByteView & ~Escapable, codec: VideoCodec? = nil
    ) throws(ParameterSetError) {
        let ranges = AnnexB.nalUnitRanges(in: annexB)
        guard !ranges.isEmpty else { throw annexB.withSpan { FramingMistakes.withoutStartCode($0) } }
        let bytes = annexB.array()
        try self.init(units: ranges.lazy.map { bytes[$0] }, codec)
    }

    /// Describes an access unit whose NAL units have lengths, and which carries its parameter sets.
    ///
    /// - Parameters:
    ///   - lengthPrefixed: The access unit; a slice or a span is copied whole.
    ///   - lengthSize: How many bytes a length takes: 1, 2 or 4.
    ///   - codec: The codec; nil for the one whose sequence parameter set the access unit has.
    /// - Throws: As ``init(parameterSets:codec:)``, `.badLength` when the lengths do not add up, `.outOfRange` when
    ///   `lengthSize` is not 1, 2 or 4.
    public init(
        lengthPrefixed: some ByteView & ~Escapable, lengthSize: Int, codec: VideoCodec? = nil
    ) throws(ParameterSetError) {
        let ranges = try LengthPrefixed.nalUnitRanges(in: lengthPrefixed, lengthSize: lengthSize)
        let bytes = lengthPrefixed.array()
        try self.init(units: ranges.lazy.map { bytes[$0] }, codec)
    }
}

extension SequenceDescription {
    private init(units: some Collection<some ByteView>, _ codec: VideoCodec?) throws(ParameterSetError) {
        // A unit of one codec's SPS is none of the other's: the types differ.
        for candidate in codec.map({ [$0] }) ?? VideoCodec.allCases {
            if let found = try Self.described(units, candidate) {
                self = found
                return
            }
        }
        throw Self.nothing(in: units, codec)
    }

    private static func described(
        _ units: some Collection<some ByteView>, _ codec: VideoCodec
    ) throws(ParameterSetError) -> Self? {
        switch codec {
        case .h264: try Self(units: units, H264NALUnit.self)
        case .hevc: try Self(units: units, HEVCNALUnit.self)
        }
    }

    /// The error of units without a sequence parameter set.
    private static func nothing(in units: some Collection<some ByteView>, _ codec: VideoCodec?) -> ParameterSetError {
        let wanted = codec.map { " of \($0)" } ?? ""
        let other = VideoCodec.allCases.first { other in
            codec.map { $0 != other && (try? described(units, other)) != nil } ?? false
        }
        let reason =
            if units.isEmpty {
                "there are no NAL units"
            } else if let before = units.lazy.compactMap({ $0.withSpan { FramingMistakes.beforeUnit($0) } }).first {
                before
            } else if let other {
                "there is no sequence parameter set\(wanted), but one of \(other)"
            } else {
                "there is no sequence parameter set\(wanted) among \(units.count) NAL units"
            }
        return ParameterSetError(.missingParameterSet, reason: reason)
    }

    private static func checkSets(_ sets: [[UInt8]], _ sampleEntry: String) throws(ParameterSetError) {
        guard sets.isEmpty else { return }
        let place = "the samples of \(sampleEntry) streams may have it"
        throw ParameterSetError(.missingParameterSet, reason: "the record has no sequence parameter set; \(place)")
    }

    /// Reads parameter sets and SEI messages up to the first slice behind a sequence parameter set; nil without one.
    private init?<Unit: DescribedUnit>(units: some Sequence<some ByteView>, _: Unit.Type) throws(ParameterSetError) {
        var parameterSets = Unit.Context()
        var failure: ParameterSetError?
        var found: Self?
        var payloads: [CommonSEIPayload] = []
        units: for bytes in units {
            guard let header = try? Unit.Header(nalUnit: bytes) else { continue }
            guard !header.type.isVCL else {
                guard found != nil else { continue }
                // The set that the slice is coded with; the first one where the slice cannot be read.
                if let slice = try? Unit(nalUnit: bytes, in: parameterSets) {
                    parameterSets.update(with: slice)
                    found = parameterSets.activeSPS.map { Self($0) } ?? found
                }
                break units
            }
            do {
                let unit = try Unit(nalUnit: bytes, in: parameterSets)
                parameterSets.update(with: unit)
                found = found ?? unit.sps.map { Self($0) }
                payloads += unit.commonPayloads
            } catch {
                failure = failure ?? (Unit.isSequence(header) ? error : nil)
            }
        }
        guard let found else {
            guard let failure else { return nil }
            throw failure
        }
        self = found
        for payload in payloads {
            switch payload {
            case .masteringDisplay(let display): masteringDisplay = display
            case .contentLightLevel(let light): contentLightLevel = light
            case .alternativeTransfer(let transfer): alternativeTransfer = transfer
            default: break
            }
        }
    }
}

/// What a codec's units have that a description is made of.
private protocol DescribedUnit: CodedNALUnit {
    /// Whether a unit is a sequence parameter set of the base layer.
    static func isSequence(_ header: Header) -> Bool

    /// The base layer's sequence parameter set; nil for other units.
    var sps: Context.SPS? { get }

    /// The base layer's SEI payloads that both codecs have.
    var commonPayloads: [CommonSEIPayload] { get }
}

extension H264NALUnit: DescribedUnit {
    fileprivate static func isSequence(_ header: H264NALUnitHeader) -> Bool { header.type == .sps }

    fileprivate var sps: H264SPS? {
        guard case .sps(let sps) = payload else { return nil }
        return sps
    }

    fileprivate var commonPayloads: [CommonSEIPayload] {
        guard case .sei(let messages) = payload else { return [] }
        return messages.payloads.compactMap { if case .common(let payload) = $0 { payload } else { nil } }
    }
}

extension HEVCNALUnit: DescribedUnit {
    fileprivate static func isSequence(_ header: HEVCNALUnitHeader) -> Bool {
        header.type == .sps && header.layerID == 0
    }

    fileprivate var sps: HEVCSPS? {
        guard case .sps(let sps) = payload, header.layerID == 0 else { return nil }
        return sps
    }

    fileprivate var commonPayloads: [CommonSEIPayload] {
        guard case .sei(let messages) = payload, header.layerID == 0 else { return [] }
        return messages.payloads.compactMap { if case .common(let payload) = $0 { payload } else { nil } }
    }
}
