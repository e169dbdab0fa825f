// SPDX-License-Identifier: MIT

import FoundationEssentials
import MediaFiles
import TestSupport
import Testing

@testable import CommandOptions

@Suite struct WholeFileTests {
    @Test("a file is written as a whole, over an older one and through a link, which stays one")
    func write() async throws {
        try await withTemporaryDirectory { folder in
            try folder.write([1, 2, 3], to: "old")
            try await ExternalProgram("ln").run(["-s", "old", folder.path("link")])
            try WholeFile.write([4], to: folder.path("link"))
            try WholeFile.write([5, 6], to: folder.path("new"))
            #expect(try folder.read("old") == [4] && WholeFile.read(folder.path("new")) == [5, 6])
            let link = try await ExternalProgram("readlink").run([folder.path("link")])
            #expect(link.text == "old\n")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["link", "new", "old"])
        }
    }

    @Test("a pipe and a device are written as they are")
    func special() throws {
        try WholeFile.write([1], to: "/dev/null")
        #expect(throws: MediaFileError.self) { try WholeFile.write([1], to: "/dev/full") }
    }
}
