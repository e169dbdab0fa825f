// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import ParameterSets

/// H.264 without compression: the samples as they are, in I_PCM macroblocks.
struct PCMBackend: ImmediateBackend {
    let identifier = "pcm"

    func listEncoders() -> [EncoderDescription] {
        var capabilities = EncoderCapabilities(
            profiles: [.h264ConstrainedBaseline], bitDepths: [8], directPixelFormats: [.i420], codedWidths: 16...1920,
            codedHeights: 16...1088,
            settings: [.forceKeyFrame, .maxKeyFrameInterval, .maxKeyFrameIntervalDuration, .pixelAspectRatio],
            quantizers: 0...51)
        capabilities.sizeAlignment = 16
        return [
            EncoderDescription(
                id: "pcm.h264", displayName: identifier, libraryVersion: "1", codec: .h264, capabilities: capabilities)
        ]
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        PCMEncoder(settings, try PCMParameters(settings))
    }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        _ = try PCMParameters(settings)
    }
}

/// The map from settings to what the encoder writes: pure, so that rows of a test can try it.
struct PCMParameters {
    let sps: H264SPS
    let pps = H264PPS()
    /// The units of a key frame in front of its slice.
    let units: [[UInt8]]
    var sets: H264ParameterSets { H264ParameterSets(sps: sps, pps: pps) }

    init(_ settings: ResolvedSettings) throws(EncoderError) {
        // The session pads to what capabilities say; the stream has to say what of that is shown.
        var sequence = SequenceConfiguration(
            displaySize: PictureSize(
                width: settings.picture.codedWidth - settings.picture.cropRight,
                height: settings.picture.codedHeight - settings.picture.cropBottom))
        // From size and rate follows the level; no level allows more than 172 frames per second.
        let rate = settings.plan.frameRate
        if rate.framesPerSecond <= 172 { sequence.frameRate = Ratio(rate.numerator, rate.denominator) }
        sequence.pixelAspectRatio = settings.request.pixelAspectRatio
        do throws(ParameterSetError) {
            sps = try H264SPS(sequence, profile: .constrainedBaseline)
            units = [try sps.nalUnit(), try pps.nalUnit(in: H264ParameterSets(sps: sps, pps: pps))]
        } catch {
            throw EncoderError(.conflictingSettings, reason: error.reason)
        }
    }
}

/// Gives each picture out at once.
final class PCMEncoder: FrameEncoder {
    private var settings: ResolvedSettings
    private let parameters: PCMParameters
    private var sinceKey = 0

    init(_ settings: ResolvedSettings, _ parameters: PCMParameters) {
        self.settings = settings
        self.parameters = parameters
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        let isDue = sinceKey == settings.live.asked.maxKeyFrameInterval
        let isKey = sinceKey == 0 || picture.options.forceKeyFrame || isDue
        if isKey { sinceKey = 0 }
        let units = (isKey ? parameters.units : []) + [try slice(of: picture.pixelBuffer, isKey: isKey)]
        sinceKey += 1
        try withPointers(to: units) { (pointers) throws(EncoderError) in
            try emit(.coded(CodedPicture(id: picture.id, pictureType: .i, isReference: true, nalUnits: pointers)))
        }
    }

    /// Only key-frame intervals are taken notice of.
    func update(_ live: LiveParameters) -> LiveParameters.Effect {
        settings.live = live
        return .fromNextPicture
    }

    private func slice(of picture: PixelBuffer, isKey: Bool) throws(EncoderError) -> [UInt8] {
        let unitHeader = H264NALUnitHeader(type: isKey ? .idrSlice : .slice, refIdc: 1)
        var header = H264SliceHeader()
        header.frameNum = sinceKey % 16
        header.decRefPicMarking = H264DecRefPicMarking()
        var syntax = SyntaxWriter()
        do throws(ParameterSetError) {
            var unit = unitHeader
            try unit.code(with: &syntax, in: ())
            try header.code(with: &syntax, in: .init(header: unitHeader, parameterSets: parameters.sets))
        } catch {
            throw EncoderError(.backendFailure, reason: error.reason)
        }
        var bits = BitWriter()
        for place in 0..<syntax.bitPosition {
            bits.write(UInt64(syntax.bytes[place / 8] >> (7 - place % 8) & 1), count: 1)
        }
        // mb_type 25 is I_PCM; zero bits follow up to a whole byte (7.3.5).
        bits.write(0b000011010, count: 9)
        while !bits.isByteAligned { bits.write(0, count: 1) }
        var bytes = bits.bytes
        for row in 0..<settings.picture.codedHeight / 16 {
            for column in 0..<settings.picture.codedWidth / 16 {
                if row + column > 0 { bytes += [0b00001101, 0] }
                for plane in 0..<3 { append(picture, plane, row: row, column: column, to: &bytes) }
            }
        }
        return EmulationPrevention.escape(bytes + [0x80])
    }

    /// Appends a macroblock's samples: 16x16 of luma, 8x8 of chroma.
    private func append(_ picture: PixelBuffer, _ plane: Int, row: Int, column: Int, to bytes: inout [UInt8]) {
        let side = plane == 0 ? 16 : 8
        picture.withPlane(plane) { samples, bytesPerRow in
            for line in 0..<side {
                let start = (row * side + line) * bytesPerRow + column * side
                bytes.append(contentsOf: samples[start..<start + side])
            }
        }
    }

    /// NAL units without start codes, as pointers that are valid while `body` runs.
    private func withPointers(
        to units: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) throws(EncoderError) -> Void
    ) throws(EncoderError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: units.reduce(0) { $0 + $1.count }, alignment: 1)
        defer { memory.deallocate() }
        var end = 0
        try body(
            units.map { unit in
                let copy = UnsafeMutableRawBufferPointer(rebasing: memory[end..<end + unit.count])
                copy.copyBytes(from: unit)
                end += unit.count
                return UnsafeRawBufferPointer(copy)
            })
    }
}
