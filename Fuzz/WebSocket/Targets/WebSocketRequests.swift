// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded

@testable import WebSocketPublishing

/// What a connection sends from its first byte on, in pieces: requests, and behind an upgrade frames.
///
/// The first byte says how long the pieces are, and from 128 on that an upgrade which is let in goes before them: so
/// frames are found too. Nobody else is let in without the token, and every connection that says
/// nothing more ends, with nothing left of it at the server, which is the same for all executions.
func checkRequests(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let before = hub.statistics.withLock { $0 }
    let channel = EmbeddedChannel(handler: nil, loop: loop)
    do { try hub.accept(channel) } catch { fatalError("not taken in: \(error)") }
    channel.connect(to: address, promise: nil)
    let stream = (first < 128 ? [] : upgrade) + bytes.dropFirst()
    var (rest, answer) = (stream[...], [UInt8]())
    let size = first & 127 == 0 ? max(stream.count, 1) : Int(first & 127)
    while !rest.isEmpty, channel.isActive {
        _ = try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(size)))
        rest = rest.dropFirst(size)
        loop.run()
        while let part = try? channel.readOutbound(as: ByteBuffer.self) {
            if answer.count < 16 { answer += Array(part.readableBytesView.prefix(16)) }
        }
    }
    let text = String(decoding: answer.prefix(16), as: UTF8.self)
    require(text.isEmpty || text.hasPrefix("HTTP/1."), "an answer that begins with \(text)")
    let after = hub.statistics.withLock { $0 }
    let joined = after.joinedViewers - before.joinedViewers
    if text.hasPrefix("HTTP/1.1 101") || joined > 0 {
        require(stream.firstRange(of: Array(secret.utf8)) != nil, "let in without the token")
    }
    require(joined <= 1 && after.refused - before.refused <= 1, "\(before), \(after)")
    // Longer than an idle viewer is kept, and its close waited for.
    for _ in 0..<7 where channel.isActive { loop.advanceTime(by: .seconds(10)) }
    require(!channel.isActive, "a connection that does not end")
    loop.run()
    let end = hub.statistics.withLock { $0 }
    require(end.connections == 0 && end.viewers == 0, "\(end)")
    _ = try? channel.finish(acceptAlreadyClosed: true)
}

private let secret = "correct-horse-battery"
private let upgrade = Array(
    """
    GET /watch?token=\(secret) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r

    """.utf8)
private let loop = EmbeddedEventLoop()
private let address: SocketAddress = {
    guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: 1) else { fatalError("no address") }
    return address
}()
private let hub: ViewerHub = {
    guard let token = try? AccessToken(secret) else { fatalError("a token that is none") }
    var limits = ServerLimits()
    limits.headerBytes = 1024
    return ViewerHub(
        on: loop, admission: Admission(ServerPlace(), token: token, isSecure: false, takesPublishers: false),
        limits: limits, viewers: ViewerLimits(), security: nil, onPublisher: nil)
}()
