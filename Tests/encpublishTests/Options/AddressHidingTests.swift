// SPDX-License-Identifier: MIT

import CommandOptions
import Testing

@testable import encpublish

@Suite struct AddressHidingTests {
    @Test(
        "addresses in a text end behind their hosts, the rest stays",
        arguments: [
            ("Unexpected argument 'rtmp://h/app/KEY'", "Unexpected argument 'rtmp://h/…'"),
            ("rtmps://u:p@h:443/app/KEY", "rtmps://h:443/…"), ("srt://h:9000?passphrase=P x", "srt://h:9000/… x"),
            ("rtmp:h/app/KEY", "rtmp:…"), ("--to=rtmp:h/app/KEY?u=http://x", "--to=rtmp:…"),
            ("RTMP//h/app/KEY", "RTMP//…"),
            ("srt://h:12KEY", "srt://h/…"), ("srt://h:9000#KEY", "srt://h:9000/…"), ("srt://h:9KEY/x", "srt://h/…"),
            ("one of rtmp://, srt://", "one of rtmp://, srt://"), ("rtmp://[::1]:9/a/K", "rtmp://[::1]:9/…"),
            ("a rtmp://h/a/K and srt://i/L", "a rtmp://h/… and srt://i/…"), ("rtmp://h", "rtmp://h"),
            ("rtmp://u@v:p@h/K", "rtmp://h/…"), ("no address: a/b", "no address: a/b"), ("://x/y", "://x/y"),
            ("", ""), ("rtmp://", "rtmp://"),
        ])
    func texts(text: String, shown: String) {
        #expect(AddressHiding.hide(in: text) == shown)
    }

    @Test(
        "an address without its colon and slashes is refused, and nothing of it shown",
        arguments: [
            "rtmp:h/app/KEY", "rtmp:/h/app/KEY", "rtmp//h/app/KEY.ts", "mp4:rtmp:h/app/KEY", "srt:h:9000/KEY.flv",
        ])
    func faulty(text: String) {
        let error = #expect(throws: OptionError.self) { try OutputChoice(text) }
        #expect(error?.description.contains("KEY") == false, "\(String(describing: error))")
        #expect(error?.description.contains("expected ://") == true)
    }
}
