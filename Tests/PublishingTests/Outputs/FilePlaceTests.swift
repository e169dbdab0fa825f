// SPDX-License-Identifier: MIT

import Glibc
import TestSupport
import Testing

@testable import Publishing

@Suite struct FilePlaceTests {
    @Test("one file is found by whatever path, before it is there and after", arguments: [false, true])
    func same(isThere: Bool) async throws {
        try await withTemporaryDirectory { folder in
            mkdir(folder.path("sub"), 0o700)
            symlink(folder.path, folder.path("link"))
            if isThere {
                try folder.write([1], to: "a.ts")
                link(folder.path("a.ts"), folder.path("hard"))
            }
            let path = folder.path("a.ts")
            for other in ["a.ts", "./a.ts", "sub/../a.ts", "link/a.ts"] + (isThere ? ["hard"] : []) {
                #expect(FilePlace.isSame(path, folder.path(other)), "\(other)")
            }
            for other in ["b.ts", "sub/a.ts", "nowhere/a.ts"] {
                #expect(!FilePlace.isSame(path, folder.path(other)), "\(other)")
            }
            #expect(FilePlace.isSame(folder.path("new"), folder.path("new/")))
            #expect(FilePlace.isSame("-", "-") && !FilePlace.isSame("-", path))
            #expect(!FilePlace.isSame("/dev/null", "/dev/null"))
        }
    }

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
}
