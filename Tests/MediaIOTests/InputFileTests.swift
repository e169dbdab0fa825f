// SPDX-License-Identifier: MIT

import MediaIO
import TestSupport
import Testing

@Suite struct InputFileTests {
    @Test("looking ahead, putting back and reading keep the order of the bytes")
    func lookahead() async throws {
        let bytes = (0..<3000).map { UInt8($0 % 251) }
        try await withTemporaryDirectory { folder in
            let file = try InputFile(path: try folder.write(bytes, to: "bytes"))
            #expect(file.size == 3000)
            #expect(Array(try file.peek(10)) == Array(bytes[..<10]))
            var head = [UInt8](repeating: 0, count: 600)
            #expect(try head.withUnsafeMutableBytes { try file.read(into: $0) } == 600)
            #expect(head == Array(bytes[..<600]))
            file.unread(head[500...])
            #expect(file.position == 500)
            var tail = [UInt8](repeating: 0, count: 4000)
            #expect(try tail.withUnsafeMutableBytes { try file.read(into: $0) } == 2500)
            #expect(Array(tail[..<2500]) == Array(bytes[500...]))
            #expect(file.seek(to: 2999))
            #expect(Array(try file.peek(5)) == [bytes[2999]])
        }
    }
}
