// SPDX-License-Identifier: MIT

import Testing

@testable import Publishing

@Suite struct PlayListTests {
    private func segment(_ number: Int, _ seconds: Double = 2, isDiscontinuous: Bool = false) -> PlayList.Segment {
        PlayList.Segment(
            name: "\(number).m4s", seconds: seconds, header: "init.mp4", isDiscontinuous: isDiscontinuous)
    }

    @Test("a list that keeps all says so, and ends as what it has become")
    func whole() {
        var list = PlayList(target: 2, window: nil)
        #expect(list.add(segment(1)).isEmpty && list.add(segment(2, 2.0335)).isEmpty)
        let lines = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:3
            #EXT-X-MEDIA-SEQUENCE:0
            #EXT-X-PLAYLIST-TYPE:EVENT
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:2.000,
            1.m4s
            #EXTINF:2.034,
            2.m4s

            """
        #expect(list.text == lines)
        list.isEnded = true
        #expect(list.text == lines.replacing("EVENT", with: "VOD") + "#EXT-X-ENDLIST\n")
    }

    @Test("a window moves on, with the numbers of what has left it")
    func window() {
        var list = PlayList(target: 2, window: 3)
        var left: [String] = []
        for number in 1...6 { left += list.add(segment(number, isDiscontinuous: number == 2)).map(\.name) }
        #expect(left == ["1.m4s", "2.m4s", "3.m4s"])
        #expect(list.text.contains("#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n"))
        #expect(!list.text.contains("#EXT-X-DISCONTINUITY\n") && !list.text.contains("PLAYLIST-TYPE"))
    }

    @Test("another header is named where it begins to be needed")
    func headers() {
        var list = PlayList(target: 2, window: nil)
        _ = list.add(segment(1))
        _ = list.add(PlayList.Segment(name: "2.m4s", seconds: 2, header: "init-2.mp4", isDiscontinuous: true))
        #expect(
            list.text.contains(
                "1.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"init-2.mp4\"\n#EXTINF:2.000,\n2.m4s\n"))
    }
}
