// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import X265Backend

@Suite struct X265OptionLookaheadTests {
    static let harmful = [
        NativeOptionRow("radl=2", "beside key frames at scene cuts"),
        NativeOptionRow("radl=2", "\"gop-lookahead\" with \"6\"") {
            $0.nativeOptions = [NativeOption("scenecut", "0"), NativeOption("gop-lookahead", "6")]
        },
        NativeOptionRow("radl=2", "\"fades\"") {
            $0.nativeOptions = [NativeOption("scenecut", "0"), NativeOption("fades")]
        },
        NativeOptionRow("radl=2", "with aq-motion at a fixed interval") {
            $0.nativeOptions = ["keyint", "min-keyint"].map { NativeOption($0, "20") } + [NativeOption("aq-motion")]
        },
        NativeOptionRow("gop-lookahead=-1", "expected 0 or more") {
            $0.nativeOptions = ["keyint", "min-keyint"].map { NativeOption($0, "9") }
        },
    ]

    @Test(
        "options with which libx265 leaves its list of pictures are refused with what is expected", arguments: harmful)
    func refused(row: NativeOptionRow) throws {
        let error = try #require(row.refusal(by: X265Backend(), .hevc))
        #expect(error.setting == .nativeOptions && error.reason.contains(row.says), "\(error.reason)")
    }

    static let harmless = [
        NativeOptionRow("radl=2", "") { $0.nativeOptions = [NativeOption("scenecut", "0")] },
        NativeOptionRow("radl=2", "") { $0.nativeOptions = ["keyint", "min-keyint"].map { NativeOption($0, "9") } },
        NativeOptionRow("radl=2", "") { $0.nativeOptions = [NativeOption("keyint", "-1")] },
        NativeOptionRow("radl=2", "") { $0.allowOpenGOP = true },
        NativeOptionRow("radl=0", ""), NativeOptionRow("gop-lookahead=6", ""), NativeOptionRow("fades", ""),
        NativeOptionRow("aq-motion", ""),
    ]

    @Test("options that leave it alone are taken", arguments: harmless)
    func taken(row: NativeOptionRow) {
        let error = row.refusal(by: X265Backend(), .hevc)
        #expect(error == nil, "\(error?.reason ?? "")")
    }

    @Test(
        "whatever places key frames, a session is refused or gives every picture, at scene cuts and ends too", .inTurn()
    )
    func lives() async {
        // A crash ends the process.
        await #expect(processExitsWith: .success) {
            for row in Self.harmful + Self.harmless {
                // The scene changes at picture 40.
                for (count, forced) in [(41, []), (42, [38]), (60, [20, 41, 57])] as [(Int, Set<Int>)] {
                    let clip = TestClip.scenes(width: 64, height: 64, count: count)
                    let settings = clip.settings {
                        $0.request.preset = "fast"
                        $0.request.nativeOptions = row.configuration(.hevc).nativeOptions
                        $0.request.allowOpenGOP = row.configuration(.hevc).allowOpenGOP
                    }
                    let run: EncoderDriver
                    do throws(EncoderError) { run = try clip.encode(settings, forcing: forced) } catch {
                        #expect(error.setting == .nativeOptions, "\(row): \(error)")
                        continue
                    }
                    #expect(run.output.map(\.id).sorted() == Array(0..<count), "\(row)")
                    let syncs = Set(run.output.filter { $0.type == .i }.map(\.id))
                    #expect(syncs.isSuperset(of: forced), "\(row)")
                }
            }
        }
    }
}
