// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import Logging

/// An open libopenh264 encoder, which gives out each picture at once.
final class OpenH264Encoder: FrameEncoder {
    let parameterSets: [[UInt8]]?
    var adjustments: [Adjustment] { parameters.adjustments }

    private let handle: OpenH264Handle
    private var settings: ResolvedSettings
    private var parameters: OpenH264Parameters
    private var output = SFrameBSInfo()
    /// Pictures since the last IDR picture: the library counts only those that it does not drop.
    private var sinceKey = 0

    init(_ settings: ResolvedSettings, logger: Logger) throws(EncoderError) {
        self.settings = settings
        parameters = try OpenH264Parameters(settings)
        handle = try OpenH264Handle(opening: parameters, logger: logger)
        parameterSets = try handle.parameterSets(&output)
    }

    func encode(_ picture: SourcePicture, emit: EncoderOutput.Handler) throws(EncoderError) {
        let interval = settings.live.maxKeyFrameInterval
        try handle.encode(
            picture.pixelBuffer, milliseconds: Int64(Double(picture.ticks) * 1000 / Double(settings.plan.timescale)),
            asKeyFrame: picture.options.forceKeyFrame || interval.map { sinceKey >= $0 } ?? false, into: &output)
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
        try handle.change(to: &parameters)
        return .fromNextPicture
    }
}
