// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import Logging
import ParameterSets

/// An open libx264 encoder.
///
/// The library takes a copy of the samples in `encode`, so no pixel buffer is held. A picture passes without an
/// allocation here once the array of NAL units has grown.
final class X264Encoder: FrameEncoder {
    let reorderDepth: Int
    let maximumDelay: Int
    let parameterSets: [[UInt8]]?
    /// What differs from the settings: first for the rate in force, then what was found at opening.
    var adjustments: [Adjustment] { rateAdjustments + otherAdjustments }

    private var rateAdjustments: [Adjustment]
    private var otherAdjustments: [Adjustment]
    private let handle: X264Handle
    private var settings: ResolvedSettings
    /// Whether the library may change the average, which depends on how it was opened.
    private let isConstantBitRate: Bool
    /// What the level in force allows; nil where the standard has no such level.
    private let levelLimits: KilobitRate.Buffer?
    private let rates: Confined<X264RateDriver>
    /// The rate that the library was told last; nil where native options decide the rate or ask for a buffer model
    /// (HRD), with which no rate is changed.
    private var rateInForce: X264Rate?
    private var pauses: X264Pauses
    private let filler = Confined(X264Filler())
    private let input: X264Picture
    private let output: X264Picture
    private let nalUnits = Confined<[UnsafeRawBufferPointer]>([])
    /// Nil where the library repeats the parameter sets itself.
    private let headers: RepeatedHeaders?

    init(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) {
        let parameters = try X264Parameters(settings)
        handle = try X264Trial.explained(settings) { () throws(EncoderError) in
            try X264Handle(opening: parameters, logger: logger)
        }
        let inForce = handle.parameters
        self.settings = settings
        isConstantBitRate = parameters.rate.isConstantBitRate
        rates = Confined(
            X264RateDriver(try X264Rate(settings), settings.plan, followsTimestamps: inForce.b_vfr_input != 0))
        let isInCharge = inForce.i_nal_hrd == X264_NAL_HRD_NONE && parameters.rate.isInForce(in: inForce)
        rateInForce = isInCharge ? parameters.rate : nil
        pauses = X264Pauses(
            timescale: settings.plan.timescale, framesPerSecond: settings.plan.frameRate.framesPerSecond)
        input = X264Picture(settings.picture)
        output = X264Picture(settings.picture)
        maximumDelay = handle.maximumDelayedFrames
        let parameterSets = try handle.parameterSets()
        self.parameterSets = parameterSets
        headers = inForce.b_repeat_headers == 0 ? RepeatedHeaders(parameterSets) : nil
        reorderDepth =
            inForce.i_bframe == 0 ? 0 : (inForce.i_bframe_pyramid == X264_B_PYRAMID_NONE ? 1 : 2)
        rateAdjustments = parameters.rate.adjustments
        otherAdjustments = parameters.adjustments(inForce: inForce)
        let profile = parameterSets.first.flatMap { try? H264SPS(nalUnit: $0) }?.profile
        levelLimits = profile.flatMap { X264Level.mostKilobits(Int(inForce.i_level_idc), profile: $0) }
        otherAdjustments += Self.differences(settings.request, profile: profile)
        let maximumDelay = maximumDelay
        otherAdjustments += try X264Trial.explained(settings) { () throws(EncoderError) in
            try settings.request.checkDelay(of: maximumDelay, heldBy: X264Latency(preset: inForce).held)
        }
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        try followRate(at: picture.ticks)
        try input.describe(picture, ticks: passed(at: picture.ticks))
        try deliver(try handle.encode(input.pointer, into: output.pointer), to: emit)
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        while handle.delayedFrames > 0 {
            try deliver(try handle.encode(nil, into: output.pointer), to: emit)
        }
        return .ended
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        let change = try X264LiveChange(
            from: settings, to: live, isConstantBitRate: isConstantBitRate, limits: levelLimits)
        switch change {
        case .none: break
        case .impossible: return .withAnotherEncoder
        case .rate(let rate):
            guard rateInForce != nil else { return .withAnotherEncoder }
            rates.value.change(to: rate)
        }
        settings.live = live.leavingIntervals(of: settings.live)
        rateAdjustments = try X264Rate(settings).adjustments
        return .fromNextPicture
    }

