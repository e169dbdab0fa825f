// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport

/// Rate control in libx264's terms: a pure map of ``LiveParameters/rate``.
///
/// Quantizers in the API are those of eight-bit video, 0 to 51; libx264's own scale has 6 more for each bit above
/// eight, so that 12 is added at ten bits. Rate factors are on the eight-bit scale in both.
struct X264Rate: Equatable {
    /// What decides the bits of a picture.
    enum Method: Equatable {
        /// `qp`, on the library's scale; 0 is lossless.
        case quantizer(Int)
        /// `crf`.
        case factor(Float)
        /// `bitrate`, in units of 1000 bit/s.
        case average(kilobits: Int)
    }

    private(set) var method: Method
    /// `vbv-maxrate` and `vbv-bufsize`.
    private(set) var buffer: KilobitRate.Buffer?
    /// `filler`: whether what pictures leave of the rate is filled up.
    let hasFiller: Bool
    private(set) var adjustments: [Adjustment] = []

    /// The program's own default.
    static let defaultFactor: Float = 23
    /// The largest rates and sizes the library takes, in units of 1000 bits; it clips larger ones without an error.
    private static let mostKilobits = 2_000_000

    /// Maps the rate of `settings`.
    ///
    /// - Throws: ``EncoderError`` for a rate out of range, and for a constant quantizer with a buffer or with bounds.
    init(_ settings: ResolvedSettings) throws(EncoderError) {
        let offset = 6 * (settings.picture.bitDepth - 8)
        method = .factor(Self.defaultFactor)
        hasFiller = settings.live.rate.control.isConstantBitRate
        switch settings.live.rate.control {
        case .automatic, .averageBitRate, .constantBitRate, .variableBitRate: break
        case .constantRateFactor(let factor): method = .factor(Float(factor))
        case .constantQuantizer(let quantizer):
            try Self.checkAlone(settings.live)
            method = .quantizer(quantizer + offset)
        case .quality(let quality): setQuality(quality, settings)
        }
        var rate = settings.live.rate
        if rate.buffer == nil, let level = settings.plan.level { rate.buffer = keep(level, settings) }
        // Where more pictures come than the library was opened for, each is counted as the time that it lasts.
        let framesPerSecond = max(settings.plan.frameRate.framesPerSecond, settings.live.pace?.framesPerSecond ?? 0)
        let counted = try KilobitRate(
            rate, framesPerSecond: min(max(framesPerSecond, 0.01), 256), most: Self.mostKilobits, library: "x264")
        if let average = counted.average { method = .average(kilobits: average) }
        buffer = counted.buffer
        adjustments += counted.adjustments
    }

    /// Whether bit rates are bound so tightly that the library treats the stream as one of constant rate.
    ///
    /// Only then does it change the average of a running stream; else it keeps the one it was opened with.
    var isConstantBitRate: Bool {
        guard case .average(let kilobits) = method, let buffer else { return false }
        return buffer.maximum <= kilobits
    }

    /// This rate with a smaller buffer, and each picture counted as so many frames.
    ///
    /// - Parameters:
    ///   - bufferSize: In units of 1000 bits.
    ///   - frames: 1 leaves the rates as they are.
    ///   - framesPerSecond: What the library was opened with. No picture gets more than the buffer holds, which the
    ///     library would make larger.
    /// - Returns: This value itself where neither differs and the buffer holds a picture.
    func with(bufferSize: Int, frames: Double, framesPerSecond: Double) -> X264Rate {
        let most = max(Double(bufferSize) * framesPerSecond, 1)
        guard let buffer, bufferSize != buffer.size || frames != 1 || Double(buffer.maximum) > most else {
            return self
        }
        var rate = self
        let maximum = Int(min(max((Double(buffer.maximum) * frames).rounded(), 1), most))
        rate.buffer = KilobitRate.Buffer(maximum: maximum, size: bufferSize)
        if case .average(let kilobits) = method {
            rate.method = .average(kilobits: min(max(Int(Double(kilobits) * frames), 1), maximum))
        }
        return rate
    }

    /// This rate as far as a library that is opened for so many frames in a second takes it.
    func opening(framesPerSecond: Double) -> X264Rate {
        with(bufferSize: buffer?.size ?? 0, frames: 1, framesPerSecond: framesPerSecond)
    }

