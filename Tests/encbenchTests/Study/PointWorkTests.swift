// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchStudies
import CommandOptions
import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct PointWorkTests {
    private let point = Studies.study().points[0]

    @Test("a configuration with every setting comes back from its texts as it was")
    func roundTrip() throws {
        let options = try EncoderOptions.parse([
            "--tune", "psnr", "--threads", "3", "--min-qp", "4", "--max-qp", "40", "--data-rate-limit", "5000/0.5",
            "--bit-rate-ceiling", "3M", "--max-key-frame-interval", "50", "--max-key-frame-interval-duration", "2.5",
            "--no-frame-reordering", "--open-gop", "--profile-level", "h264-main-4.1", "--real-time",
            "--expected-frame-rate", "30000/1001", "--max-frame-delay-count", "3", "--native", "deblock=1:-1",
            "--native", "zones=0,3,q=20", "--native", "no-mbtree", "--entropy-mode", "cavlc",
        ])
        let source = SourceDescription(
            width: 64, height: 48, pixelFormat: .i010, frameRate: 25, frameCount: 9,
            color: ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true),
            pixelAspectRatio: PixelAspectRatio(horizontalSpacing: 4, verticalSpacing: 3))
        let rates: [RateControl] = [
            .averageBitRate(123_456), .constantRateFactor(17.25), .constantQuantizer(-7), .automatic,
        ]
        for rate in rates {
            var configuration = options.configuration(codec: .h264, source: source, rateControl: rate, preset: "slow")
            configuration.framing = .annexB
            configuration.parameterSets = .everySyncFrame
            let work = PointWork(
                configuration, of: .x264, clip: Studies.study().clips[0], forcedKeyFrames: [3, 9],
                measuredBy: [:])
            #expect(try work.configuration() == configuration)
            #expect(work.forcedKeyFrames == [3, 9])
        }
    }

    @Test("the key follows from all that decides the result, and from nothing else")
    func key() throws {
        let key = try point.work.key(with: Studies.build)
        #expect(key.count == 64)
        var moved = point
        moved.path = "/elsewhere"
        moved.rate = "another name"
        moved.clip = 7
        #expect(try moved.work.key(with: Studies.build) == key)
        let changes: [(inout PointWork) -> Void] = [
            { $0.clipDigest = "x" }, { $0.frameLimit = 3 }, { $0.encoder = "x" }, { $0.settings["Tune"] = "psnr" },
            { $0.nativeOptions = ["a"] }, { $0.forcedKeyFrames = [1] }, { $0.measuredBy["vmaf"] = "x" },
            { $0.measuredBy["ssim"] = "x" }, { $0.version += 1 },
            { $0.width += 1 }, { $0.height += 1 }, { $0.pixelFormat = "i010" }, { $0.codec = "x" },
            { $0.raw = RawClip(pixelFormat: "i420", width: 1, height: 1) },
            { $0.scaledFrom = ScaledFrom(width: 1, height: 1, filter: "a") },
            { $0.scaledFrom = ScaledFrom(width: 1, height: 1, filter: "b") },
        ]
        var keys = [key]
        for change in changes {
            var work = point.work
            change(&work)
            keys.append(try work.key(with: Studies.build))
        }
        keys.append(try point.work.key(with: EncoderBuild(library: "lib 2", features: "avx2")))
        keys.append(try point.work.key(with: EncoderBuild(library: "lib 1", features: "avx512")))
        #expect(Set(keys).count == keys.count)
    }

    @Test("of pictures that wait there are as many as there is room for, 2 to 16, unless the work says how many")
    func queue() async throws {
        func capacity(_ work: PointWork, _ bytes: Int?) async throws -> Int? {
            let session = try await work.makeSession(logger: Logger(label: "PointWorkTests"), queuedBytes: bytes)
            return session.effective.inForce.pipelineCapacity
        }
        // A picture of 64x48 in 4:2:0 has 4608 bytes.
        for (bytes, count) in [(4608 * 5, 5), (4608 * 6 - 1, 5), (1, 2), (1 << 20, 16)] {
            #expect(try await capacity(point.work, bytes) == count)
        }
        let unasked = try await capacity(point.work, nil)
        #expect(unasked == 16)
        var work = point.work
        work.settings["PipelineCapacity"] = "9"
        #expect(try await capacity(work, 4608 * 5) == 9)
    }

    @Test("a setting, a format or a codec that is not known is named")
    func unknown() {
        var work = point.work
        work.settings["NoSuch"] = "1"
        let error = #expect(throws: EncoderBenchError.self) { try work.configuration() }
        #expect(error?.description == "no setting 'NoSuch'")
        var other = point.work
        other.codec = "av1"
        #expect(throws: EncoderBenchError.self) { try other.configuration() }
    }
}
