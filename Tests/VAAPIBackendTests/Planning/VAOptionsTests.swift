// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import TestSupport
import Testing

@testable import VAAPIBackend

@Suite struct VAOptionsTests {
    private func read(
        _ options: [NativeOption], _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws(EncoderError) -> VAOptions {
        var settings = ResolvedSettings(codec: .h264, width: 640, height: 360)
        settings.request.nativeOptions = options
        change(&settings.request)
        return try VAOptions(settings)
    }

    @Test("options are read by their names, and of two of one name the last counts")
    func read() throws {
        let options = try read([
            NativeOption("ref", "2"), NativeOption("bframes", "3"), NativeOption("b-pyramid"),
            NativeOption("slices", "4"), NativeOption("aud", "1"), NativeOption("quality-level", "7"),
            NativeOption("ref", "3"),
        ])
        #expect(options.references == 3 && options.consecutiveB == 3 && options.hasPyramid)
        #expect(options.slices == 4 && options.delimits == true && options.qualityLevel == 7)
        let none = try read([])
        #expect(none.references == nil && none.consecutiveB == nil && !none.hasPyramid)
        #expect(none.slices == 1 && none.delimits == nil && none.qualityLevel == nil)
        #expect(try read([NativeOption("aud"), NativeOption("aud", "0")]).delimits == false)
    }

    @Test(
        "an option that nobody has, or a value outside its range, is refused by both",
        arguments: [
            ("refs", "2", "refs"), ("ref", "0", "1...8"), ("ref", "9", "1...8"), ("ref", "two", "1...8"),
            ("ref", "2 ", "1...8"), ("ref", nil, "1...8"), ("bframes", "-1", "0...7"), ("b-pyramid", "2", "0...1"),
            ("slices", "17", "1...16"), ("slices", "99999999999999999999", "1...16"), ("quality-level", "0", "1...16"),
            ("slice-max-size", "511", "512...65535"), ("slice-max-size", "65536", "512...65535"),
        ] as [(String, String?, String)])
    func illegal(name: String, value: String?, part: String) {
        let error = #expect(throws: EncoderError.self) { try read([NativeOption(name, value)]) }
        #expect(error?.code == .invalidValue && error?.setting == .nativeOptions)
        #expect(error?.reason.contains("\"\(name)\"") == true && error?.reason.contains(part) == true)
    }

    @Test("regions are read in their order, and those of the last option count")
    func regions() throws {
        let options = try read([
            NativeOption("roi", "0,0,1,1,1"), NativeOption("roi", "16,32,64,48,-6/0,0,640,360,51"),
        ])
        #expect(
            options.regions == [
                RegionOfInterest(x: 16, y: 32, width: 64, height: 48, delta: -6),
                RegionOfInterest(x: 0, y: 0, width: 640, height: 360, delta: 51),
            ])
        let traits = try traits([VAConfigAttribEncROI: 2 | 1 << 9])
        #expect(traits.maxRegions == 2)
        try options.check(traits)
        // Priorities alone are no quantizers, and a word with its highest bit set is none.
        #expect(try self.traits([VAConfigAttribEncROI: 8 | 1 << 8]).maxRegions == 0)
        #expect(try self.traits([VAConfigAttribEncROI: 0x8000_0308]).maxRegions == 0)
    }

    @Test("a largest size of slices is for H.264, and for drivers that have one")
    func sliceBytes() throws {
        let option = NativeOption("slice-max-size", "1400")
        let words = [VAConfigAttribEncSliceStructure: UInt32(VA_ENC_SLICE_STRUCTURE_MAX_SLICE_SIZE)]
        let traits = try traits(words)
        #expect(try read([option]).sliceBytes == 1400)
        try read([option]).check(traits)
        var settings = ResolvedSettings(codec: .hevc, width: 640, height: 360)
        settings.request.nativeOptions = [option]
        let options = try VAOptions(settings)
        let error = #expect(throws: EncoderError.self) { try options.check(traits) }
        #expect(error?.code == .unsupported && error?.reason.contains("\"slice-max-size\" is refused: of HEVC") == true)
    }

