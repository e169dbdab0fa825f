// SPDX-License-Identifier: MIT

import BackendSupport
import CVA
import EncoderAPI

/// What native options ask of a device, by the names of x264 and x265 where these have the same: pure.
///
/// What a setting forbids is refused when they are read, what a driver lacks by ``check(_:)``.
struct VAOptions: Sendable, Hashable {
    /// `ref`: most pictures that a P picture is predicted from.
    private(set) var references: Int?
    /// `bframes`: B pictures in a row.
    private(set) var consecutiveB: Int?
    /// `b-pyramid`: whether the middle one of two B pictures and more is a reference of the others.
    private(set) var hasPyramid = false
    /// `slices`: of each picture.
    private(set) var slices = 1
    /// `slice-max-size`: most bytes of a slice of H.264, by which the driver divides pictures.
    private(set) var sliceBytes: Int?
    /// `aud`: whether each picture begins with an access unit delimiter; nil where nobody says.
    private(set) var delimits: Bool?
    /// `quality-level`: 1 the best.
    private(set) var qualityLevel: Int?
    /// `roi`: parts of pictures with other quantizers, the first before others.
    private(set) var regions: [RegionOfInterest] = []
    private var given: [NativeOption] = []
    private let codec: VideoCodec

    /// Values that an option may have.
    private static let ranges: [String: ClosedRange<Int>] = [
        "ref": 1...8, "bframes": 0...7, "b-pyramid": 0...1, "slices": 1...16, "aud": 0...1, "quality-level": 1...16,
        // A macroblock may take 400 bytes (A.3.1), and Intel's driver keeps 16 bits.
        "slice-max-size": 512...65535,
    ]

    /// Reads the options of a session; of several of one name the last counts.
    ///
    /// - Throws: ``EncoderError`` that names the option: `.invalidValue` for one that nobody has, or a value outside
    ///   its range, `.conflictingSettings` for one that a setting or another option forbids.
    init(_ settings: ResolvedSettings) throws(EncoderError) {
        codec = settings.request.codec
        for option in settings.request.nativeOptions { try take(option, settings.picture) }
        try checkReordering(settings)
        if sliceBytes != nil, slices > 1 {
            throw option("slice-max-size").refusal(
                besides: option("slices"), because: "slices have a size or a number")
        }
    }

    private mutating func take(_ option: NativeOption, _ picture: PictureFormat) throws(EncoderError) {
        guard option.name != "roi" else {
            regions = try RegionOfInterest.all(
                of: option, width: picture.shownWidth, height: picture.shownHeight)
            return note(option)
        }
        guard let range = Self.ranges[option.name] else {
            let names = (Self.ranges.keys + ["roi"]).sorted().joined(separator: ", ")
            throw EncoderError(
                .invalidValue, reason: "native option \"\(option.name)\" is none of \(names)", setting: .nativeOptions)
        }
        // A flag without a value is set.
        let text = option.value ?? (range == 0...1 ? "1" : "")
        guard let value = Int(text), range.contains(value) else {
            throw option.refusal(expecting: "a whole number in \(range.lowerBound)...\(range.upperBound)")
        }
        switch option.name {
        case "ref": references = value
        case "bframes": consecutiveB = value
        case "b-pyramid": hasPyramid = value == 1
        case "slices": slices = value
        case "slice-max-size": sliceBytes = value
        case "aud": delimits = value == 1
        default: qualityLevel = value
        }
        note(option)
    }

    private mutating func note(_ option: NativeOption) {
        given.removeAll { $0.name == option.name }
        given.append(option)
    }

    private func option(_ name: String) -> NativeOption { given.first { $0.name == name } ?? NativeOption(name) }

    private func checkReordering(_ settings: ResolvedSettings) throws(EncoderError) {
        let request = settings.request
        // A pyramid has two B pictures, more only where `bframes` says so.
        for (name, count) in [("bframes", consecutiveB ?? 0), ("b-pyramid", hasPyramid ? 2 : 0)] where count > 0 {
            let option = option(name)
            if request.allowFrameReordering == false {
                throw option.refusal(contradicting: .allowFrameReordering, settings)
            }
            if request.realTime { throw option.refusal(contradicting: .realTime, settings) }
            if request.profileLevel.profile?.allowsFrameReordering == false {
                throw option.refusal(contradicting: .profileLevel, settings)
            }
            if let most = request.maxFrameDelayCount, most < count {
                throw option.refusal(contradicting: .maxFrameDelayCount, settings)
            }
        }
        if consecutiveB == 0, request.allowFrameReordering == true {
            throw option("bframes").refusal(contradicting: .allowFrameReordering, settings)
        }
        if hasPyramid, let count = consecutiveB, count < 2 {
            throw option("b-pyramid").refusal(besides: option("bframes"), because: "a pyramid has two B pictures")
        }
    }

