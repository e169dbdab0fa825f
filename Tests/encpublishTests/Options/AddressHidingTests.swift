// SPDX-License-Identifier: MIT

import CommandOptions
import MediaIO
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
            ("", ""), ("rtmp://", "rtmp://"), ("udp://127.0.0.1: no port", "udp://127.0.0.1: no port"),
            ("at rtmp://h/a/K.", "at rtmp://h/…."), ("rtmp://u:p/q@h/app/K", "rtmp://…"),
        ])
    func texts(text: String, shown: String) {
        #expect(AddressHiding.hide(in: text) == shown)
    }

    @Test(
        "a value that should be an address is hidden behind its host, whatever characters it has",
        arguments: [
            ("srt://127.0.0.1:9000?passphrase=correct horse battery", "srt://127.0.0.1:9000/…"),
            ("rtmp://host/app/key SECRET", "rtmp://host/…"), ("rtmp://host KEY", "rtmp://…"),
            ("rtmp://live:my secret password@host/app/key", "rtmp://host/…"),
            ("rtmp://live:my/secret password@host/app/key", "rtmp://…"), ("rtmp ://h/app/KEY", "rtmp ://…"),
            ("://h/app/KEY", "://…"), ("rtmp;//h/app/KEY", "rtmp;//…"), ("RTMP : h/app/KEY", "RTMP : …"),
            ("rtmp:KEY@h", "rtmp:…"), ("h/app/KEY?u=http://x", "…"), ("rtmp://h/app/KE'Y\"<K>\nEY", "rtmp://h/…"),
            ("small=rtmp://h/app/K EY", "small=rtmp://h/…"), ("mp4:rtmp ://h/KEY", "mp4:rtmp ://…"),
            ("--to=s=rtmp ://h/KEY", "--to=s=rtmp ://…"), ("rtmp://", "rtmp://"),
            ("annexb:ws://h:8080/publish?token=KEY", "annexb:ws://h:8080/…"), ("wss:KEY@h", "wss:…"),
            ("out.mp4", nil), ("./rtmp:x.mkv", nil), ("rtmp_1.mkv", nil), ("udp/a b.ts", nil), ("", nil),
            ("srt - part 1.ts", nil), ("ts:-", nil), ("hd//", nil),
        ] as [(String, String?)])
    func values(value: String, shown: String?) {
        #expect(AddressHiding.shown(value: value) == shown)
        guard let shown else { return }
        let text = AddressHiding.hide(in: "Unexpected argument '\(value)', or \(value.shown)", arguments: [value])
        #expect(text == "Unexpected argument '\(shown)', or \(shown)")
        let option = AddressHiding.hide(in: "The value '\(value)' is invalid", arguments: ["--record=\(value)"])
        #expect(option == "The value '\(shown)' is invalid")
    }

    @Test(
        "an address without its colon and slashes is refused, and nothing of it shown",
        arguments: [
            "rtmp:h/app/KEY", "rtmp:/h/app/KEY", "rtmp//h/app/KEY.ts", "mp4:rtmp:h/app/KEY", "srt:h:9000/KEY.flv",
            "rtmp;//h/app/KEY.ts", "rtmp : h/KEY.mkv",
        ])
    func faulty(text: String) {
        let error = #expect(throws: OptionError.self) { try OutputChoice(text) }
        #expect(error?.description.contains("KEY") == false, "\(String(describing: error))")
        #expect(error?.description.contains("expected ://") == true)
    }
}
