// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// Codec names of MIME types, read and written.
@Suite struct CodecStringTests {
    @Test("H.264 names tell sample entry, profile, constraint flags and level, digits of either case")
    func h264() throws {
        let high = try CodecString("avc1.64001F")
        #expect(high == .h264(.high, levelIdc: 31) && high.codec == .h264 && !high.isInBand)
        #expect(try CodecString("avc3.42C00b") == .h264(h264(66, 0xC0), levelIdc: 11, isInBand: true))
        #expect(try CodecString("avc1.42f01e").description == "avc1.42F01E")
        let odd = try CodecString("avc1.FFFFFF")
        #expect(odd == .h264(h264(255, 0xFF), levelIdc: 255) && odd.description == "avc1.FFFFFF")
    }

    private func h264(_ profileIdc: Int, _ constraints: UInt8) -> H264Profile {
        H264Profile(profileIdc: profileIdc, constraints: H264Constraints(byte: constraints))
    }

    @Test("HEVC names tell profile space, profile, compatibility, tier, level and constraint flags")
    func hevc() throws {
        var main = HEVCProfile()
        (main.profileIdc, main.compatibilityFlags) = (1, 0x6000_0000)
        (main.progressiveSourceFlag, main.nonPackedConstraintFlag, main.frameOnlyConstraintFlag) = (true, true, true)
        #expect(try CodecString("hvc1.1.6.L93.B0") == .hevc(main, levelIdc: 93))
        main.tierFlag = true
        #expect(try CodecString("hev1.1.6.H120.B0") == .hevc(main, levelIdc: 120, isInBand: true))
        main.profileSpace = 2
        #expect(try CodecString("hvc1.B1.6.H120.B0") == .hevc(main, levelIdc: 120))
        let deep = try CodecString("hev1.2.4.L120.B0")
        guard case .hevc(let profile, 120, true) = deep else { return #expect(Bool(false), "\(deep)") }
        #expect(profile.profileIdc == 2 && profile.compatibilityFlags == 0x2000_0000 && profile.isCompatible(with: 2))
    }

    @Test(
        "what may be left out is read, and not written",
        arguments: [
            ("hvc1.1.6.L93", "hvc1.1.6.L93"), ("hvc1.1.6.L93.0", "hvc1.1.6.L93"),
            ("hvc1.1.6.L93.B0.0.00.0.00.0", "hvc1.1.6.L93.B0"), ("hvc1.1.00000006.L93.b0", "hvc1.1.6.L93.B0"),
            ("hvc1.1.6.L93.0.0.0.0.0.1", "hvc1.1.6.L93.0.0.0.0.0.1"), ("hvc1.4.10.H120.9C.08", "hvc1.4.10.H120.9C.8"),
            ("hev1.C31.ffffffff.H255.ff.ff.ff.ff.ff.ff", "hev1.C31.FFFFFFFF.H255.FF.FF.FF.FF.FF.FF"),
            ("hvc1.0.0.L0", "hvc1.0.0.L0"),
        ])
    func normalized(text: String, canonical: String) throws {
        #expect(try CodecString(text).description == canonical)
        #expect(try CodecString(text) == CodecString(canonical))
    }

    @Test("the name of every parameter set and record is read as its profile and level")
    func ofParameterSets() throws {
        for vectors in HEVCVectors.all {
            let sps = try HEVCSPS(nalUnit: vectors.sps)
            for (entry, isInBand) in [("hvc1", false), ("hev1", true)] {
                let text = sps.codecString(sampleEntry: entry)
                let expected = CodecString.hevc(
                    sps.profile, levelIdc: sps.profileTierLevel.levelIdc, isInBand: isInBand)
                #expect(try CodecString(text) == expected && expected.description == text)
                #expect(expected.sampleEntry == entry)
            }
        }
        for profile in [H264Profile.baseline, .constrainedBaseline, .main, .high, .high10Intra, .constrainedHigh] {
            let wanted = SequenceConfiguration(displaySize: PictureSize(width: 64, height: 48))
            let sps = try H264SPS(wanted, profile: profile)
            let text = sps.codecString(sampleEntry: "avc3")
            let expected = CodecString.h264(sps.profile, levelIdc: sps.levelIdc, isInBand: true)
            #expect(try CodecString(text) == expected && expected.description == text)
        }
    }

    // MARK: - Random values

    @Test("whatever is written is read as the same value, and written the same again")
    func randomValues() throws {
        var random = SeededGenerator()
        for _ in 0..<5_000 {
            let bytes = random.bytes(count: 12)
            let codec: CodecString
            if Bool.random(using: &random) {
                codec = .h264(
                    h264(Int(bytes[0]), bytes[1]), levelIdc: Int(bytes[2]), isInBand: Bool.random(using: &random))
            } else {
                // Any eleven bytes are a profile; the rarer the zeros at their end, the less they would be tried.
                let end = Int.random(in: 0...11, using: &random)
                let profile = try HEVCProfile.reading(bytes.prefix(end) + [UInt8](repeating: 0, count: 11 - end))
                codec = .hevc(profile, levelIdc: Int(bytes[11]), isInBand: Bool.random(using: &random))
            }
            let text = codec.description
            let read = try CodecString(text)
            #expect(read == codec && read.description == text)
        }
    }

    @Test("any text is read or refused, and what is read is written as a text that reads the same")
    func randomTexts() throws {
        var random = SeededGenerator()
        let seeds = ["avc1.64001F", "avc3.42C00B", "hvc1.1.6.L93.B0", "hev1.A2.20000004.H153.90.0.8"].map {
            Array($0.utf8)
        }
        let bytes = Array("0123456789aAbBfFgG.lLhHvVc+- \u{FF11}\u{E9}\0".utf8)
        var accepted = 0
        for round in 0..<20_000 {
            var text = seeds[round % seeds.count]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<max(text.count, 1), using: &random)
                let byte = bytes[Int.random(in: 0..<bytes.count, using: &random)]
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !text.isEmpty: text[place] = byte
                case 1 where !text.isEmpty: text.remove(at: place)
                default: text.insert(byte, at: min(place, text.count))
                }
            }
            guard let read = try? CodecString(String(decoding: text, as: UTF8.self)) else { continue }
            accepted += 1
            #expect(text.count <= 40 && text.allSatisfy { $0 < 0x80 })
            let written = read.description
            #expect(try CodecString(written) == read && CodecString(written).description == written)
        }
        #expect(accepted > 500)
    }

    // MARK: - Refusals

    @Test(
        "what is no name is refused with the element that is wrong",
        arguments: [
            ("", .unsupported, "sample entry"), ("avc2.64001F", .unsupported, "sample entry"),
            ("AVC1.64001F", .unsupported, "sample entry"), (" avc1.64001F", .unsupported, "sample entry"),
            ("av01.0.04M.08", .unsupported, "sample entry"), ("avc1\0.64001F", .unsupported, "sample entry"),
            ("avc1", .endOfData, nil), ("avc1.66.30", .trailingData, nil), ("avc1.64001F.", .trailingData, nil),
            ("avc1.", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("avc1.64001", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("avc1.64001F0", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("avc1.64001G", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("avc1.+4001F", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("avc1.64001F, mp4a.40.2", .trailingData, nil),
            ("avc1.6400\u{FF11}F", .outOfRange, "profile_idc, constraint flags and level_idc"),
            ("hvc1.1.6", .endOfData, nil), ("hvc1.1.6.L93.B0.0.0.0.0.0.0", .trailingData, nil),
            ("hvc1.32.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.D1.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.A.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.a1.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.01.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.-1.6.L93.B0", .outOfRange, "general_profile_idc"),
            ("hvc1.1..L93.B0", .outOfRange, "general_profile_compatibility_flag"),
            ("hvc1.1.000000006.L93.B0", .outOfRange, "general_profile_compatibility_flag"),
            ("hvc1.1.6.93.B0", .outOfRange, "general_tier_flag"), ("hvc1.1.6..B0", .outOfRange, "general_tier_flag"),
            ("hvc1.1.6.l93.B0", .outOfRange, "general_tier_flag"),
            ("hvc1.1.6.L.B0", .outOfRange, "general_level_idc"), ("hvc1.1.6.L256", .outOfRange, "general_level_idc"),
            ("hvc1.1.6.L093", .outOfRange, "general_level_idc"),
            ("hvc1.1.6.L99999999999999999999", .outOfRange, "general_level_idc"),
            ("hvc1.1.6.L93.", .outOfRange, "constraint flags"), ("hvc1.1.6.L93.0B0", .outOfRange, "constraint flags"),
            ("hvc1.1.6.L93.B0.-1", .outOfRange, "constraint flags"),
        ] as [(String, ParameterSetError.Code, String?)])
    func refused(text: String, code: ParameterSetError.Code, field: String?) {
        let error = #expect(throws: ParameterSetError.self) { try CodecString(text) }
        #expect(error?.code == code && error?.field == field, "\(String(describing: error))")
    }

    @Test("a name is refused wherever it is cut off, and however long it goes on")
    func cutAndLong() {
        let whole = "avc1.64001F"
        for count in 0..<whole.count {
            #expect(throws: ParameterSetError.self) { try CodecString(whole.prefix(count)) }
        }
        for filling in ["0", ".", "F", "avc1.", "\u{1F600}"] {
            let text = whole + String(repeating: filling, count: 100_000)
            let error = #expect(throws: ParameterSetError.self) { try CodecString(text) }
            #expect((error?.reason.utf8.count ?? .max) < 300)
        }
    }
}

extension HEVCProfile {
    /// The profile that eleven bytes are.
    fileprivate static func reading(_ bytes: some Sequence<UInt8>) throws -> HEVCProfile {
        var (profile, reader) = (HEVCProfile(), SyntaxReader(Array(bytes)))
        try profile.code(with: &reader, in: nil)
        return profile
    }
}