    /// Whether the library would be told the same.
    func isSame(as other: X264Rate) -> Bool {
        method == other.method && buffer == other.buffer && hasFiller == other.hasFiller
    }

    /// Whether an encoder with `parameters` keeps these rates, which native options may have changed.
    func isInForce(in parameters: x264_param_t) -> Bool {
        var applied = parameters
        apply(to: &applied)
        return applied.rc.i_rc_method == parameters.rc.i_rc_method && applied.rc.i_bitrate == parameters.rc.i_bitrate
            && applied.rc.i_vbv_max_bitrate == parameters.rc.i_vbv_max_bitrate
            && applied.rc.i_vbv_buffer_size == parameters.rc.i_vbv_buffer_size
    }

    /// Writes the values into `parameters`.
    func apply(to parameters: inout x264_param_t) {
        switch method {
        case .quantizer(let quantizer):
            parameters.rc.i_rc_method = X264_RC_CQP
            parameters.rc.i_qp_constant = Int32(clamping: quantizer)
        case .factor(let factor):
            parameters.rc.i_rc_method = X264_RC_CRF
            parameters.rc.f_rf_constant = factor
        case .average(let kilobits):
            parameters.rc.i_rc_method = X264_RC_ABR
            parameters.rc.i_bitrate = Int32(clamping: kilobits)
        }
        guard let buffer else { return }
        if hasFiller { parameters.rc.b_filler = 1 }
        parameters.rc.i_vbv_max_bitrate = Int32(clamping: min(buffer.maximum, Self.mostKilobits))
        parameters.rc.i_vbv_buffer_size = Int32(clamping: buffer.size)
    }

    // MARK: - Modes

    /// The rate factor of a quality below 1: straight lines through 0 = 51, 0.25 = 33, 0.5 = 23, 0.75 = 16 and 1 = 1.
    ///
    /// 0.5 is the program's default; a rate factor of less than 1 would be lossless.
    static func factor(quality: Double) -> Double {
        let factors = [51.0, 33, 23, 16, 1]
        let place = min(max(quality, 0), 1) * 4
        let index = min(Int(place), factors.count - 2)
        return factors[index] + (factors[index + 1] - factors[index]) * (place - Double(index))
    }

    private mutating func setQuality(_ quality: Double, _ settings: ResolvedSettings) {
        guard quality >= 1 else {
            method = .factor(Float(Self.factor(quality: quality)))
            return
        }
        let live = settings.live
        let isFree = live.rate.buffer == nil && live.askedQuantizerBound == nil
        if isFree, settings.request.profileLevel.profile == nil {
            // Lossless; the stream becomes High 4:4:4 Predictive.
            method = .quantizer(0)
            return
        }
        method = .factor(Float(Self.factor(quality: 1)))
        adjustments.append(
            Adjustment(
                .quality, requested: "1", used: "a constant rate factor of \(Self.factor(quality: 1))",
                reason: "lossless coding needs the High 4:4:4 Predictive profile and knows no rate or quantizer limits"
            ))
    }

    private static func checkAlone(_ live: LiveParameters) throws(EncoderError) {
        guard live.rate.buffer == nil else {
            throw EncoderError(
                .conflictingSettings, reason: "a constant quantizer cannot keep a data-rate limit",
                setting: .dataRateLimits)
        }
        if let bound = live.askedQuantizerBound {
            throw EncoderError(
                .conflictingSettings, reason: "a constant quantizer with quantizer bounds, which x264 ignores",
                setting: bound)
        }
    }

    // MARK: - Level

    /// What a level allows, for a rate that nothing else bounds.
    private mutating func keep(_ level: Int, _ settings: ResolvedSettings) -> BufferModel? {
        if case .quantizer = method {
            adjustments += .levelWithoutRate(settings)
            return nil
        }
        guard let most = X264Level.mostKilobits(level, for: settings) else { return nil }
        let model = BufferModel(peakBitsPerSecond: most.maximum * 1000, bits: most.size * 1000)
        adjustments.append(
            Adjustment(
                .dataRateLimits, requested: "none",
                used: "\(model.peakBitsPerSecond) bit/s from a buffer of \(model.bits) bits",
                reason: "level \(ProfileLevel.name(level)) allows no more"))
        return model
    }
}
