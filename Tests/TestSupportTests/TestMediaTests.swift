// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite struct TestMediaTests {
    @Test("a file that is not there is named in the error")
    func missingFile() {
        let error = #expect(throws: TestMediaError.self) { try TestMedia.path("clips/none.y4m") }
        #expect(error?.reason.contains(TestMedia.root == nil ? "ENCODERKIT_MEDIA" : "clips/none.y4m") == true)
    }

    @Test("the listed clips include the one read", .requiresMedia("clips/carphone_qcif_120f.y4m"))
    func readsClip() throws {
        #expect(try TestMedia.files(in: "clips").contains("carphone_qcif_120f.y4m"))
        #expect(try TestMedia.bytes("clips/carphone_qcif_120f.y4m").starts(with: "YUV4MPEG2 W176 H144".utf8))
    }
}
