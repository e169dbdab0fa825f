// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct SelfTestOutcomeTests {
    private static let plain = SelfTestCase(name: "plain", rate: .constantQuantizer(30), width: 320, height: 240)

    private static func changing(_ change: SelfTestCase.Change, count: Int = 100) -> SelfTestCase {
        var test = plain
        (test.change, test.frameCount) = (change, count)
        return test
    }

    /// What a good encoder makes of a case.
    private static func good(_ test: SelfTestCase) -> SelfTestOutcome {
        var outcome = SelfTestOutcome()
        for index in 0..<test.frameCount {
            let isBehind = index >= test.changeIndex
            var bytes = 1000
            if case .bitRate = test.change, isBehind { bytes = 4000 }
            outcome.units.append(
                .init(
                    index: index, isSync: index == 0 || test.change == .keyFrame && index == test.changeIndex,
                    byteCount: bytes))
        }
        outcome.pictures = (0..<test.frameCount).map { index in
            var (width, height) = (test.width, test.height)
            if case .size(let other, let rows) = test.change, index >= test.changeIndex {
                (width, height) = (other, rows)
            }
            return .init(width: width, height: height, psnr: 38)
        }
        return outcome
    }

    @Test(
        "what an encoder should do works",
        arguments: [plain, changing(.keyFrame), changing(.bitRate(4)), changing(.size(width: 256, height: 192))])
    func works(test: SelfTestCase) {
        let (verdict, finding) = Self.good(test).verdict(of: test)
        #expect(verdict == .works && finding == nil)
    }

    /// Something that goes wrong, and what is said of it.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var test = plain
        var verdict = SelfTest.Verdict.damaged
        var finding: String
        var spoil: @Sendable (inout SelfTestOutcome) -> Void
    }

    private static let faults: [Fault] = [
        Fault(testDescription: "errors", finding: "from picture 4 on: the decoder finds errors") {
            $0.pictures?[4].isDamaged = true
            $0.pictures?[6].psnr = 3
        },
        Fault(testDescription: "rubbish", finding: "from picture 6 on: PSNR-Y 17.2 dB") {
            $0.pictures?[6].psnr = 17.18
        },
        Fault(testDescription: "lost by the decoder", finding: "9 of 10 pictures decode") { $0.pictures?.removeLast() },
        Fault(testDescription: "size", finding: "from picture 0 on: 320x256, expected 320x240") { outcome in
            for index in 0..<10 { outcome.pictures?[index].height = 256 }
        },
        Fault(testDescription: "dropped", finding: "2 of 10 pictures were dropped, the first 3: hang") {
            $0.dropped = [(7, "late"), (3, "hang")]
        },
        Fault(testDescription: "missing", finding: "9 of 10 pictures came out") { $0.units.removeLast() },
        Fault(testDescription: "late", finding: "2 of 10 pictures came out within 10 s") {
            $0.units.removeLast(8)
            $0.lateness = .unfinished(seconds: 10)
        },
        Fault(testDescription: "silent", finding: "2 of 10 pictures came out, then none for 10 s") {
            $0.units.removeLast(8)
            $0.lateness = .silent(seconds: 10)
        },
        Fault(testDescription: "ended", finding: "ended after 10 of 10 pictures: lost") {
            $0.error = EncoderError(.deviceLost, reason: "lost")
        },
        Fault(
            testDescription: "refused by the driver", verdict: .refused,
            finding: "refused by the driver: vaCreateConfig: no"
        ) {
            $0 = SelfTestOutcome()
            $0.error = EncoderError(.backendFailure, reason: "vaCreateConfig: no", status: 5)
        },
        Fault(testDescription: "refused here", verdict: .refused, finding: "refused here: no such profile") {
            $0 = SelfTestOutcome()
            $0.error = EncoderError(.unsupported, reason: "no such profile")
        },
        Fault(testDescription: "late first picture", verdict: .late, finding: "not coded within 1.0 seconds") {
            $0 = SelfTestOutcome()
            $0.error = EncoderError(.timedOut, reason: "not coded within 1.0 seconds")
        },
        Fault(
            testDescription: "no decoder", verdict: .undecoded,
            finding: "libavcodec, which would decode it, is not there"
        ) { $0.pictures = nil },
        Fault(
            testDescription: "no key frame", test: changing(.keyFrame, count: 10),
            finding: "picture 5 was to be a key frame and is none"
        ) { $0.units[5].isSync = false },
        Fault(
            testDescription: "bit rate", test: changing(.bitRate(4)),
            finding: "four times the bit rate from picture 50 on brought 1.00 times the bytes"
        ) { outcome in for index in 50..<100 { outcome.units[index].byteCount = 1000 } },
        Fault(
            testDescription: "old size", test: changing(.size(width: 256, height: 192), count: 10),
            finding: "from picture 5 on: 320x240, expected 256x192"
        ) { $0.pictures?[5] = .init(width: 320, height: 240, psnr: 38) },
    ]

    @Test("what is wrong is told with the picture that it begins at, and refusals with who refused", arguments: faults)
    func broken(fault: Fault) {
        var outcome = Self.good(fault.test)
        fault.spoil(&outcome)
        let (verdict, finding) = outcome.verdict(of: fault.test)
        #expect(verdict == fault.verdict && finding == fault.finding)
    }

    @Test("each bit depth and kind of rate that an encoder has is tried, and what comes up in use")
    func cases() {
        var capabilities = EncoderCapabilities(
            profiles: [.hevcMain, .hevcMain10], bitDepths: [8, 10], directPixelFormats: [.nv12, .p010],
            codedWidths: 32...4096, codedHeights: 32...4096,
            settings: [.constantQuantizer, .averageBitRate, .forceKeyFrame], quantizers: 1...51)
        capabilities.directPictureKinds = [.memory, .surface, .dmaBuf]
        func names() -> [String] {
            let encoder = EncoderDescription(
                id: EncoderID(rawValue: "a.hevc"), displayName: "a", libraryVersion: "1", codec: .hevc,
                capabilities: capabilities)
            return SelfTestCase.all(of: encoder).map(\.name)
        }
        #expect(
            names() == [
                "8 bit, qp 30", "8 bit, 1000000 bit/s", "10 bit, qp 30", "10 bit, 1000000 bit/s",
                "1920x1080, 1000000 bit/s", "300 pictures", "forced key frame", "bit rate four times as high",
                "another size", "pictures in surfaces", "pictures in DMA-BUFs",
            ])
        capabilities = EncoderCapabilities(
            profiles: [.hevcMain], bitDepths: [8], directPixelFormats: [.nv12], codedWidths: 64...1280,
            codedHeights: 64...720, settings: [.constantQuantizer], quantizers: 1...51)
        #expect(names() == ["8 bit, qp 30", "300 pictures", "another size"])
    }

    @Test(
        "each encoder's first case is tried before any encoder's second",
        arguments: [
            ([["h1", "h2", "h3"], ["e1", "e2"], ["f1"]], ["h1", "e1", "f1", "h2", "e2", "h3"]),
            ([["h1"], [], ["e1", "e2", "e3"]], ["h1", "e1", "e2", "e3"]),
            ([["h1", "h2"]], ["h1", "h2"]), ([[], []], []), ([], []),
        ])
    func rounds(trials: [[String]], order: [String]) {
        #expect(SelfTestCase.inRounds(trials) == order)
    }
}
