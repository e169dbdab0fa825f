// SPDX-License-Identifier: MIT

import ParameterSets

extension SequenceParameterSet {
    /// The values by name, in the order they are shown in.
    var facts: [Labelled<DerivedValue>] {
        var facts: [Labelled<DerivedValue>] = [
            Labelled("codec_string", .text(codecString(sampleEntry: nil))), Labelled("profile", .text(profileName)),
        ]
        if let tierName { facts.append(Labelled("tier", .text(tierName))) }
        facts += [
            Labelled("level", .text(levelName)), Labelled("coded_width", .number(codedSize.width)),
            Labelled("coded_height", .number(codedSize.height)), Labelled("crop_left", .number(crop.left)),
            Labelled("crop_right", .number(crop.right)), Labelled("crop_top", .number(crop.top)),
            Labelled("crop_bottom", .number(crop.bottom)), Labelled("width", .number(displaySize.width)),
            Labelled("height", .number(displaySize.height)), Labelled("chroma_format", .text(chromaFormat.description)),
            Labelled("bit_depth_luma", .number(bitDepthLuma)), Labelled("bit_depth_chroma", .number(bitDepthChroma)),
        ]
        if let frameRate { facts.append(Labelled("frame_rate", .text(frameRate.description))) }
        if let pixelAspectRatio {
            facts.append(Labelled("pixel_aspect_ratio", .text(pixelAspectRatio.description)))
        }
        facts.append(Labelled("range", .text(color?.isFullRange == true ? "full" : "limited")))
        if let color { facts += color.facts }
        facts += [Labelled("reorder_frames", .number(reorderFrames)), Labelled("dpb_frames", .number(dpbFrames))]
        return facts
    }
}

extension ColorDescription {
    /// The parts by name, in words.
    fileprivate var facts: [Labelled<DerivedValue>] {
        [
            Labelled("colour_primaries", .text(primariesName)),
            Labelled("transfer_characteristics", .text(transferName)),
            Labelled("matrix_coefficients", .text(matrixName)),
        ]
    }
}
