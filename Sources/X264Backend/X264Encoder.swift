// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import Logging

/// An open libx264 encoder.
///
/// The library takes a copy of the samples in `encode`, so no pixel buffer is held. A picture passes without an
/// allocation here once the array of NAL units has grown.
final class X264Encoder: FrameEncoder {
    let reorderDepth: Int
    let maximumDelay: Int
    private(set) var adjustments: [Adjustment]

    private let handle: X264Handle
    private var settings: ResolvedSettings
    /// Whether the library may change the average, which depends on how it was opened.
    private let isConstantBitRate: Bool
    private let followsTimestamps: Bool
    private var input: X264Picture
    private var output = x264_picture_t()
    private var nalUnits: [UnsafeRawBufferPointer] = []
    private let precedingIDRPicID: Int?
    private var idrCount = 0

    init(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) {
        let parameters = try X264Parameters(settings)
        handle = try X264Handle(opening: parameters, logger: logger)
        let inForce = handle.parameters
        self.settings = settings
        // It says nothing of pictures to come, which updates are compared for.
        self.settings.precedingIDRPicID = nil
        precedingIDRPicID = settings.precedingIDRPicID
        isConstantBitRate = parameters.rate.isConstantBitRate
        followsTimestamps = inForce.b_vfr_input != 0
        input = X264Picture(settings)
        maximumDelay = handle.maximumDelayedFrames
        reorderDepth =
            inForce.i_bframe == 0 ? 0 : (inForce.i_bframe_pyramid == X264_B_PYRAMID_NONE ? 1 : 2)
        adjustments = parameters.adjustments
        adjustments += try differences(settings, inForce: inForce)
        guard maximumDelay <= settings.maxFrameDelayCount ?? .max else {
            throw EncoderError(
                .conflictingSettings,
                reason: "x264 holds \(maximumDelay) frames with these options, expected at most "
                    + "\(settings.maxFrameDelayCount ?? .max)", setting: .maxFrameDelayCount)
        }
    }

    func encode(
        _ picture: SourcePicture, emit: (borrowing EncoderOutput) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        try input.show(picture)
        let units = try input.withUnsafePicture { (raw) throws(EncoderError) in
            try handle.encode(raw, into: &output)
        }
        try deliver(units, to: emit)
    }

    func drain(emit: (borrowing EncoderOutput) throws(EncoderError) -> Void) throws(EncoderError) {
        while handle.delayedFrames > 0 {
            try deliver(try handle.encode(nil, into: &output), to: emit)
        }
    }

    func update(_ settings: ResolvedSettings) throws(EncoderError) -> Bool {
        let change = try X264LiveChange(
            from: self.settings, to: settings, isConstantBitRate: isConstantBitRate,
            followsTimestamps: followsTimestamps)
        switch change {
        case .none: break
        case .impossible: return false
        case .rate(let rate):
            var parameters = handle.parameters
            // Then the library keeps its buffer as it is.
            guard parameters.i_nal_hrd == X264_NAL_HRD_NONE else { return false }
            rate.apply(to: &parameters)
            try handle.reconfigure(&parameters)
        }
        self.settings = settings
        return true
    }

    // MARK: - Output

    private func deliver(
        _ units: UnsafeBufferPointer<x264_nal_t>, to emit: (borrowing EncoderOutput) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        guard !units.isEmpty else { return }
        nalUnits.removeAll(keepingCapacity: true)
        var isReference = false
        for unit in units {
            // 3 bytes for slices after the first NAL unit of a picture, else 4.
            let startCode = unit.b_long_startcode != 0 ? 4 : 3
            nalUnits.append(
                UnsafeRawBufferPointer(start: unit.p_payload + startCode, count: Int(unit.i_payload) - startCode))
            if Self.slices.contains(unit.i_type) { isReference = unit.i_ref_idc > 0 }
        }
        let isIDR = output.i_type == X264_TYPE_IDR
        var picture = CodedPicture(
            id: Int(bitPattern: output.opaque), pictureType: Self.pictureType(output.i_type), isReference: isReference,
            isRecoveryPoint: output.b_keyframe != 0 && !isIDR, nalUnits: nalUnits)
        guard isIDR else {
            try emit(.coded(picture))
            return
        }
        // The library alternates between 0 and 1.
        let idrPicID = idrCount & 1
        idrCount += 1
        guard idrCount == 1, precedingIDRPicID == idrPicID else {
            picture.idrPicID = idrPicID
            try emit(.coded(picture))
            return
        }
        var rewriter = try H264IDRRewriter()
        picture.nalUnits = try rewriter.rewrite(nalUnits)
        picture.idrPicID = H264IDRRewriter.replacement(for: idrPicID)
        try emit(.coded(picture))
    }

    private static let slices = Int32(NAL_SLICE.rawValue)...Int32(NAL_SLICE_IDR.rawValue)

    private static func pictureType(_ type: Int32) -> AccessUnit.PictureType {
        switch type {
        case X264_TYPE_IDR, X264_TYPE_I, X264_TYPE_KEYFRAME: .i
        case X264_TYPE_P: .p
        default: .b
        }
    }

    // MARK: - What became of the settings

    /// What only the open encoder tells.
    private func differences(
        _ settings: ResolvedSettings, inForce: x264_param_t
    ) throws(EncoderError) -> [Adjustment] {
        var differences: [Adjustment] = []
        let threads = Int(inForce.i_threads)
        let isNoted = adjustments.contains { $0.setting == .threadCount }
        if settings.threadCount != 0, threads != settings.threadCount, !isNoted, settings.nativeOptions.isEmpty {
            differences.append(
                Adjustment(
                    .threadCount, requested: "\(settings.threadCount)", used: "\(threads)",
                    reason: "x264 has no use for more with pictures of this size"))
        }
        if let profile = settings.profile, let idc = try profileIndicator() {
            let name = X264Names.profile(idc: idc)
            if profile == .h264ConstrainedHigh, idc == 100 {
                differences.append(
                    Adjustment(
                        .profileLevel, requested: profile.name, used: "\(name) without B pictures",
                        reason: "x264 does not set the constraint flags"))
            } else if idc != Self.profileIndicator(profile) {
                differences.append(
                    Adjustment(
                        .profileLevel, requested: profile.name, used: name,
                        reason: "preset and settings use nothing that \(name) does not have"))
            }
        }
        return differences
    }

    private static func profileIndicator(_ profile: Profile) -> UInt8 {
        switch profile {
        case .h264Baseline, .h264ConstrainedBaseline: 66
        case .h264Main: 77
        case .h264High10: 110
        default: 100
        }
    }

    /// `profile_idc` of the sequence parameter set (7.3.2.1.1): the byte behind the NAL unit's header.
    private func profileIndicator() throws(EncoderError) -> UInt8? {
        for unit in try handle.headers() where unit.i_type == Int32(NAL_SPS.rawValue) {
            return unit.p_payload[(unit.b_long_startcode != 0 ? 4 : 3) + 1]
        }
        return nil
    }
}
