// SPDX-License-Identifier: MIT

import Publishing

/// How much a server takes from those who connect to it.
public struct ServerLimits: Sendable, Hashable {
    /// Connections at a time, 1...10,000, those that have not said yet what they want included; 100 by default.
    public var connections = 100
    /// Publishers at a time, 1...1000; 1 by default.
    public var publishers = 1
    /// Bytes of a message of a publisher, all its fragments together, 1024...67,108,864; 8 MiB by default.
    ///
    /// As many may wait to be taken before its connection is read no further: a publisher takes three times as much
    /// memory at most, and 256 KiB that one turn of reading brings. Viewers only tell how they fare: of them a message
    /// has 1024 bytes at most.
    public var messageBytes = 8 << 20
    /// Bytes of a request before its end, 1024...65,536; 8 KiB by default.
    public var headerBytes = 8 << 10
    /// Seconds after which a connection is closed that nothing came from, 2...3600; 30 by default.
    ///
    /// Viewers and publishers are asked for a sign of life when half of the time has passed. A publisher whose packets
    /// wait to be taken is not closed meanwhile.
    public var idleSeconds = 30
    /// Seconds that a request may take to be whole, 1...60; 5 by default.
    public var requestSeconds = 5

    /// Bytes of a message of a viewer.
    static let viewerMessageBytes = 1024

    /// The defaults.
    public init() {}

    /// - Throws: `PublishingError` with `.invalidValue`, which names the limit, its value and its range.
    func check() throws(PublishingError) {
        for (name, value, range) in [
            ("connections", connections, 1...10_000), ("publishers", publishers, 1...1000),
            ("bytes of a message", messageBytes, 1024...(64 << 20)),
            ("bytes of a request", headerBytes, 1024...65_536), ("seconds without a sign", idleSeconds, 2...3600),
            ("seconds of a request", requestSeconds, 1...60),
        ] where !range.contains(value) {
            throw PublishingError(
                .invalidValue, reason: "\(name) \(value), expected \(range.lowerBound)...\(range.upperBound)")
        }
    }
}