    @Test("delimiters are refused where a driver takes none, and to leave them out where it writes its own")
    func delimiters() throws {
        let mesa: VAQuirks = [.delimitsOwnHeaders]
        func isRefused(_ value: String, _ words: [VAConfigAttribType: UInt32], _ quirks: VAQuirks) throws -> Bool {
            let (options, traits) = (try read([NativeOption("aud", value)]), try traits(words, quirks: quirks))
            do {
                try options.check(traits)
                return false
            } catch {
                #expect(error.code == .unsupported && error.reason.contains("\"aud\""))
                return true
            }
        }
        let all = [VAConfigAttribEncPackedHeaders: UInt32(0x1f)]
        #expect(try !isRefused("1", all, mesa) && !isRefused("0", all, mesa))
        #expect(try !isRefused("1", [:], mesa) && isRefused("0", [:], mesa))
        #expect(try isRefused("1", [:], []) && !isRefused("0", [:], []))
    }

    /// An option, and what forbids it.
    private struct Contradiction: Sendable, CustomTestStringConvertible {
        var option: NativeOption
        var other: String
        var change: @Sendable (inout SessionConfiguration) -> Void

        init(
            _ name: String, _ value: String, _ other: String,
            _ change: @escaping @Sendable (inout SessionConfiguration) -> Void
        ) {
            (option, self.other, self.change) = (NativeOption(name, value), other, change)
        }

        var testDescription: String { "\(option.name) by \(other)" }
    }

    @Test(
        "an option that a setting forbids is refused by both names",
        arguments: [
            Contradiction("bframes", "1", "AllowFrameReordering") { $0.allowFrameReordering = false },
            Contradiction("bframes", "0", "AllowFrameReordering") { $0.allowFrameReordering = true },
            Contradiction("bframes", "1", "RealTime") { $0.realTime = true },
            Contradiction("bframes", "1", "ProfileLevel") {
                $0.profileLevel = ProfileLevel(profile: .h264ConstrainedBaseline)
            },
            Contradiction("bframes", "3", "MaxFrameDelayCount") { $0.maxFrameDelayCount = 2 },
            Contradiction("b-pyramid", "1", "AllowFrameReordering") { $0.allowFrameReordering = false },
            Contradiction("b-pyramid", "1", "RealTime") { $0.realTime = true },
            Contradiction("b-pyramid", "1", "ProfileLevel") {
                $0.profileLevel = ProfileLevel(profile: .h264ConstrainedBaseline)
            },
            Contradiction("b-pyramid", "1", "MaxFrameDelayCount") { $0.maxFrameDelayCount = 1 },
            Contradiction("b-pyramid", "1", "bframes") { $0.nativeOptions.append(NativeOption("bframes", "1")) },
            Contradiction("slice-max-size", "900", "slices") { $0.nativeOptions.append(NativeOption("slices", "2")) },
        ])
    private func contradicted(_ row: Contradiction) {
        let error = #expect(throws: EncoderError.self) { try read([row.option], row.change) }
        #expect(error?.code == .conflictingSettings)
        #expect(error?.reason.contains(row.option.name) == true && error?.reason.contains(row.other) == true)
    }

    /// What an entry point offers.
    private func traits(_ words: [VAConfigAttribType: UInt32], quirks: VAQuirks = []) throws -> VAEncodeTraits {
        var all: [VAConfigAttribType: UInt32] = [VAConfigAttribRTFormat: UInt32(VA_RT_FORMAT_YUV420)]
        all.merge(words) { $1 }
        let answer = VAEntrypointAnswer(profile: VAProfileH264High, entrypoint: VAEntrypointEncSlice, words: all)
        return try #require(VAEncodeTraits(answer, quirks: quirks))
    }

