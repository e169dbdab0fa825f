// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import TestSupport
import Testing

@testable import VAAPIBackend

extension IntelDriverTests {
    /// Requests of the kernel that fail or never end, with a codec, on a chip.
    struct FaultRow: Sendable, CustomTestStringConvertible {
        var codec: VideoCodec
        var chip: String
        var faults: String

        var labels: [String] { ["\(codec)"] }
        var testDescription: String { "\(chip) \(codec) \(faults)" }

        /// A child of ``encode(_:)`` finds the codec there.
        private static let codecVariable = "ENCODERKIT_TEST_CODEC"

        static var codecOfChild: VideoCodec? {
            getenv(codecVariable).flatMap { VideoCodec(rawValue: String(cString: $0)) }
        }

        /// Runs `body`, whose children are on the row's machine.
        ///
        /// - Returns: The calls of the driver that failed.
        func run(_ body: () async throws -> Void) async throws -> Set<Substring> {
            setenv(Self.codecVariable, codec.rawValue, 1)
            defer { unsetenv(Self.codecVariable) }
            return try await IntelMachine(chip: chip, faults: faults).run(body)
        }
    }

    /// Intel's driver takes less than two seconds to tell that a picture of H.264 hung; for one of HEVC it sleeps
    /// 100,000 times, for eleven seconds on an idle machine and up to a minute on a busy one.
    private static let hangs = [
        FaultRow(codec: .h264, chip: "tgl", faults: "submit:2=hang"),
        FaultRow(codec: .h264, chip: "adlp", faults: "submit:8=hang,submit:16=hang"),
        FaultRow(codec: .h264, chip: "kbl", faults: "submit:9=hang"),
        FaultRow(codec: .hevc, chip: "tgl", faults: "submit:8=hang"),
        FaultRow(codec: .hevc, chip: "adlp", faults: "submit:2=hang"),
        FaultRow(codec: .hevc, chip: "rkl", faults: "submit:9=hang"),
    ]

    @Test(
        "a picture that hangs Intel's chip costs itself and those behind it, and the stream goes on with a key frame",
        .requiresIntelDriver(.free), arguments: Sample.of(hangs, labels: { $0.labels }))
    func sampledHangs(row: FaultRow) async throws {
        let failures = try await row.run {
            await #expect(processExitsWith: .success) { try await Self.recover() }
        }
        #expect(!failures.isEmpty && failures.allSatisfy { $0.contains("=vaMapBuffer ") }, "\(failures)")
    }

    @Test(
        "a submission that the kernel refuses costs one picture, and the stream goes on with a key frame", .inTurn(),
        .requiresIntelDriver(.free),
        arguments: [VideoCodec.h264, .hevc].flatMap { codec in
            ["eio", "enomem", "enospc"].map { FaultRow(codec: codec, chip: "tgl", faults: "submit:8=\($0)") }
        })
    func refused(row: FaultRow) async throws {
        let failures = try await row.run {
            await #expect(processExitsWith: .success) { try await Self.recover() }
        }
        #expect(failures.count == 1 && failures.allSatisfy { $0.contains("=vaEndPicture ") }, "\(failures)")
    }

    @Test(
        "pictures that take time come out whole, several at a time, on Intel's driver", .requiresIntelDriver(.free),
        arguments: [VideoCodec.h264, .hevc])
    func waits(codec: VideoCodec) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let failures = try await FaultRow(codec: codec, chip: "tgl", faults: "submit=+15ms").run {
            await #expect(processExitsWith: .success) {
                let result = try await Self.encode()
                #expect(result.error == nil && result.frames.count == 30)
                #expect(result.frames.allSatisfy { $0.accessUnit != nil })
            }
        }
        #expect(failures == [] && clock.now - start >= .milliseconds(30 * 15))
    }

    // The driver waits as long as it is told; the session's patience is five seconds.
    @Test(
        "a picture that Intel's chip takes too long for ends the session in the time it says", .thorough(),
        .requiresIntelDriver(.free), arguments: [VideoCodec.h264, .hevc])
    func thoroughLate(codec: VideoCodec) async throws {
        _ = try await FaultRow(codec: codec, chip: "tgl", faults: "submit:9=+7000ms").run {
            await #expect(processExitsWith: .success) {
                let result = try await Self.encode()
                #expect(result.error?.code == .timedOut)
                #expect(result.error?.reason.contains("did not come out within 5.0 seconds") == true)
                #expect(result.frames.map(\.presentationTime.value).sorted() == result.given)
                #expect(result.frames.contains { $0.accessUnit != nil })
            }
        }
    }

    @Test(
        "a first picture that Intel's chip takes too long for costs the opening a second, and another rate mode serves",
        .inTurn(),
        .requiresIntelDriver(.free), arguments: [VideoCodec.h264, .hevc])
    func trial(codec: VideoCodec) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let failures = try await FaultRow(codec: codec, chip: "tgl", faults: "submit:1=+1500ms").run {
            await #expect(processExitsWith: .success) {
                let result = try await Self.encode { $0.averageBitRate = 500_000 }
                #expect(result.error == nil && result.frames.allSatisfy { $0.accessUnit != nil })
            }
        }
        // Traces have no name for what vaSyncBuffer says when the time is over.
        #expect(failures == [] && clock.now - start >= .seconds(1))
    }

    @Test(
        "where the kernel refuses all submissions from one on, the device is lost, and every picture is reported",
        .requiresIntelDriver(.free), arguments: [VideoCodec.h264, .hevc])
    func lost(codec: VideoCodec) async throws {
        let row = FaultRow(codec: codec, chip: "tgl", faults: "submit:8+=eio")
        _ = try await row.run {
            await #expect(processExitsWith: .success) {
                let result = try await Self.encode()
                #expect(result.error?.code == .deviceLost)
                #expect(result.error?.reason.contains("is lost: vaEndPicture") == true)
                #expect(result.frames.map(\.presentationTime.value).sorted() == result.given)
                #expect(result.frames.contains { $0.accessUnit != nil } && result.given.count < 30)
            }
        }
    }

    /// In a child: the session ends without an error, every picture is reported, and behind each failure the stream
    /// goes on with a key frame.
    private static func recover() async throws {
        let result = try await encode()
        #expect(result.error == nil)
        #expect(result.given.count == 30 && result.frames.map(\.presentationTime.value).sorted() == result.given)
        let drops = result.frames.compactMap(\.dropReason)
        #expect((1...12).contains(drops.count), "\(drops)")
        for reason in drops {
            guard case .failed = reason else { Issue.record("\(reason)"); continue }
        }
        for (before, frame) in zip(result.frames, result.frames.dropFirst())
        where before.dropReason != nil && frame.accessUnit != nil {
            #expect(frame.accessUnit?.isSync == true)
        }
        #expect(result.frames.suffix(8).allSatisfy { $0.accessUnit != nil })
    }

    /// In a child: 30 pictures through the machine's first encoder of the row's codec, with constant quantizers unless
    /// `change` says otherwise.
    private static func encode(
        _ change: (inout LiveSettings) -> Void = { $0.constantQuantizer = 30 }
    ) async throws -> DeviceEncoding.Result {
        let codec = try #require(FaultRow.codecOfChild)
        var configuration = DeviceEncoding.configuration(codec, width: 320, height: 256)
        change(&configuration.live)
        return try await DeviceEncoding(configuration: configuration, count: 30).run(on: VAAPIBackend())
    }
}
