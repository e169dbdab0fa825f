// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// One open encoder of libx265.
final class X265Encoder: FrameEncoder {
    let reorderDepth: Int
    let maximumDelay: Int
    /// What differs from the settings: first what was found at opening, then what the key-frame intervals in force do
    /// to limits.
    var adjustments: [Adjustment] { otherAdjustments + X265Parameters.keyFramesBeyondLimits(settings) }
    let parameterSets: [[UInt8]]?

    private let otherAdjustments: [Adjustment]
    /// What the library was opened with, but for key-frame intervals that the session keeps.
    private var settings: ResolvedSettings
    private let openedWith: LiveParameters
    private let format: PictureFormat
    private let forcesEveryKeyFrame: Bool
    private let handle: X265Handle
    private let input: X265Picture
    private let output: X265Picture
    private var crop: X265CropRewriter?
    /// Nil where the library repeats the headers itself.
    private let headers: RepeatedHeaders?
    private var nalUnits: [UnsafeRawBufferPointer] = []

    /// Opens libx265 with `settings`.
    init(_ settings: ResolvedSettings) throws(EncoderError) {
        let library = try X265Library(bitDepth: settings.picture.bitDepth)
        try X265Setup.checkOptions(settings, library: library)
        let setup = try X265Setup(settings, library: library)
        let handle = try setup.open(library: library)
        let running = try X265ParameterBlock(library: library, preset: nil, tune: nil)
        handle.readParameters(into: running)
        let delay = X265Delay(running.pointer.pointee, settings.request)
        let delayAdjustments = try settings.request.checkDelay(of: delay.maximumDelay, heldBy: delay.held)
        input = try X265Picture(library: library, parameters: running)
        output = try X265Picture(library: library, parameters: running)
        reorderDepth = delay.reorderDepth
        maximumDelay = delay.maximumDelay
        let used = X265Options.unscaled(
            running.pointer.pointee, openedWith: setup.parameters.pointer.pointee)
        otherAdjustments =
            setup.adjustments + delayAdjustments + setup.optionAdjustments(used)
        let rest = X265Parameters.cropBeyondLibrary(settings.picture)
        crop = rest == (0, 0) ? nil : X265CropRewriter(right: rest.right, bottom: rest.bottom)
        let headers = try Self.headers(of: handle, crop: rest)
        parameterSets = headers.filter { Self.parameterSetTypes.contains($0.type) }.map(\.bytes)
        // With SEI messages about high dynamic range the library repeats them whatever it was told.
        self.headers = running.pointer.pointee.bRepeatHeaders != 0 ? nil : RepeatedHeaders(headers.map(\.bytes))
        forcesEveryKeyFrame = X265Parameters.forcesEveryKeyFrame(settings)
        self.settings = settings
        openedWith = settings.live
        format = settings.picture
        self.handle = handle
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        try format.check(picture.pixelBuffer)
        input.describe(picture, asKeyFrame: picture.options.forceKeyFrame || forcesEveryKeyFrame)
        guard let units = try handle.encode(input.pointer, output: output.pointer) else { return }
        try deliver(units, to: emit)
    }

    func flush(emit: EncoderOutput.Handler) throws(EncoderError) -> FlushOutcome {
        while let units = try handle.encode(nil, output: output.pointer) {
            try deliver(units, to: emit)
        }
        return .ended
    }

    /// Key-frame intervals in seconds, and shorter ones in frames, are kept by the session; any other change takes
    /// another encoder.
    ///
    /// `x265_encoder_reconfig` of libx265 3.5 takes a new bit rate, returns 0 and changes nothing, with a VBV and
    /// without: it moves the encoder to another block of parameters, while rate control keeps reading the one of the
    /// opening. Of 1000, 250 and 1000 kbit/s, four seconds each of noise, came 1030, 994 and 997.
    ///
    /// `x265_encoder_reconfig_zone` reaches rate control, where the encoder was opened with a VBV and is given a zone
    /// for every picture: 1154, 222 and 1052 kbit/s came without a key frame, but half seconds of 72 to 520 at 250, and
    /// a second of 1.59 times the rate where there are 1.38 without zones. So it is not used.
    func update(_ live: LiveParameters) -> LiveParameters.Effect {
        guard live.leavingIntervals(of: openedWith) == openedWith else { return .withAnotherEncoder }
        settings.live = live
        return .fromNextPicture
    }

    private func deliver(
        _ units: UnsafeBufferPointer<x265_nal>, to emit: EncoderOutput.Handler
    ) throws(EncoderError) {
        // Types below 16 with an even number: no picture of the same sub-layer refers to it (table 7-1).
        let isReference = !units.contains { $0.type < 16 && $0.type.isMultiple(of: 2) }
        try Self.collect(units, cropped: &crop, into: &nalUnits)
        if units.contains(where: { Self.randomAccessTypes.contains($0.type) }) {
            headers?.insert(into: &nalUnits) { UInt32($0 >> 1) == UInt32(NAL_UNIT_ACCESS_UNIT_DELIMITER.rawValue) }
        }
        try emit(
            .coded(
                CodedPicture(
                    id: output.id, pictureType: output.pictureType, isReference: isReference,
                    averageQP: output.averageQP, nalUnits: nalUnits)))
    }

    private static func collect(
        _ units: UnsafeBufferPointer<x265_nal>, cropped crop: inout X265CropRewriter?,
        into nalUnits: inout [UnsafeRawBufferPointer]
    ) throws(EncoderError) {
        nalUnits.removeAll(keepingCapacity: true)
        for unit in units {
            let payload = payload(of: unit)
            switch unit.type {
            case spsType: nalUnits.append(try crop?.rewrite(payload) ?? payload)
            case fillerType: nalUnits.append(shortened(payload))
            default: nalUnits.append(payload)
            }
        }
    }

    /// A filler unit without one byte of its filler.
    ///
    /// libx265 counts a start code of three bytes with the unit, and a session puts a length or one of four before it.
    private static func shortened(_ unit: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        // A header of two bytes, and one of trailing bits at the end.
        unit.count > 3 ? unit.withoutFiller(1, headerSize: 2) : unit
    }

    private static let spsType = UInt32(NAL_UNIT_SPS.rawValue)
    private static let fillerType = UInt32(NAL_UNIT_FILLER_DATA.rawValue)
    /// Pictures that decoding can start with, BLA_W_LP to RSV_IRAP_VCL23 (table 7-1).
    private static let randomAccessTypes: ClosedRange<UInt32> = 16...23
    /// VPS, SPS and PPS.
    private static let parameterSetTypes = UInt32(NAL_UNIT_VPS.rawValue)...UInt32(NAL_UNIT_PPS.rawValue)

    /// The units that a stream starts with: parameter sets, and SEI messages that stand beside them.
    private static func headers(
        of handle: borrowing X265Handle, crop: (right: Int, bottom: Int)
    ) throws(EncoderError) -> [(type: UInt32, bytes: [UInt8])] {
        var headers: [(type: UInt32, bytes: [UInt8])] = []
        for unit in try handle.headers() {
            let bytes = [UInt8](payload(of: unit))
            let isCropped = unit.type == spsType && crop != (0, 0)
            headers.append(
                (
                    unit.type,
                    try isCropped ? X265CropRewriter.widened(bytes, right: crop.right, bottom: crop.bottom) : bytes
                ))
        }
        return headers
    }

    private static func payload(of unit: x265_nal) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: unit.payload, count: Int(unit.sizeBytes)).withoutStartCode
    }
}
