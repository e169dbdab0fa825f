// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import Logging

/// A libopenh264 encoder, which gives out each picture at once.
///
/// A picture that is too large for the library's buffer is coded with a larger quantizer. The library frees its
/// encoder when it refuses one, and neither options nor a forced key frame bring it back: another is opened, which
/// starts with a key frame and the same parameter sets.
final class OpenH264Encoder: FrameEncoder {
    let parameterSets: [[UInt8]]?
    var adjustments: [Adjustment] { parameters.adjustments }

    private var handle: OpenH264Handle
    /// Whether ``handle`` is of no use any more: the library refused a picture.
    private var isSpent = false
    private var settings: ResolvedSettings
    private var parameters: OpenH264Parameters
    /// The smallest quantizer that ``handle`` codes with now.
    private var quantizerInUse: Int
    /// The smallest quantizer that pictures like the last ones fit the library's buffer with, as far as it refused any.
    private var floor = 0
    private var warnsOfLargerQuantizer = true
    private var output = SFrameBSInfo()
    /// Pictures since the last IDR picture: the library counts only those that it does not drop.
    private var sinceKey = 0
    private let logger: Logger

    init(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) {
        self.settings = settings
        self.logger = logger
        parameters = try OpenH264Parameters(settings)
        quantizerInUse = parameters.leastQuantizer
        handle = try OpenH264Handle(opening: parameters, logger: logger)
        parameterSets = try handle.parameterSets(&output)
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        let interval = settings.live.asked.maxKeyFrameInterval
        let isDue = picture.options.forceKeyFrame || interval.map { sinceKey >= $0 } ?? false
        do throws(EncoderError) {
            try code(picture, asKeyFrame: isDue)
        } catch {
            isSpent = true
            return try emit(.dropped(id: picture.id, reason: .failed(error)))
        }
        let isKey = output.eFrameType == videoFrameTypeIDR
        sinceKey = isKey ? 1 : sinceKey + 1
        guard output.eFrameType != videoFrameTypeSkip else {
            return try emit(.dropped(id: picture.id, reason: .rateControl))
        }
        // Without temporal layers every picture is a reference.
        let units = OpenH264Handle.units(of: &output)
        try emit(
            .coded(CodedPicture(id: picture.id, pictureType: isKey ? .i : .p, isReference: true, nalUnits: units)))
    }

    func update(_ live: LiveParameters) throws(EncoderError) -> LiveParameters.Effect {
        var next = settings
        next.live = live
        let mapped = try? OpenH264Parameters(next, openedAt: parameters.level)
        guard let mapped, mapped.differsInRatesOnly(from: parameters) else { return .withAnotherEncoder }
        (settings, parameters) = (next, mapped)
        if !isSpent { try handle.change(to: &parameters) }
        return .fromNextPicture
    }

    // MARK: - Pictures that are too large

    /// Encodes a picture with the smallest quantizer, of those in steps of six, at which the library takes it.
    ///
    /// - Throws: Why no quantizer that the settings allow will do, in the library's words where it was asked.
    private func code(_ picture: SourcePicture, asKeyFrame isDue: Bool) throws(EncoderError) {
        let asked = parameters.leastQuantizer
        let needed = leastQuantizer(of: picture.pixelBuffer)
        guard needed <= parameters.largestQuantizer else {
            throw EncoderError(
                .backendFailure,
                reason:
                    "the picture may take more bytes than openh264's buffer holds; expected a quantizer of \(needed) "
                    + "or more, \(parameters.largestQuantizer) is the largest allowed")
        }
        let milliseconds = Int64(Double(picture.ticks) * 1000 / Double(settings.plan.timescale))
        while true {
            try prepare(max(asked, floor, needed), isKeyFrame: isDue)
            do throws(EncoderError) {
                try handle.encode(
                    picture.pixelBuffer, milliseconds: milliseconds, asKeyFrame: isDue, into: &output)
                break
            } catch {
                isSpent = true
                guard error.status == OpenH264Handle.refusal, quantizerInUse < parameters.largestQuantizer else {
                    throw error
                }
                floor = min(quantizerInUse + 6, parameters.largestQuantizer)
            }
        }
        warnIfQuantizerGrew(than: asked)
        // With CAVLC in one slice the library refuses a picture above two thirds of its buffer, which has a byte for
        // each sample. A constant quantizer goes down by one after a picture below three fifths of it. Rate control's
        // bound goes back with a key frame: until then ``quantizerInUse`` keeps it.
        let hasRoom = Int(output.iFrameSizeInBytes) * 5 < picture.pixelBuffer.width * picture.pixelBuffer.height * 9 / 2
        floor = parameters.hasAverage ? 0 : max(floor - (hasRoom ? 1 : 0), 0)
    }

    /// The smallest quantizer at which a picture surely fits the library's buffer; 0 where the library itself refuses
    /// one that does not.
    private func leastQuantizer(of picture: PixelBuffer) -> Int {
        guard parameters.overrunsBuffer,
            max(parameters.leastQuantizer, floor) < PictureActivity.largestLeastQuantizer
        else { return 0 }
        return PictureActivity(picture).leastQuantizer(hasSlices: parameters.hasSlices)
    }

    /// Sees to an encoder whose smallest quantizer is `quantizer`, or a larger one until the next key frame.
    ///
    /// A constant quantizer changes as it is; the bound of rate control takes another encoder.
    private func prepare(_ quantizer: Int, isKeyFrame: Bool) throws(EncoderError) {
        if isSpent {
            try open(quantizer)
        } else if parameters.hasAverage {
            if quantizer > quantizerInUse || (quantizer < quantizerInUse && isKeyFrame) { try open(quantizer) }
        } else if quantizer != quantizerInUse {
            try handle.changeQuantizer(to: parameters.coarsened(to: quantizer))
            quantizerInUse = quantizer
        }
    }

    private func open(_ quantizer: Int) throws(EncoderError) {
        handle = try OpenH264Handle(opening: parameters.coarsened(to: quantizer), logger: logger)
        (isSpent, quantizerInUse) = (false, quantizer)
    }

    private func warnIfQuantizerGrew(than asked: Int) {
        guard quantizerInUse > asked, warnsOfLargerQuantizer else { return }
        warnsOfLargerQuantizer = false
        logger.warning(
            """
            a picture is too large for openh264's buffer with a quantizer of \(asked), and coded with \(quantizerInUse) or \
            more
            """,
            source: "openh264")
    }
}
