// SPDX-License-Identifier: MIT

import BenchStudies
import CommandOptions
import FoundationEssentials
import Glibc
import Logging
import MediaFiles
import PictureQuality
import TestSupport
import Testing

@testable import EncoderBench

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

    @Test(
        "a pipe, a folder, an endless device or a huge file in a result's place is not used, with one warning, and makes room",
        .timeLimit(.minutes(1)),
        arguments: ["mkfifo", "mkdir", "ln -s /dev/zero", "ln -s /nowhere", "truncate -s 100G"])
    func special(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let log = RecordingLog()
            let store = try PointStore(path: folder.path("s"), logger: log.logger(level: .warning))
            let result = Studies.result(of: point)
            let path = folder.path("s/" + (try result.key) + ".point.json")
            try await ExternalProgram("bash").run(["-c", "\(command) '\(path)'"])
            #expect(store.result(for: try result.key, as: PointResult.self) == nil)
            #expect(log.texts(.warning).count == (command.hasSuffix("nowhere") ? 0 : 1))
            guard command != "mkdir" else {
                #expect(throws: MediaFileError.self) { try store.keep(result) }
                return
            }
            try store.keep(result)
            #expect(store.result(for: try result.key) == result)
        }
    }

    @Test("what a killed writer left is removed when the store is opened, and what a living one writes is not")
    func abandoned() async throws {
        try await withTemporaryDirectory { folder in
            _ = try PointStore(path: folder.path("s"), logger: .silent)
            try folder.write([1], to: "s/.a.point.json.1.2.partial")
            let living = try PartialFile.make(for: folder.path("s/b.point.json"))
            try folder.write([1], to: "s/notes.partial")
            _ = try PointStore(path: folder.path("s"), logger: .silent)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("s"))
            #expect(
                names.count == 2 && names.contains { living.path.hasSuffix("/" + $0) }
                    && names.contains("notes.partial"))
            close(living.descriptor)
            _ = try PointStore(path: folder.path("s"), logger: .silent)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("s")) == ["notes.partial"])
        }
    }

    @Test("a folder that cannot be is refused with its path")
    func refusal() async throws {
        try await withTemporaryDirectory { folder in
            let file = try folder.write([1], to: "file")
            for path in [file + "/in", folder.path("no/such/parent")] {
                let error = #expect(throws: EncoderBenchError.self) {
                    try PointStore(path: path, logger: .silent)
                }
                #expect(error?.description.hasPrefix(path) == true)
            }
        }
    }
}
