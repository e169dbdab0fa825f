// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@Suite struct TemporaryDirectoryTests {
    private struct Failure: Error {}

    @Test("files written are read back and gone afterwards, also after an error")
    func removesItself() async throws {
        var path = ""
        await #expect(throws: Failure.self) {
            try await withTemporaryDirectory { directory in
                path = try directory.write([1, 2, 3], to: "bytes")
                #expect(try directory.read("bytes") == [1, 2, 3])
                throw Failure()
            }
        }
        #expect(path.hasSuffix("/bytes"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
