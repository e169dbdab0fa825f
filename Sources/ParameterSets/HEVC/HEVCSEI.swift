// SPDX-License-Identifier: MIT

/// What an HEVC SEI message tells (annex D).
@nonexhaustive
public enum HEVCSEIPayload: SEIPayload {
    /// Payloads that H.264 has too, and those not known.
    case common(CommonSEIPayload)
    /// Type 0: `buffering_period()`.
    case bufferingPeriod(HEVCBufferingPeriod)
    /// Type 1: `pic_timing()`.
    case picTiming(HEVCPicTiming)
    /// Type 6: `recovery_point()`.
    case recoveryPoint(HEVCRecoveryPoint)
    /// Type 47: `display_orientation()`.
    case displayOrientation(HEVCDisplayOrientation)
    /// Type 129: `active_parameter_sets()`.
    case activeParameterSets(HEVCActiveParameterSets)
    /// Type 132: `decoded_picture_hash()`.
    case decodedPictureHash(HEVCDecodedPictureHash)
    /// Type 136: `time_code()`.
    case timeCode(HEVCTimeCode)

    /// An empty payload to read into; what needs a parameter set stays bits as long as none is known.
    public init(payloadType: Int, parameterSets: HEVCParameterSets) {
        switch payloadType {
        case 0 where parameterSets.hasSPS: self = .bufferingPeriod(.init())
        case 1 where parameterSets.activeSPS != nil: self = .picTiming(.init())
        case 6: self = .recoveryPoint(.init())
        case 47: self = .displayOrientation(.init())
        case 129 where parameterSets.hasVPS: self = .activeParameterSets(.init())
        case 132: self = .decodedPictureHash(.init())
        case 136: self = .timeCode(.init())
        default: self = .common(.init(payloadType: payloadType))
        }
    }

    /// `payloadType`.
    public var payloadType: Int {
        switch self {
        case .common(let payload): payload.payloadType
        case .bufferingPeriod: 0
        case .picTiming: 1
        case .recoveryPoint: 6
        case .displayOrientation: 47
        case .activeParameterSets: 129
        case .decodedPictureHash: 132
        case .timeCode: 136
        }
    }

    /// Hands each element to `coder`.
    public mutating func code(
        with coder: inout some SyntaxCoder, parameterSets: inout HEVCParameterSets
    ) throws(ParameterSetError) {
        switch self {
        case .common(var payload):
            try payload.code(with: &coder)
            self = .common(payload)
        case .bufferingPeriod(var period):
            try period.code(with: &coder, in: parameterSets)
            parameterSets.activate(spsID: period.spsID)
            self = .bufferingPeriod(period)
        case .picTiming(let timing): self = .picTiming(try coder.coded(timing, in: parameterSets.activeSPS?.vui))
        case .recoveryPoint(let point): self = .recoveryPoint(try coder.coded(point))
        case .displayOrientation(let orientation): self = .displayOrientation(try coder.coded(orientation))
        case .activeParameterSets(let sets): self = .activeParameterSets(try coder.coded(sets, in: parameterSets))
        case .decodedPictureHash(let hash): self = .decodedPictureHash(try coder.coded(hash))
        case .timeCode(let code): self = .timeCode(try coder.coded(code))
        }
    }
}

/// `recovery_point()`: from where on pictures are right after decoding began here (D.2.8).
public struct HEVCRecoveryPoint: SyntaxStructure {
    /// `recovery_poc_cnt`, -32768...32767: the picture order count of the first right picture, less the current one's.
    public var recoveryPocCnt = 0
    /// `exact_match_flag`: from there on pictures are exactly right, not only nearly.
    public var exactMatchFlag = false
    /// `broken_link_flag`: pictures after this may show bad artefacts.
    public var brokenLinkFlag = false

    /// Here, not exactly.
    public init() {}

    /// Codes the payload.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.se("recovery_poc_cnt", &recoveryPocCnt, -32768...32767)
        try coder.flag("exact_match_flag", &exactMatchFlag)
        try coder.flag("broken_link_flag", &brokenLinkFlag)
    }
}

/// `display_orientation()`: how to turn the picture before it is shown (D.2.17).
public typealias HEVCDisplayOrientation = DisplayOrientation<HEVCOrientation>

/// A mirrored and rotated picture (D.3.17).
public struct HEVCOrientation: SyntaxStructure {
    /// `hor_flip`: left and right are exchanged first.
    public var horFlip = false
    /// `ver_flip`: top and bottom are exchanged first.
    public var verFlip = false
    /// `anticlockwise_rotation`, 0...65535, in 65536ths of a full turn.
    public var anticlockwiseRotation = 0
    /// `display_orientation_persistence_flag`: holds for the pictures that follow too.
    public var persistenceFlag = true

    /// Upright.
    public init() {}

    /// Codes `hor_flip` up to `display_orientation_persistence_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("hor_flip", &horFlip)
        try coder.flag("ver_flip", &verFlip)
        try coder.u("anticlockwise_rotation", &anticlockwiseRotation, 16)
        try coder.flag("display_orientation_persistence_flag", &persistenceFlag)
    }
}
