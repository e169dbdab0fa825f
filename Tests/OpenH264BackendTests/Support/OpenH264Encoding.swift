// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import OpenH264Backend
import ParameterSets
import TestSupport

extension EncoderDriver {
    /// Opens openh264's encoder for a synthetic video.
    convenience init(
        _ settings: ResolvedSettings, _ content: SyntheticVideo.Content = .calm, logger: Logger = .silent
    ) throws(EncoderError) {
        let video = SyntheticVideo(settings, content)
        try self.init(OpenH264Backend(), settings, logger: logger) { index throws(EncoderError) in
            try video.picture(at: index)
        }
    }

    /// The numbers of the pictures that start with an SPS.
    var keyFrames: [Int] {
        output.filter { frame in frame.nalUnits.contains { (try? H264NALUnitHeader(nalUnit: $0))?.type == .sps } }
            .map(\.id)
    }

    /// The NAL units of all pictures.
    var units: [[UInt8]] { output.flatMap(\.nalUnits) }
    /// Bytes of all NAL units.
    var byteCount: Int { units.reduce(0) { $0 + $1.count } }
    /// The stream's first unit as an SPS.
    var sps: H264SPS {
        get throws { try H264SPS(nalUnit: units.first ?? []) }
    }
}

extension SyntheticVideo {
    /// A video that fits settings.
    init(_ settings: ResolvedSettings, _ content: Content) {
        self.init(width: settings.picture.codedWidth, height: settings.picture.codedHeight, content: content)
    }
}

extension ResolvedSettings {
    /// Settings for small pictures without a wish but what `change` sets.
    static func small(
        width: Int = 176, height: Int = 144, frameRate: FrameRate = 30, _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        var settings = ResolvedSettings(codec: .h264, width: width, height: height, frameRate: frameRate)
        change(&settings)
        return settings
    }
}
