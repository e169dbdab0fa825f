// SPDX-License-Identifier: MIT

import Publishing
import TestSupport

/// A listener of SRT on this machine that writes what it gets into a file.
///
/// Both of its ends keep what is later than their latency, since tests send minutes in seconds. No more is sent in a
/// second than a busy machine takes: what overflows the system's buffers is sent again and again.
struct SRTReceiver {
    /// Where to send.
    let output: Output
    /// The path of what it gets: a transport stream.
    let recording: String
    private let process: PeerProgram

    /// Starts it.
    ///
    /// - Parameters:
    ///   - folder: For the file.
    ///   - passphrase: What both ends know; nil for no encryption.
    /// - Throws: Where it cannot be started.
    init(in folder: TemporaryDirectory, passphrase: String? = nil) throws {
        let port = freePort(isDatagram: true)
        let query = passphrase.map { "&passphrase=\($0)" } ?? ""
        recording = folder.path("received.ts")
        process = try PeerProgram(
            "srt-live-transmit",
            ["-q", "-a", "no", "srt://127.0.0.1:\(port)?mode=listener&tlpktdrop=0\(query)", "file://con"],
            log: recording)
        var output = Output.address(
            try PublishAddress("srt://127.0.0.1:\(port)?latency=200000&tlpktdrop=0&maxbw=4000000"))
        output.connection.passphrase = passphrase
        output.connection.closeTimeout = .seconds(60)
        output.retries.delays = [.milliseconds(100)]
        self.output = output
    }

    /// Waits until it has written what it got, which is when the connection is closed.
    func finish() async { _ = await process.exitStatus(within: 60) }
}
