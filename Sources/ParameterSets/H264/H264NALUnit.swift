// SPDX-License-Identifier: MIT

/// A whole H.264 NAL unit (7.3.1).
public struct H264NALUnit: CodedNALUnit {
    /// The parameter sets of the stream up to the unit.
    public typealias Context = H264ParameterSets

    /// A slice's header and its data (7.3.2.8, 7.3.2.9.1).
    public struct Slice: Hashable, Sendable {
        /// `slice_header()`.
        public var header = H264SliceHeader()
        /// `slice_id`, 0...139263; data partition A.
        public var sliceID: Int?
        /// `slice_data()` after its alignment, and the trailing bits.
        public var data = OpaqueBits()

        /// An I slice without data.
        public init() {}
    }

    /// What the unit's type says is inside (table 7-1).
    @nonexhaustive
    public enum Payload: Hashable, Sendable {
        /// Types 1, 2, 5 and 19.
        case slice(Slice)
        /// Type 6.
        case sei(SEIMessages<H264SEIPayload>)
        /// Type 7.
        case sps(H264SPS)
        /// Type 8.
        case pps(H264PPS)
        /// Type 9.
        case accessUnitDelimiter(H264AccessUnitDelimiter)
        /// Types 10 and 11, end of sequence and end of stream, which hold nothing.
        case empty
        /// Type 12, with the number of its bytes.
        case filler(FillerData)
        /// Type 13.
        case spsExtension(H264SPSExtension)
        /// Type 15.
        case subsetSPS(H264SubsetSPS)
        /// Any other type, with its bits.
        case other(OpaqueBits)

        /// A payload to read into.
        fileprivate init(for header: H264NALUnitHeader) {
            self =
                switch header.type {
                case .slice, .slicePartitionA, .idrSlice, .auxiliarySlice: .slice(.init())
                case .sei: .sei(.init())
                case .sps: .sps(.init())
                case .pps: .pps(.init())
                case .accessUnitDelimiter: .accessUnitDelimiter(.init())
                case .endOfSequence, .endOfStream: .empty
                case .filler: .filler(.init())
                case .spsExtension: .spsExtension(.init())
                case .subsetSPS: .subsetSPS(.init())
                default: .other(.init())
                }
        }

        /// Whether a unit with this header holds this; unknown bits may stand for anything.
        fileprivate func fits(_ header: H264NALUnitHeader) -> Bool {
            switch (self, Payload(for: header)) {
            case (.other, _), (.slice, .slice), (.sei, .sei), (.sps, .sps), (.pps, .pps), (.empty, .empty),
                (.accessUnitDelimiter, .accessUnitDelimiter), (.filler, .filler), (.spsExtension, .spsExtension),
                (.subsetSPS, .subsetSPS):
                true
            default: false
            }
        }
    }

    /// The unit's header.
    public var header = H264NALUnitHeader()
    /// What is inside; a case that does not fit ``header`` cannot be written.
    public var payload = Payload.other(.init())
    /// Zero bytes after the trailing bits, an even number in 0...2^28.
    public var zeroBytes = 0

    /// A unit of unspecified type.
    public init() {}

    /// Makes a unit.
    public init(header: H264NALUnitHeader, payload: Payload) {
        self.header = header
        self.payload = payload
    }

    /// Codes header and payload.
    public mutating func code(with coder: inout some SyntaxCoder, in parameterSets: Context) throws(ParameterSetError) {
        try header.code(with: &coder, in: ())
        if coder.isReading {
            payload = Payload(for: header)
        }
        guard payload.fits(header) else { throw coder.misfit(header) }
        try codePayload(with: &coder, in: parameterSets)
    }

    private mutating func codePayload(
        with coder: inout some SyntaxCoder, in parameterSets: Context
    ) throws(ParameterSetError) {
        switch payload {
        case .slice(let slice):
            payload = .slice(try coder.coded(slice, in: .init(header: header, parameterSets: parameterSets)))
        case .sei(let messages): payload = .sei(try coder.coded(messages, in: parameterSets))
        case .sps(let sps): payload = .sps(try coder.coded(sps))
        case .pps(let pps): payload = .pps(try coder.coded(pps, in: parameterSets))
        case .accessUnitDelimiter(let delimiter): payload = .accessUnitDelimiter(try coder.coded(delimiter))
        case .empty: try coder.noMoreData()
        case .filler(let filler): payload = .filler(try coder.coded(filler))
        case .spsExtension(let spsExtension): payload = .spsExtension(try coder.coded(spsExtension))
        case .subsetSPS(let subset): payload = .subsetSPS(try coder.coded(subset))
        case .other(var bits):
            try coder.opaque("rbsp_data", &bits, count: coder.remainingBits)
            payload = .other(bits)
        }
    }
}

extension H264NALUnit.Slice: SyntaxStructure {
    /// Codes header and data; the context is the unit's header and the parameter sets of the stream up to it.
    public mutating func code(
        with coder: inout some SyntaxCoder, in context: H264SliceHeader.Context
    ) throws(ParameterSetError) {
        try header.code(with: &coder, in: context)
        try coder.ue("slice_id", &sliceID, 0...139_263, when: context.header.type == .slicePartitionA)
        // slice_data() begins with ones up to a whole byte when it is CABAC (7.3.4).
        if context.parameterSets.pps(header.ppsID)?.entropyCodingModeFlag == true {
            while !coder.isByteAligned {
                try coder.fixed("cabac_alignment_one_bit", 1, 1)
            }
        }
        try coder.opaque("slice_data", &data, count: coder.remainingBits)
    }
}

extension H264ParameterSets: StreamParameterSets {
    /// Adds an SPS or PPS; a slice or buffering period makes its SPS the active one.
    public mutating func update(with unit: H264NALUnit) {
        switch unit.payload {
        case .sps(let sps):
            insert(sps)
        case .pps(let pps):
            insert(pps)
        case .slice(let slice):
            activate(ppsID: slice.header.ppsID)
        case .sei(let messages):
            for case .bufferingPeriod(let period) in messages.payloads {
                activate(spsID: period.spsID)
            }
        default:
            break
        }
    }
}
