// SPDX-License-Identifier: MIT

import Glibc
import MediaIO
import TestSupport
import Testing

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

    @Test("one file is found while another thread makes it")
    func made() async throws {
        try await withTemporaryDirectory { folder in
            for round in 0..<2000 {
                let (path, other) = (folder.path("\(round)"), folder.path("./\(round)"))
                let maker = Task.detached { close(open(path, O_CREAT | O_WRONLY, 0o600)) }
                while access(path, F_OK) != 0 {
                    try #require(FilePlace.isSame(other, path), "round \(round)")
                }
                #expect(await maker.value == 0)
            }
        }
    }

    @Test("links that lead nowhere yet are followed, from one to the next")
    func dangling() async throws {
        try await withTemporaryDirectory { folder in
            symlink("b.ts", folder.path("a.ts"))
            symlink(folder.path("a.ts"), folder.path("c.ts"))
            symlink("round", folder.path("round"))
            #expect(FilePlace.isSame(folder.path("a.ts"), folder.path("b.ts")))
            #expect(FilePlace.isSame(folder.path("c.ts"), folder.path("b.ts")))
            #expect(!FilePlace.isSame(folder.path("round"), folder.path("b.ts")))
        }
    }

    @Test("pipes and devices are read once; files, folders and what is not there are no streams")
    func streams() async throws {
        try await withTemporaryDirectory { folder in
            mkfifo(folder.path("pipe"), 0o600)
            try folder.write([], to: "file")
            #expect(FilePlace.isStream(folder.path("pipe")) && FilePlace.isStream("/dev/null"))
            for name in ["file", "", "nowhere"] { #expect(!FilePlace.isStream(folder.path(name)), "\(name)") }
        }
    }
}
