// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import OpenH264Backend
import ParameterSets
import TestSupport

/// What came out of one encoder for the first pictures of a synthetic video.
final class EncodeRun {
    let encoder: any FrameEncoder
    /// The NAL units of each picture that was given; nil for one that rate control dropped.
    private(set) var pictures: [[[UInt8]]?] = []
    private var settings: ResolvedSettings
    private let video: SyntheticVideo

    init(_ settings: ResolvedSettings, _ content: SyntheticVideo.Content = .calm, logger: Logger = .silent) throws {
        self.settings = settings
        encoder = try OpenH264Backend().openFirst(settings, logger: logger)
        video = Self.video(settings, content)
    }

    /// Encodes the next pictures, one after the other at the frame rate.
    func encode(_ count: Int, forcing: Set<Int> = []) throws {
        for index in pictures.count..<pictures.count + count {
            let picture = SourcePicture(
                id: index, pixelBuffer: try video.picture(at: index),
                ticks: Int64(index * settings.plan.frameRate.denominator), forceKeyFrame: forcing.contains(index))
            try encoder.encode(picture) { output in
                switch copy output {
                case .coded(let coded): pictures.append(coded.nalUnits.map { [UInt8]($0) })
                case .dropped: pictures.append(nil)
                }
            }
        }
    }

    /// Changes the live part; whether the encoder could.
    func update(_ change: (inout LiveParameters) -> Void) throws -> Bool {
        change(&settings.live)
        return try encoder.update(settings.live)
    }

    /// The numbers of the pictures that start with an SPS.
    var keyFrames: [Int] {
        pictures.indices.filter { pictures[$0]?.contains { $0.first.map { $0 & 31 } == 7 } ?? false }
    }

    var units: [[UInt8]] { pictures.flatMap { $0 ?? [] } }
    var sps: H264SPS {
        get throws { try H264SPS(nalUnit: units.first ?? []) }
    }

    static func video(_ settings: ResolvedSettings, _ content: SyntheticVideo.Content) -> SyntheticVideo {
        SyntheticVideo(width: settings.picture.codedWidth, height: settings.picture.codedHeight, content: content)
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
