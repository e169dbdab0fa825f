// SPDX-License-Identifier: MIT

/// What an H.264 SEI message tells (annex D).
@nonexhaustive
public enum H264SEIPayload: SEIPayload {
    /// Type 0: `buffering_period()`.
    case bufferingPeriod(H264BufferingPeriod)
    /// Type 1: `pic_timing()`.
    case picTiming(H264PicTiming)
    /// Type 6: `recovery_point()`.
    case recoveryPoint(H264RecoveryPoint)
    /// Type 47: `display_orientation()`.
    case displayOrientation(H264DisplayOrientation)
    /// Payloads that HEVC has too, and those not known.
    case common(CommonSEIPayload)

    /// `payloadType`.
    public var payloadType: Int {
        switch self {
        case .bufferingPeriod: 0
        case .picTiming: 1
        case .recoveryPoint: 6
        case .displayOrientation: 47
        case .common(let payload): payload.payloadType
        }
    }

    /// An empty payload to read into; picture timing stays bits as long as the SPS in use is not known.
    public init(payloadType: Int, parameterSets: H264ParameterSets) {
        self =
            switch payloadType {
            case 0: .bufferingPeriod(.init())
            case 1 where parameterSets.activeSPS != nil: .picTiming(.init())
            case 6: .recoveryPoint(.init())
            case 47: .displayOrientation(.init())
            default: .common(.init(payloadType: payloadType))
            }
    }

    /// Hands each element to `coder`.
    public mutating func code(
        with coder: inout some SyntaxCoder, parameterSets: inout H264ParameterSets
    ) throws(ParameterSetError) {
        switch self {
        case .bufferingPeriod(var payload):
            try payload.code(with: &coder, in: parameterSets)
            parameterSets.activate(spsID: payload.spsID)
            self = .bufferingPeriod(payload)
        case .picTiming(let payload): self = .picTiming(try coder.coded(payload, in: parameterSets.activeSPS))
        case .recoveryPoint(let payload): self = .recoveryPoint(try coder.coded(payload))
        case .displayOrientation(let payload): self = .displayOrientation(try coder.coded(payload))
        case .common(var payload):
            try payload.code(with: &coder)
            self = .common(payload)
        }
    }
}

/// `recovery_point()`: where pictures are right again after a random access (D.1.8).
public struct H264RecoveryPoint: SyntaxStructure {
    /// `recovery_frame_cnt`, 0...65535.
    public var recoveryFrameCnt = 0
    /// `exact_match_flag`.
    public var exactMatchFlag = false
    /// `broken_link_flag`.
    public var brokenLinkFlag = false
    /// `changing_slice_group_idc`, 0...3.
    public var changingSliceGroupIdc = 0

    /// At once, not exact.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("recovery_frame_cnt", &recoveryFrameCnt, 0...65535)
        try coder.flag("exact_match_flag", &exactMatchFlag)
        try coder.flag("broken_link_flag", &brokenLinkFlag)
        try coder.u("changing_slice_group_idc", &changingSliceGroupIdc, 2)
    }
}

/// `display_orientation()`: how to turn the picture before it is shown (D.1.27).
public typealias H264DisplayOrientation = DisplayOrientation<H264Orientation>

/// A mirrored and rotated picture (D.2.27).
public struct H264Orientation: SyntaxStructure {
    /// `hor_flip`.
    public var horFlip = false
    /// `ver_flip`.
    public var verFlip = false
    /// `anticlockwise_rotation`, 0...65535, in units of 360 / 65536 degrees, after the flips.
    public var anticlockwiseRotation = 0
    /// `display_orientation_repetition_period`, 0...16384.
    public var repetitionPeriod = 0
    /// `display_orientation_extension_flag`.
    public var extensionFlag = false

    /// Upright.
    public init() {}

    /// Codes `hor_flip` up to `display_orientation_extension_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("hor_flip", &horFlip)
        try coder.flag("ver_flip", &verFlip)
        try coder.u("anticlockwise_rotation", &anticlockwiseRotation, 16)
        try coder.ue("display_orientation_repetition_period", &repetitionPeriod, 0...16384)
        try coder.flag("display_orientation_extension_flag", &extensionFlag)
    }
}
