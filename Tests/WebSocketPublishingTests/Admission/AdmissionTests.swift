// SPDX-License-Identifier: MIT

import Publishing
import TestSupport
import Testing

@testable import WebSocketPublishing

@Suite struct AdmissionTests {
    private static let secret = "correct-horse-battery"

    private func admission(
        token: Bool = false, names: [String] = [], origins: [String] = [], isSecure: Bool = false,
        takesPublishers: Bool = true
    ) throws -> Admission {
        var place = ServerPlace()
        (place.names, place.origins) = (names, origins)
        return Admission(
            place, token: token ? try AccessToken(Self.secret) : nil, isSecure: isSecure,
            takesPublishers: takesPublishers)
    }

    private func request(
        _ target: String, host: String = "127.0.0.1:8080", origin: String? = nil, isUpgrade: Bool = true,
        bearer: String? = nil, method: String = "GET"
    ) -> Admission.Request {
        Admission.Request(
            method: method, target: target, hosts: [host], origins: origin.map { [$0] } ?? [],
            authorizations: bearer.map { ["Bearer " + $0] } ?? [], isUpgrade: isUpgrade)
    }

    private func status(_ verdict: Admission.Verdict) -> Int? {
        if case .refused(let status, _) = verdict { status } else { nil }
    }

    @Test(
        "any address in numbers and localhost are the server's own, names are those that were given",
        arguments: [
            ("127.0.0.1:8080", true), ("localhost:8080", true), ("LOCALHOST", true), ("[::1]:8080", true),
            ("192.168.1.20:8080", true), ("stream.local:8080", true), ("STREAM.local", true),
            ("evil.example:8080", false), ("127.0.0.1.evil.example", false), ("localhost.evil.example", false),
            ("evil.example@127.0.0.1", false), ("", false), ("localhost:", false), ("localhost:x", false),
            ("localhost:99999", false), ("[::1", false), ("[evil]:80", false), ("a:b:80", false),
        ])
    func hosts(host: String, isOwn: Bool) throws {
        let verdict = try admission(names: ["stream.local"]).judge(request("/watch", host: host))
        #expect((verdict == .viewer) == isOwn, "\(verdict)")
    }

    @Test(
        "pages of another origin are refused, of the server's own and of those that were given are not",
        arguments: [
            (nil, true), ("http://127.0.0.1:8080", true), ("https://studio.example", true),
            ("https://studio.example:443", true), ("http://127.0.0.1:8081", false), ("https://127.0.0.1:8080", false),
            ("http://evil.example", false), ("null", false), ("", false), ("file://", false),
            ("http://studio.example", false), ("https://studio.example.evil.example", false),
        ] as [(String?, Bool)])
    func origins(origin: String?, isAllowed: Bool) throws {
        let verdict = try admission(origins: ["https://studio.example"]).judge(request("/watch", origin: origin))
        #expect((verdict == .viewer) == isAllowed && (isAllowed || status(verdict) == 403), "\(verdict)")
    }

    @Test("two headers of a kind that has one are refused")
    func repeated() throws {
        var twice = request("/watch")
        twice.hosts.append("127.0.0.1:8080")
        #expect(status(try admission().judge(twice)) == 400)
        twice.hosts = []
        #expect(status(try admission().judge(twice)) == 400)
        var origins = request("/watch", origin: "http://127.0.0.1:8080")
        origins.origins.append("http://evil.example")
        #expect(status(try admission().judge(origins)) == 403)
    }

    @Test("with a token, frames need it in the query or the header; the page needs none")
    func tokens() throws {
        let admission = try admission(token: true)
        #expect(admission.judge(request("/", isUpgrade: false)) == .page)
        #expect(admission.judge(request("/watch?token=\(Self.secret)")) == .viewer)
        #expect(admission.judge(request("/watch?x=1&token=\(Self.secret)#token")) == .viewer)
        #expect(admission.judge(request("/publish", bearer: Self.secret)) == .publisher)
        for target in [
            "/watch#?token=\(Self.secret)", "/watch", "/watch?token=", "/watch?token=\(Self.secret)x",
            "/watch?Token=\(Self.secret)", "/publish",
        ] {
            let verdict = admission.judge(request(target))
            #expect(status(verdict) == 403)
            // What is told of it may be logged.
            #expect(!"\(verdict)".contains("horse"))
        }
        #expect(status(admission.judge(request("/publish", bearer: String(Self.secret.dropLast())))) == 403)
        #expect(!"\(admission)".contains("horse"))
    }

    @Test("publishers need a token even where viewers need none, and somebody who takes what they send")
    func publishers() throws {
        #expect(status(try admission().judge(request("/publish"))) == 403)
        #expect(
            status(try admission(token: true, takesPublishers: false).judge(request("/publish", bearer: Self.secret)))
                == 404)
    }

    @Test("other paths, methods and plain requests for frames get the status that says so")
    func others() throws {
        let admission = try admission()
        #expect(status(admission.judge(request("/favicon.ico", isUpgrade: false))) == 404)
        #expect(status(admission.judge(request("/../etc/passwd", isUpgrade: false))) == 404)
        #expect(status(admission.judge(request("/", isUpgrade: true))) == 404)
        #expect(status(admission.judge(request("/", isUpgrade: false, method: "POST"))) == 405)
        #expect(status(admission.judge(request("/watch", isUpgrade: false))) == 426)
        #expect(status(admission.judge(request("/watch", method: "POST"))) == 426)
        var body = request("/watch")
        body.hasBody = true
        #expect(status(admission.judge(body)) == 400)
    }

    @Test("random requests get a verdict")
    func hostile() throws {
        var random = SeededGenerator()
        let pieces = [
            "127.0.0.1", ":", "80", "[", "::1", "]", "localhost", "/", "watch", "?", "token=", "#", "http://", "é",
            "\0", " ",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        let admission = try admission(token: true)
        for _ in 0..<20_000 {
            let verdict = admission.judge(
                Admission.Request(
                    method: "GET", target: text(), hosts: [text()],
                    origins: Bool.random(using: &random) ? [text()] : [],
                    isUpgrade: Bool.random(using: &random)))
            #expect(verdict != .viewer && verdict != .publisher)
        }
    }
}