    @Test(
        "what a driver lacks is refused with what it has",
        arguments: [
            ("ref", "4", "3 at most"), ("bframes", "1", "no B pictures"), ("b-pyramid", "1", "no B pictures"),
            ("quality-level", "8", "1 (best) to 7"), ("aud", "1", "no delimiters"),
            ("roi", "0,0,16,16,-1", "no regions of interest"), ("slice-max-size", "900", "no largest size of slices"),
        ])
    func lacking(name: String, value: String, part: String) throws {
        let options = try read([NativeOption(name, value)])
        let traits = try traits([VAConfigAttribEncMaxRefFrames: 3, VAConfigAttribEncQualityRange: 7])
        let error = #expect(throws: EncoderError.self) { try options.check(traits) }
        #expect(error?.code == .unsupported && error?.reason.contains("\"\(name)\"") == true)
        #expect(error?.reason.contains(part) == true)
    }

    @Test("Mesa's levels of quality are bits of presets, others a scale")
    func quality() throws {
        let words: [VAConfigAttribType: UInt32] = [VAConfigAttribEncQualityRange: 32]
        #expect(try traits(words, quirks: .hasQualityBits).qualityValues == [5, 3, 0])
        #expect(try traits(words, quirks: .hasQualityBits).usualQuality == 3 && traits(words).usualQuality == nil)
        #expect(try traits(words).qualityValues == Array(1...16))
        #expect(try traits([VAConfigAttribEncQualityRange: 0], quirks: .hasQualityBits).qualityValues.isEmpty)
    }

    @Test("slices have all rows, are as many as asked for, and of heights that the structure has")
    func layouts() {
        for rows in 1...70 {
            for slices in 1...min(rows, 16) {
                for structure: UInt32 in 0..<64 {
                    check(SliceLayout.rows(rows, slices: slices, structure: structure), rows, slices, structure)
                }
            }
        }
    }

    private func check(_ counts: [Int]?, _ rows: Int, _ slices: Int, _ structure: UInt32) {
        func has(_ bits: Int32) -> Bool { structure & UInt32(bits) != 0 }
        let isFree = has(VA_ENC_SLICE_STRUCTURE_ARBITRARY_ROWS | VA_ENC_SLICE_STRUCTURE_ARBITRARY_MACROBLOCKS)
        guard let counts else {
            let couldBeEqual = (1...rows).contains { (rows + $0 - 1) / $0 == slices }
            #expect(!isFree && !(has(VA_ENC_SLICE_STRUCTURE_EQUAL_MULTI_ROWS) && couldBeEqual))
            return
        }
        #expect(counts.count == slices && counts.reduce(0, +) == rows && counts.allSatisfy { $0 > 0 })
        guard !isFree, let first = counts.first else {
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
            return
        }
        #expect(counts.dropLast().allSatisfy { $0 == first } && counts.allSatisfy { $0 <= first })
        #expect(
            slices == 1 || has(VA_ENC_SLICE_STRUCTURE_EQUAL_MULTI_ROWS)
                || has(VA_ENC_SLICE_STRUCTURE_POWER_OF_TWO_ROWS) && first & (first - 1) == 0
                || has(VA_ENC_SLICE_STRUCTURE_EQUAL_ROWS) && first == 1)
    }

    @Test("more slices than rows, than the driver takes, or than its structure has are refused")
    func tooManySlices() throws {
        let equal: [VAConfigAttribType: UInt32] = [
            VAConfigAttribEncMaxSlices: 8,
            VAConfigAttribEncSliceStructure: UInt32(VA_ENC_SLICE_STRUCTURE_EQUAL_MULTI_ROWS),
        ]
        let traits = try traits(equal)
        func refusal(_ slices: Int, rows: Int) throws -> String? {
            let options = try read([NativeOption("slices", "\(slices)")])
            return #expect(throws: EncoderError.self) { try options.sliceRows(rows, traits) }?.reason
        }
        #expect(try refusal(5, rows: 4)?.contains("4 rows of blocks") == true)
        #expect(try refusal(9, rows: 40)?.contains("8 at most") == true)
        #expect(try refusal(4, rows: 9)?.contains("9 rows of blocks") == true)
        #expect(try read([NativeOption("slices", "3")]).sliceRows(9, traits) == [0..<3, 3..<6, 6..<9])
        #expect(try read([NativeOption("slices", "4")]).sliceRows(23, traits) == [0..<6, 6..<12, 12..<18, 18..<23])
    }
}
