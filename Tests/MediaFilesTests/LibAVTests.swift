// SPDX-License-Identifier: MIT

import MediaFiles
import Testing

@Suite struct LibAVTests {
    @Test("the libraries load on demand and name their versions")
    func versions() throws {
        let versions = try LibAVVersion.description()
        for name in ["libavutil ", "libavcodec ", "libavformat ", "libswscale "] {
            #expect(versions.contains(name))
        }
    }
}
