// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Publishing

@Suite struct AddressSecretsTests {
    private static let address = "rtmp://USERNAME1:PASS+WORD%C3%BC@host/live/KEY-1234?token=T0KEN&joe=abc"

    @Test(
        "user, password, key and values are hidden in each coding, and with capital letters or small ones",
        arguments: [
            ("login USERNAME1 with password PASS+WORDü", "login … with password …"),
            ("login username1 with password pass word%c3%BC.", "login … with password …."),
            ("%55SERNAME1:PASS%20WORD%C3%BC", "…"), ("xUSERNAME1x", "x…x"),
            ("stream key-1234 is bad", "stream … is bad"),
            ("stream KEY%2D1234?token=t0ken&joe=abc is bad", "stream … is bad"), ("token T0KEN; abc", "token …; …"),
            // Three bytes are hidden as a word of their own.
            ("abcd of ABC", "abcd of …"),
            // The end of a text that was cut.
            ("login USERNAM", "login …"), ("password pass%20", "password …"), ("password pass%2", "password …"),
            ("user use", "user use"),
            ("application live is gone; 1 try", "application live is gone; 1 try"), ("100 % of 5 %2", "100 % of 5 %2"),
            ("", ""),
        ])
    func texts(text: String, shown: String) throws {
        #expect(try PublishAddress(Self.address).secrets.hidden(in: text) == shown)
    }

    @Test(
        "the parts of a stream id are secrets, and what it is for is none",
        arguments: [
            "publish:room:joey:hunter2", "%23!::u=joey,s=hunter2,r=room,m=publish", "#!::u=joey,s=hunter2,r=room",
        ])
    func streamID(text: String) throws {
        let secrets = try PublishAddress("srt://host:9000?streamid=\(text)&latency=200").secrets
        #expect(
            secrets.hidden(in: "cannot publish room of joey with hunter2 at latency 200", and: "at latency")
                == "cannot publish … of … with … … 200")
    }

    @Test("no marker in an address is left in any coding of it", arguments: UInt64(0)..<40)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            let marker = (0..<Int.random(in: 4...12, using: &generator)).map { _ in
                ["a", "Q", "7", "%20", "+", "%c3%bc", "-", "%2B", "%25"].randomElement(using: &generator) ?? ""
            }.joined()
            let place = ["\(marker)@h/app/k", "u:\(marker)@h/app/k", "h/app/\(marker)", "h/app/k?x=\(marker)"]
            let address = "rtmp://" + (place.randomElement(using: &generator) ?? "")
            let secrets = try PublishAddress(address).secrets
            // Each byte as it is or escaped, in small letters or not.
            let isForm = Bool.random(using: &generator)
            let read = AddressSecrets.unescaped(isForm ? marker.replacing("+", with: " ") : marker)
            let written = read.utf8.map { byte in
                let isPlain = byte < 0x80 && byte != UInt8(ascii: "%") && Bool.random(using: &generator)
                guard isPlain else { return "%" + String(byte, radix: 16).leftPadded }
                return byte == UInt8(ascii: " ") && isForm ? "+" : String(UnicodeScalar(byte)).lowercased()
            }.joined()
            #expect(secrets.hidden(in: "say <\(written)>") == "say <…>", "\(address)")
        }
    }
}

extension String {
    /// Two hexadecimal digits.
    fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
