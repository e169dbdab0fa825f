// SPDX-License-Identifier: MIT

import Testing

@testable import encpublish

@Suite struct AddressHidingTests {
    @Test(
        "addresses in a text end behind their hosts, the rest stays",
        arguments: [
            ("Unexpected argument 'rtmp://h/app/KEY'", "Unexpected argument 'rtmp://h/…'"),
            ("rtmps://u:p@h:443/app/KEY", "rtmps://h:443/…"), ("srt://h:9000?passphrase=P x", "srt://h:9000/… x"),
            ("a rtmp://h/a/K and srt://i/L", "a rtmp://h/… and srt://i/…"), ("rtmp://h", "rtmp://h"),
            ("rtmp://u@v:p@h/K", "rtmp://h/…"), ("no address: a/b", "no address: a/b"), ("://x/y", "://x/y"),
            ("", ""), ("rtmp://", "rtmp://"),
        ])
    func texts(text: String, shown: String) {
        #expect(AddressHiding.hide(in: text) == shown)
    }
}
