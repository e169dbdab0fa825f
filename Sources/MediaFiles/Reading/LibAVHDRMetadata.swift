// SPDX-License-Identifier: MIT

import CLibAV
import ParameterSets

extension VideoSourceInfo {
    /// Takes up what libavutil found; what a stream cannot hold is an omission.
    mutating func add(_ display: AVMasteringDisplayMetadata?, _ light: AVContentLightMetadata?) {
        masteringDisplay = display.flatMap { MasteringDisplay($0) }
        contentLightLevel = light.flatMap { ContentLightLevel($0) }
        let lost = [
            display != nil && masteringDisplay == nil ? "mastering display" : nil,
            light != nil && contentLightLevel == nil ? "content light level" : nil,
        ]
        omissions += lost.compactMap(\.self).map { "its \($0) is incomplete or out of range, and is not carried over" }
    }
}

extension MasteringDisplay {
    /// What libavutil found of a display; nil where primaries or luminance are missing, or out of a stream's range.
    init?(_ metadata: AVMasteringDisplayMetadata) {
        guard metadata.has_primaries != 0, metadata.has_luminance != 0 else { return nil }
        func point(_ coordinates: (AVRational, AVRational)) -> Chromaticity? {
            guard let x = coordinates.0.rounded(in: 50_000, atMost: 50_000),
                let y = coordinates.1.rounded(in: 50_000, atMost: 50_000)
            else { return nil }
            return Chromaticity(x: x, y: y)
        }
        let primaries = metadata.display_primaries
        guard let red = point(primaries.0), let green = point(primaries.1), let blue = point(primaries.2),
            let white = point(metadata.white_point),
            let most = metadata.max_luminance.rounded(in: 10_000, atMost: Int(UInt32.max)),
            let least = metadata.min_luminance.rounded(in: 10_000, atMost: Int(UInt32.max))
        else { return nil }
        self.init()
        displayPrimaries = [green, blue, red]
        whitePoint = white
        (maxDisplayMasteringLuminance, minDisplayMasteringLuminance) = (most, least)
    }
}

extension ContentLightLevel {
    /// What libavutil found of a video's brightness; nil where it is out of a stream's range.
    init?(_ metadata: AVContentLightMetadata) {
        guard let most = Int(exactly: metadata.MaxCLL), let mean = Int(exactly: metadata.MaxFALL),
            max(most, mean) <= Int(UInt16.max)
        else { return nil }
        self.init()
        (maxContentLightLevel, maxPicAverageLightLevel) = (most, mean)
    }
}

extension AVRational {
    /// The nearest multiple of 1/`unit`; nil where it is not a number from 0 to `most`.
    fileprivate func rounded(in unit: Double, atMost most: Int) -> Int? {
        guard den != 0 else { return nil }
        let value = (Double(num) / Double(den) * unit).rounded()
        return (0...Double(most)).contains(value) ? Int(value) : nil
    }
}
