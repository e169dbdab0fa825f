// SPDX-License-Identifier: MIT

import FoundationEssentials
import Logging
import TestSupport
import Testing

@testable import encbench

@Suite struct PointStoreTests {
    private let point = Studies.study().points[0]

    @Test("a result comes back under its key, from this and from any other store of the folder")
    func roundTrip() async throws {
        try await withTemporaryDirectory { folder in
            let store = try PointStore(path: folder.path("new"), logger: .silent)
            let result = Studies.result(of: point)
            #expect(store.result(for: try result.key, as: PointResult.self) == nil)
            try store.keep(result)
            try store.keep(result)
            let other = try PointStore(path: folder.path("new"), logger: .silent)
            #expect(other.result(for: try result.key) == result)
            #expect(try other.all() == [result])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new")).count == 1)
        }
    }

    @Test("a file that is cut anywhere, foreign, or another point's is not used, with one warning")
    func damage() async throws {
        try await withTemporaryDirectory { folder in
            let log = RecordingLog()
            let store = try PointStore(path: folder.path("s"), logger: log.logger(level: .warning))
            let result = Studies.result(of: point)
            try store.keep(result)
            let name = "s/" + (try result.key) + ".point.json"
            let bytes = try folder.read(name)
            var changed = String(decoding: bytes, as: UTF8.self)
            changed.replace("\"clip_sha256\":\"0\"", with: "\"clip_sha256\":\"1\"")
            var short = result
            short.frames.types.removeLast()
            try store.keep(short)
            let missing = try folder.read(name)
            // What sums and divisions would trap on, though it is good JSON.
            let implausible = try [
                { $0.frames.bytes[0] = .max }, { $0.frames.bytes[0] = -1 }, { $0.seconds = 1e308 },
                { $0.seconds = 0 }, { $0.frames.bitDepth = 0 },
            ].map { (change: (inout PointResult) -> Void) in
                var edited = result
                change(&edited)
                try store.keep(edited)
                return try folder.read(name)
            }
            let damages =
                stride(from: 0, to: bytes.count, by: 101).map { Array(bytes.prefix($0)) }
                + [Array(changed.utf8), Array("{}".utf8), [0xFF, 0xFE], missing] + implausible
            for damaged in damages {
                try folder.write(damaged, to: name)
                let before = log.texts(.warning).count
                #expect(store.result(for: try result.key, as: PointResult.self) == nil)
                #expect(log.texts(.warning).count == before + 1)
            }
            try store.keep(result)
            #expect(store.result(for: try result.key) == result)
        }
    }

    @Test("a folder that cannot be is refused with its path")
    func refusal() async throws {
        try await withTemporaryDirectory { folder in
            let file = try folder.write([1], to: "file")
            for path in [file + "/in", folder.path("no/such/parent")] {
                let error = #expect(throws: CommandFailure.self) {
                    try PointStore(path: path, logger: .silent)
                }
                #expect(error?.description.hasPrefix(path) == true)
            }
        }
    }
}
