// SPDX-License-Identifier: MIT

import CommandOptions
import Glibc
import MediaFiles
import TestSupport
import Testing

@Suite struct FilePlaceCheckingTests {
    @Test("a file that is read or written otherwise is refused by whatever path, also before it is there")
    func refused() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write([1], to: "there.y4m")
            symlink("new.json", folder.path("link.json"))
            let others = [("the input", folder.path("there.y4m")), ("the output", folder.path("new.json"))]
            for (path, what) in [
                ("./there.y4m", "the input"), ("new.json", "the output"), ("./new.json", "the output"),
                ("link.json", "the output"),
            ] {
                let path = folder.path(path)
                let error = #expect(throws: CommandFailure.self) { try FilePlace.check(path, isNone: others) }
                #expect(error?.code == .sameFile)
                #expect(error?.description == "\(path): is \(what) too; write to another file")
            }
            try FilePlace.check(folder.path("other.json"), isNone: others)
        }
    }

    @Test("standard streams and devices may be named twice", arguments: ["-", "/dev/null"])
    func shared(path: String) throws {
        try FilePlace.check(path, isNone: [("the input", path)])
    }
}
