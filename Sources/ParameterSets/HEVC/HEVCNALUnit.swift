// SPDX-License-Identifier: MIT

/// A whole HEVC NAL unit (7.3.1.1).
public struct HEVCNALUnit: CodedNALUnit {
    /// The parameter sets of the stream up to the unit.
    public typealias Context = HEVCParameterSets

    /// What the unit holds (table 7-1).
    @nonexhaustive
    public enum Payload: Hashable, Sendable {
        /// Type 32.
        case vps(HEVCVPS)
        /// Type 33.
        case sps(HEVCSPS)
        /// Type 34.
        case pps(HEVCPPS)
        /// Types 0...9 and 16...21 of the base layer: the header, and `slice_segment_data()` with the trailing bits.
        case sliceSegment(HEVCSliceSegmentHeader, data: OpaqueBits)
        /// Type 38, with the number of its bytes.
        case filler(FillerData)
        /// Types 36 and 37, end of sequence and end of bitstream, which hold nothing.
        case empty
        /// Types 39 and 40.
        case sei(SEIMessages<HEVCSEIPayload>)
        /// Any other type, and slice segments of higher layers, with their bits.
        case other(OpaqueBits)
        /// Type 35.
        case accessUnitDelimiter(HEVCAccessUnitDelimiter)

        /// A payload to read into.
        fileprivate init(for header: HEVCNALUnitHeader) {
            self =
                switch header.type {
                case .vps: .vps(.init())
                case .sps: .sps(.init())
                case .pps: .pps(.init())
                case .filler: .filler(.init())
                case .endOfSequence, .endOfBitstream: .empty
                case .prefixSEI, .suffixSEI: .sei(.init())
                case .accessUnitDelimiter: .accessUnitDelimiter(.init())
                case let type where type.isSliceSegment && header.layerID == 0: .sliceSegment(.init(), data: .init())
                default: .other(.init())
                }
        }

        /// Whether a unit with this header holds this; unknown bits may stand for anything.
        fileprivate func fits(_ header: HEVCNALUnitHeader) -> Bool {
            switch (self, Payload(for: header)) {
            case (.other, _), (.vps, .vps), (.sps, .sps), (.pps, .pps), (.sliceSegment, .sliceSegment),
                (.filler, .filler), (.empty, .empty), (.sei, .sei), (.accessUnitDelimiter, .accessUnitDelimiter):
                true
            default: false
            }
        }
    }

    /// What the unit holds; it has to fit ``header``.
    public var payload = Payload.empty
    /// Zero bytes after the trailing bits, `cabac_zero_words`, an even number in 0...2^28.
    public var zeroBytes = 0
    /// The unit's header.
    public var header = HEVCNALUnitHeader()

    /// Makes a unit.
    public init(header: HEVCNALUnitHeader, payload: Payload) {
        (self.header, self.payload) = (header, payload)
    }

    /// A unit to read into.
    public init() {}

    /// Codes header and payload.
    public mutating func code(with coder: inout some SyntaxCoder, in parameterSets: Context) throws(ParameterSetError) {
        try header.code(with: &coder, in: ())
        if coder.isReading {
            payload = Payload(for: header)
        }
        guard payload.fits(header) else { throw coder.misfit(header) }
        let context = UnitContext(header: header, parameterSets: parameterSets)
        switch payload {
        case .vps(let vps): payload = .vps(try coder.coded(vps))
        case .sps(let sps): payload = .sps(try coder.coded(sps, in: context))
        case .pps(let pps): payload = .pps(try coder.coded(pps))
        case .sliceSegment(let segment, var data):
            let segment = try coder.coded(segment, in: context)
            try coder.opaque("slice_segment_data", &data, count: coder.remainingBits)
            payload = .sliceSegment(segment, data: data)
        case .filler(let filler): payload = .filler(try coder.coded(filler))
        case .empty: try coder.noMoreData()
        case .sei(let messages): payload = .sei(try coder.coded(messages, in: parameterSets))
        case .other(var bits):
            try coder.opaque("rbsp_data", &bits, count: coder.remainingBits)
            payload = .other(bits)
        case .accessUnitDelimiter(let delimiter): payload = .accessUnitDelimiter(try coder.coded(delimiter))
        }
    }
}

extension HEVCNALUnitType {
    /// Types 0...9 and 16...21, whose slice segments have a known syntax.
    public var isSliceSegment: Bool { (0...9).contains(rawValue) || (16...21).contains(rawValue) }
}

extension HEVCParameterSets: StreamParameterSets {
    /// Adds a parameter set; a slice segment or buffering period of the base layer makes its SPS the one in use.
    public mutating func update(with unit: HEVCNALUnit) {
        let layerID = unit.header.layerID
        switch unit.payload {
        case .vps(let vps): insert(vps)
        case .sps(let sps): insert(sps, layerID: layerID)
        case .pps(let pps): insert(pps, layerID: layerID)
        case .sliceSegment(let segment, _): activate(ppsID: segment.ppsID)
        case .sei(let messages) where layerID == 0:
            for case .bufferingPeriod(let period) in messages.payloads {
                activate(spsID: period.spsID)
            }
        default: break
        }
    }
}

extension HEVCSliceSegmentHeader {
    /// Reads the header of a slice segment's NAL unit, no more of the unit than it needs.
    ///
    /// - Parameters:
    ///   - nalUnit: The unit as it stands in a stream, without start code or length.
    ///   - parameterSets: Those of the stream up to the unit.
    /// - Throws: ``ParameterSetError`` naming field, bit offset, value and legal range where they are known.
    public init(nalUnit: some ByteView & ~Escapable, in parameterSets: HEVCParameterSets) throws(ParameterSetError) {
        self = try nalUnit.withSpan { (bytes) throws(ParameterSetError) in
            try SliceHeaderReading.header(of: bytes, in: parameterSets, isSlice: \.isSliceSegment)
        }
    }
}