    /// The time of a picture without the pauses that count as less.
    private func passed(at ticks: Int64) -> Int64 {
        let rate = rates.value.rate
        var most = settings.live.asked.dataRateLimits.isEmpty ? nil : X264Pauses.mostSeconds
        if rate.hasFiller, let buffer = rate.buffer { most = Double(buffer.size) / Double(buffer.maximum) }
        return pauses.ticks(ticks, bufferSeconds: most)
    }

    /// Sets the library to the rate for the picture at `ticks`, where that is another than for the last.
    private func followRate(at ticks: Int64) throws(EncoderError) {
        guard let rateInForce else { return }
        let rate = rates.value.rate(at: ticks)
        guard !rate.isSame(as: rateInForce) else { return }
        var parameters = handle.parameters
        rate.apply(to: &parameters)
        try handle.reconfigure(&parameters)
        self.rateInForce = rate
    }

    // MARK: - Output

    private func deliver(
        _ units: UnsafeBufferPointer<x264_nal_t>, to emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        guard !units.isEmpty else { return }
        let isReference = Self.sort(units, into: &nalUnits.value)
        if rates.value.rate.hasFiller { filler.value.balance(&nalUnits.value, countedAs: units) }
        if output.isKeyFrame {
            headers?.insert(into: &nalUnits.value) { Int32($0 & 0x1F) == Int32(NAL_AUD.rawValue) }
        }
        try emit(
            .coded(
                CodedPicture(
                    id: output.id, pictureType: output.pictureType, isReference: isReference,
                    isRecoveryPoint: output.isRecoveryPoint, nalUnits: nalUnits.value)))
    }

    /// Leaves in `nalUnits` what belongs to the picture; whether others are predicted from it.
    private static func sort(
        _ units: UnsafeBufferPointer<x264_nal_t>, into nalUnits: inout [UnsafeRawBufferPointer]
    ) -> Bool {
        nalUnits.removeAll(keepingCapacity: true)
        var isReference = false
        for unit in units {
            let bytes = X264Handle.bytes(of: unit)
            if unit.i_type == NAL_SEI.rawValue, isVersion(bytes) { continue }
            nalUnits.append(bytes)
            if slices.contains(unit.i_type) { isReference = unit.i_ref_idc > 0 }
        }
        return isReference
    }

    /// Whether an SEI unit is the one in which libx264 names itself and its options, in the stream's first picture
    /// only.
    ///
    /// Behind the unit's header stands payload type 5 (user data unregistered), then its size, then the UUID, which
    /// needs no emulation prevention.
    static func isVersion(_ unit: UnsafeRawBufferPointer) -> Bool {
        guard unit.count > 1, unit[1] == 5 else { return false }
        return unit.dropFirst(2).drop { $0 == 0xFF }.dropFirst().starts(with: versionUUID)
    }

    private static let versionUUID: [UInt8] = [
        0xDC, 0x45, 0xE9, 0xBD, 0xE6, 0xD9, 0x48, 0xB7, 0x96, 0x2C, 0xD8, 0x20, 0xD9, 0x23, 0xEE, 0xEF,
    ]

    private static let slices = Int32(NAL_SLICE.rawValue)...Int32(NAL_SLICE_IDR.rawValue)

    // MARK: - What became of the settings

    /// What only the parameter sets tell.
    private static func differences(_ request: SessionConfiguration, profile written: H264Profile?) -> [Adjustment] {
        var differences: [Adjustment] = []
        if let profile = request.profileLevel.profile, let written {
            if profile == .h264ConstrainedHigh, written.profileIdc == profile.indicator {
                differences.append(
                    Adjustment(
                        .profileLevel, requested: profile.name, used: "\(written) without B pictures",
                        reason: "x264 does not set the constraint flags"))
            } else if written.profileIdc != profile.indicator {
                differences.append(
                    Adjustment(
                        .profileLevel, requested: profile.name, used: "\(written)",
                        reason: "preset and settings use nothing that \(written) does not have"))
            }
        }
        return differences
    }
}
