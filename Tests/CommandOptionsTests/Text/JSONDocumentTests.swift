// SPDX-License-Identifier: MIT

import CommandOptions
import Testing

@Suite struct JSONDocumentTests {
    @Test("names are sorted and slashes stay")
    func bytes() throws {
        let text = String(decoding: try JSONDocument.bytes(["b": "1/2", "a": "x"]), as: UTF8.self)
        #expect(text == "{\n  \"a\" : \"x\",\n  \"b\" : \"1/2\"\n}\n")
    }
}
