// SPDX-License-Identifier: MIT

import ParameterSets

/// What both codecs' sequence parameter sets tell an application.
protocol SequenceDescription {
    var profileName: String { get }
    /// "Main" or "High"; nil where the codec has no tiers.
    var tierName: String? { get }
    var levelName: String { get }
    var codecName: String { get }
    var codedSize: ParameterSets.PictureSize { get }
    var displaySize: ParameterSets.PictureSize { get }
    var crop: LumaCrop { get }
    var chromaFormat: ChromaFormat { get }
    var bitDepthLuma: Int { get }
    var bitDepthChroma: Int { get }
    var frameRate: Ratio? { get }
    var sampleAspectRatio: Ratio? { get }
    var isFullRange: Bool { get }
    var colourDescription: ColourDescription? { get }
    var reorderFrames: Int { get }
    var dpbFrames: Int { get }
}

extension H264SPS: SequenceDescription {
    var profileName: String { profile.description }
    var tierName: String? { nil }
    var levelName: String { level.description }
    var codecName: String { codecString() }
}

extension HEVCSPS: SequenceDescription {
    var profileName: String {
        let names = [
            1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Format Range Extensions", 5: "High Throughput",
            6: "Multiview Main", 7: "Scalable Main", 8: "3D Main", 9: "Screen-Extended",
            10: "Scalable Range Extensions",
            11: "High Throughput Screen-Extended",
        ]
        return names[profile.profileIdc] ?? "profile \(profile.profileIdc)"
    }
    var tierName: String? { isHighTier ? "High" : "Main" }
    var levelName: String { level.description }
    var codecName: String { codecString() }
}

extension SequenceDescription {
    /// The values by name, in the order they are shown in.
    var facts: [Labelled<DerivedValue>] {
        var facts: [Labelled<DerivedValue>] = [
            Labelled("codec_string", .text(codecName)), Labelled("profile", .text(profileName)),
        ]
        if let tierName { facts.append(Labelled("tier", .text(tierName))) }
        facts += [
            Labelled("level", .text(levelName)), Labelled("coded_width", .number(codedSize.width)),
            Labelled("coded_height", .number(codedSize.height)), Labelled("crop_left", .number(crop.left)),
            Labelled("crop_right", .number(crop.right)), Labelled("crop_top", .number(crop.top)),
            Labelled("crop_bottom", .number(crop.bottom)), Labelled("width", .number(displaySize.width)),
            Labelled("height", .number(displaySize.height)), Labelled("chroma_format", .text(chromaFormat.name)),
            Labelled("bit_depth_luma", .number(bitDepthLuma)), Labelled("bit_depth_chroma", .number(bitDepthChroma)),
        ]
        if let frameRate { facts.append(Labelled("frame_rate", .text(frameRate.words("/")))) }
        if let ratio = sampleAspectRatio { facts.append(Labelled("sample_aspect_ratio", .text(ratio.words(":")))) }
        facts.append(Labelled("range", .text(isFullRange ? "full" : "limited")))
        if let colourDescription { facts += ColourNames.facts(colourDescription) }
        facts += [Labelled("reorder_frames", .number(reorderFrames)), Labelled("dpb_frames", .number(dpbFrames))]
        return facts
    }
}

/// A value that follows from several fields.
enum DerivedValue: Equatable, Sendable {
    case number(Int)
    case numbers([Int])
    case text(String)
    case list([String])
}

extension ChromaFormat {
    /// As the field writes it.
    fileprivate var name: String {
        switch self {
        case .monochrome: "4:0:0"
        case .yuv420: "4:2:0"
        case .yuv422: "4:2:2"
        case .yuv444: "4:4:4"
        }
    }
}

extension Ratio {
    /// "25" for whole frame rates, "30000/1001", "4:3".
    fileprivate func words(_ separator: String) -> String {
        denominator == 1 && separator == "/" ? "\(numerator)" : "\(numerator)\(separator)\(denominator)"
    }
}
