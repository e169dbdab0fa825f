// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import MediaIO

@Suite struct SHA256Tests {
    @Test(
        "the digests of FIPS 180-4's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(text: String, digest: String) {
        #expect(SHA256.digest(Array(text.utf8)) == digest)
    }

    @Test("every length around a block is digested as sha256sum does, in one piece or in many")
    func lengths() async throws {
        var random = SeededGenerator()
        try await withTemporaryDirectory { folder in
            var names: [String] = []
            var digests: [String] = []
            for count in Array(54...66) + [119, 120, 127, 128, 129, 1000] {
                let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                names.append(try folder.write(bytes, to: "\(count)"))
                digests.append(SHA256.digest(bytes))
                var hash = SHA256()
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = Array(rest.prefix(Int.random(in: 1...70, using: &random)))
                    piece.withUnsafeBytes { hash.update($0) }
                    rest = rest.dropFirst(piece.count)
                }
                #expect(hash.finish() == digests.last)
            }
            let output = try await ExternalProgram("sha256sum").run(names).text
            let expected = output.split(separator: "\n").map { String($0.prefix(64)) }
            #expect(expected == digests)
        }
    }
}