    /// Refuses what a driver does not have.
    ///
    /// - Throws: ``EncoderError`` with `.unsupported` that names the option and what the driver has.
    func check(_ traits: VAEncodeTraits) throws(EncoderError) {
        if let references, references > traits.maxReferencesL0 {
            throw option("ref").refusal("the driver takes \(traits.maxReferencesL0) at most")
        }
        if let consecutiveB, consecutiveB > 0, !traits.predictsFromFuture {
            throw option("bframes").refusal("the driver has no B pictures")
        }
        if hasPyramid, !traits.predictsFromFuture {
            throw option("b-pyramid").refusal("the driver has no B pictures")
        }
        if let qualityLevel, qualityLevel > traits.qualityValues.count {
            let count = traits.qualityValues.count
            throw option("quality-level").refusal(
                count > 1 ? "the driver has 1 (best) to \(count)" : "the driver has no levels of quality")
        }
        if regions.count > traits.maxRegions {
            throw option("roi").refusal(
                traits.maxRegions > 0
                    ? "the driver takes \(traits.maxRegions) regions at most" : "the driver has no regions of interest")
        }
        if !regions.isEmpty, codec == .hevc, traits.tools.quantizerDeltas == .no {
            throw option("roi").refusal("the driver changes no quantizers inside pictures")
        }
        if let delimits { try check(delimits: delimits, traits) }
        if sliceBytes != nil { try checkSliceBytes(traits) }
    }

    private func check(delimits: Bool, _ traits: VAEncodeTraits) throws(EncoderError) {
        if traits.delimitsAll {
            guard delimits else { throw option("aud").refusal("the driver begins each picture with a delimiter") }
        } else if delimits, !traits.packs(VA_ENC_PACKED_HEADER_RAW_DATA) {
            throw option("aud").refusal("the driver takes no delimiters")
        }
    }

    private func checkSliceBytes(_ traits: VAEncodeTraits) throws(EncoderError) {
        let option = option("slice-max-size")
        // Intel's driver then wants headers without what stands before slice_type, which its chips write themselves.
        if codec == .hevc { throw option.refusal("of HEVC, drivers take no whole slice headers with it; use slices") }
        if !traits.has(structure: VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE) {
            throw option.refusal("the driver has no largest size of slices")
        }
    }

    /// Divides the rows of blocks of a picture into slices.
    ///
    /// - Parameters:
    ///   - rows: Rows of macroblocks or tree blocks, 1 or more.
    ///   - traits: What the driver allows.
    /// - Returns: The rows of each slice, in order.
    /// - Throws: ``EncoderError`` with `.unsupported` where the driver or the picture does not have so many.
    func sliceRows(_ rows: Int, _ traits: VAEncodeTraits) throws(EncoderError) -> [Range<Int>] {
        guard slices > 1 else { return [0..<rows] }
        guard slices <= rows else { throw option("slices").refusal("a picture has \(rows) rows of blocks") }
        guard slices <= traits.maxSlices else {
            throw option("slices").refusal("the driver takes \(traits.maxSlices) at most")
        }
        guard let counts = SliceLayout.rows(rows, slices: slices, structure: traits.sliceStructure) else {
            throw option("slices").refusal(
                "\(rows) rows of blocks are not divided into so many where all slices but the last are of one height")
        }
        var start = 0
        return counts.map { count in
            defer { start += count }
            return start..<start + count
        }
    }
}

/// How drivers let pictures be divided into slices of whole rows of blocks.
enum SliceLayout {
    /// The number of rows of each slice, as even as the driver allows.
    ///
    /// - Parameters:
    ///   - rows: Of the picture.
    ///   - slices: 1...`rows`.
    ///   - structure: The bits of `VAConfigAttribEncSliceStructure`.
    /// - Returns: Nil where the driver's structure has no such number of slices.
    static func rows(_ rows: Int, slices: Int, structure: UInt32) -> [Int]? {
        let free = VA_ENC_SLICE_STRUCTURE_ARBITRARY_ROWS | VA_ENC_SLICE_STRUCTURE_ARBITRARY_MACROBLOCKS
        if structure & UInt32(free) != 0 {
            return (0..<slices).map { rows / slices + ($0 < rows % slices ? 1 : 0) }
        }
        let least = (rows + slices - 1) / slices
        // All slices are of one height, and the last has what is left.
        let heights = [
            (VA_ENC_SLICE_STRUCTURE_EQUAL_MULTI_ROWS, least),
            (VA_ENC_SLICE_STRUCTURE_POWER_OF_TWO_ROWS, 1 << (Int.bitWidth - (least - 1).leadingZeroBitCount)),
            (VA_ENC_SLICE_STRUCTURE_EQUAL_ROWS, 1),
        ]
        let height = heights.first { bit, height in
            structure & UInt32(bit) != 0 && (rows + height - 1) / height == slices
        }?.1
        return height.map { height in (0..<slices).map { min(height, rows - $0 * height) } }
    }
}
