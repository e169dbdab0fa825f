// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import MediaIO
import TestSupport
import Testing

@testable import Publishing

@Suite struct PlaceClaimTests {
    @Test("two outputs of a broadcast do not write one file; when the first has ended, another may")
    func outputs() async throws {
        try await withTemporaryDirectory { folder in
            let broadcast = try Broadcast(tracks: [.audio])
            let first = try broadcast.add(.file(folder.path("a.ts")))
            try broadcast.add(.segments(SegmentFolder(path: folder.path("hls"))))
            for output in [
                try Output.file(folder.path("./a.ts")), .segments(SegmentFolder(path: folder.path("hls/"))),
            ] {
                let error = #expect(throws: PublishingError.self) { try broadcast.add(output) }
                #expect(error?.code == .invalidValue && error?.output == output.name)
            }
            await broadcast.remove(first)
            try broadcast.add(.file(folder.path("a.ts")))
            await broadcast.finish()
        }
    }

    @Test(
        "a file of a folder of segments is found by its name, whether the folder is there or not",
        arguments: [false, true])
    func segments(isThere: Bool) async throws {
        try await withTemporaryDirectory { folder in
            if isThere { mkdir(folder.path("hls"), 0o700) }
            symlink("hls/init.mp4", folder.path("link.mp4"))
            let cmaf = SegmentFolder(path: folder.path("hls"))
            let transport = SegmentFolder(path: folder.path("./hls/"), kind: .transportStream)
            let names = [
                "init.mp4", "init-2.mp4", "segment-000001.m4s", "segment-1000000.m4s", ".segment-000001.m4s.part",
            ]
            for name in names {
                #expect(FilePlace.isFile(folder.path("hls/" + name), of: cmaf), "\(name)")
                #expect(!FilePlace.isFile(folder.path("hls/" + name), of: transport), "\(name)")
            }
            for name in [
                "init-1.mp4", "init-02.mp4", "segment-1.m4s", "segment-000001.ts", "film.mp4", "init.mp4.part",
            ] {
                #expect(!FilePlace.isFile(folder.path("hls/" + name), of: cmaf), "\(name)")
            }
            #expect(FilePlace.isFile(folder.path("hls/segment-000001.ts"), of: transport))
            #expect(FilePlace.isFile(folder.path("hls/index.m3u8"), of: transport))
            #expect(!FilePlace.isFile(folder.path("init.mp4"), of: cmaf))
            if isThere { #expect(FilePlace.isFile(folder.path("link.mp4"), of: cmaf)) }
        }
    }

    @Test("two broadcasts do not write one file or folder at once, and one after the other do")
    func broadcasts() async throws {
        try await withTemporaryDirectory { folder in
            let format = try TestPackets.audioFormat()
            let places: [(first: Output, second: Output)] = [
                (try .file(folder.path("a.ts")), try .file(folder.path("./a.ts"))),
                (.segments(SegmentFolder(path: folder.path("h"))), .segments(SegmentFolder(path: folder.path("./h/")))),
                (.segments(SegmentFolder(path: folder.path("h"))), try .file(folder.path("h/init.mp4"))),
                (try .file(folder.path("h/init-7.mp4")), .segments(SegmentFolder(path: folder.path("h")))),
            ]
            for (first, second) in places {
                let older = try Broadcast(tracks: [.audio], outputs: [first])
                for number in 0..<50 as Range<Int64> {
                    try await older.send(
                        TestPackets.sound(
                            MediaTime(value: number * 1024, timescale: 48_000), byteCount: 100, format: format))
                }
                #expect(await eventually { older.statistics.values.first?.writtenPackets == 50 })
                let newer = try Broadcast(tracks: [.audio], outputs: [second])
                await newer.finish()
                guard case .failed(let error) = newer.statistics.values.first?.state else {
                    Issue.record("\(second.name): \(String(describing: newer.statistics.values.first))")
                    continue
                }
                #expect(error.code == .invalidValue && error.output == second.name, "\(error)")
                await older.finish()
                #expect(older.statistics.values.first?.state == .ended)
                let last = try Broadcast(tracks: [.audio], outputs: [second])
                await last.finish()
                #expect(last.statistics.values.first?.state == .ended, "\(second.name)")
            }
        }
    }

    @Test("a file that is read is not written, nor is a folder that has one of its name")
    func reading() async throws {
        try await withTemporaryDirectory { folder in
            mkdir(folder.path("h"), 0o700)
            try folder.write([1, 2, 3], to: "h/init.mp4")
            let claim = try PlaceClaim.claim(folder.path("h/init.mp4"), for: .reading(as: "the input"))
            for output in [
                try Output.file(folder.path("h/../h/init.mp4")), .segments(SegmentFolder(path: folder.path("h"))),
            ] {
                let broadcast = try Broadcast(tracks: [.audio], outputs: [output])
                await broadcast.finish()
                let error = broadcast.statistics.values.first?.lastError
                #expect(error?.reason.contains("the input too") == true, "\(String(describing: error))")
            }
            withExtendedLifetime(claim) {}
            #expect(try folder.read("h/init.mp4").count == 3)
        }
    }
}
