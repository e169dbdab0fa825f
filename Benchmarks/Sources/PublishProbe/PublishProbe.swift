// SPDX-License-Identifier: MIT

import CBarePublishing
import EncoderAPI
import Glibc
import Publishing

/// How long a packet takes to a socket, and a connection to stand, beside bare calls of libavformat.
///
///     PublishProbe delay ROUNDS PACKETS    a line for each round: a bare loop over one socket, over eight, eight bare
///                                          threads, a broadcast with one output, with eight: median and p99 in µs; the
///                                          order changes
///     PublishProbe connect URL ROUNDS      a line for each round: libavformat, Publishing: seconds
@main struct PublishProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        switch arguments.dropFirst().first {
        case "delay":
            for _ in 0..<(Int(arguments[2]) ?? 1) {
                let count = Int(arguments[3]) ?? 300
                var rows: [Int: [Int64]] = [:]
                for kind in (0..<5).shuffled() {
                    rows[kind] =
                        switch kind {
                        case 0: bare(1, count)
                        case 1: bare(8, count)
                        case 2: bareThreads(8, count)
                        case 3: try await outputs(1, count)
                        default: try await outputs(8, count)
                        }
                }
                let line = rows.sorted { $0.key < $1.key }.map { "\(percentile($1, 0.5)) \(percentile($1, 0.99))" }
                print(line.joined(separator: " "))
            }
        case "connect":
            for _ in 0..<(Int(arguments[3]) ?? 1) {
                print(bare_connect(arguments[2] + "-bare"), try await connect(arguments[2] + "-ours"))
            }
        default: fatalError("usage: PublishProbe delay ROUNDS PACKETS | connect URL ROUNDS")
        }
    }

    /// Microseconds from one packet to the next, so that each finds a machine at rest.
    ///
    /// The system stamps what arrives: reading it before that time is over would take the processor from the threads
    /// that are measured.
    private static let pause: UInt32 = 5000

    private static func percentile(_ delays: [Int64], _ part: Double) -> Double {
        let sorted = delays.sorted()
        return Double(sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]) / 1000
    }

    /// An access unit of 1000 bytes that no muxer looks into: a delimiter and a slice.
    private static func unit(isKey: Bool) -> [UInt8] {
        let slice: UInt8 = isKey ? 0x65 : 0x41
        return [0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, slice] + [UInt8](repeating: 0x55, count: 989)
    }

    /// Opens a bare muxer to a socket of its own.
    private static func open() -> (socket: CInt, publisher: OpaquePointer) {
        var port: CInt = 0
        let socket = stamped_socket(&port)
        guard let publisher = bare_open("udp://127.0.0.1:\(port)", 640, 360) else { fatalError("cannot open") }
        return (socket, publisher)
    }

    /// A bare loop, to so many sockets: one muxer for each, written to one after the other.
    private static func bare(_ number: Int, _ count: Int) -> [Int64] {
        let peers = (0..<number).map { _ in open() }
        defer { for peer in peers { bare_close(peer.publisher) } }
        return measure(peers.map(\.socket), count) { index, isKey, bytes in
            for peer in peers {
                guard bare_write(peer.publisher, bytes, CInt(bytes.count), Int64(index) * 450, isKey ? 1 : 0) >= 0
                else { fatalError("cannot write") }
            }
        }
    }

    /// Bare threads, to so many sockets: one muxer and one thread for each, woken one after the other.
    private static func bareThreads(_ number: Int, _ count: Int) -> [Int64] {
        let peers = (0..<number).map { _ in
            let (socket, publisher) = open()
            guard let thread = bare_thread_start(publisher) else { fatalError("no thread") }
            return (socket: socket, thread: thread)
        }
        defer { for peer in peers { bare_thread_end(peer.thread) } }
        return measure(peers.map(\.socket), count) { index, isKey, bytes in
            for peer in peers {
                guard bare_thread_give(peer.thread, bytes, CInt(bytes.count), Int64(index) * 450, isKey ? 1 : 0) >= 0
                else { fatalError("cannot write") }
            }
        }
    }

    /// Nanoseconds from before `give` to each socket's first datagram, but for those of the first packet.
    ///
    /// Closes the sockets.
    private static func measure(
        _ sockets: [CInt], _ count: Int, _ give: (_ index: Int, _ isKey: Bool, _ bytes: [UInt8]) throws -> Void
    ) rethrows -> [Int64] {
        defer { for socket in sockets { close(socket) } }
        var delays: [Int64] = []
        for index in 0..<count {
            let isKey = index % 30 == 0
            let bytes = unit(isKey: isKey)
            for socket in sockets { _ = first_arrival(socket, 0) }
            let start = real_time()
            try give(index, isKey, bytes)
            usleep(pause)
            for socket in sockets {
                let arrival = first_arrival(socket, 1000)
                if index > 0, arrival > 0 { delays.append(arrival - start) }
            }
        }
        return delays
    }

    /// A broadcast, to so many sockets.
    private static func outputs(_ number: Int, _ count: Int) async throws -> [Int64] {
        var sockets: [CInt] = []
        var outputs: [Output] = []
        for _ in 0..<number {
            var port: CInt = 0
            sockets.append(stamped_socket(&port))
            outputs.append(.address(try PublishAddress("udp://127.0.0.1:\(port)")))
        }
        // Sequence and picture parameter sets of x264 0.164, Baseline, 640x360.
        let sets: [[UInt8]] = [
            [
                0x67, 0x42, 0xC0, 0x1E, 0xD9, 0x00, 0xA0, 0x2F, 0xF9, 0x70, 0x11, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00,
                0x00, 0x03, 0x00, 0x3C, 0x0F, 0x16, 0x2E, 0x48,
            ], [0x68, 0xCB, 0x83, 0xCB, 0x20],
        ]
        let format = try FormatDescription(codec: .h264, parameterSets: sets)
        let broadcast = try Broadcast(tracks: [.video], outputs: outputs)
        while !broadcast.statistics.values.allSatisfy({ $0.state == .publishing }) { usleep(1000) }
        let delays = try measure(sockets, count) { index, isKey, bytes in
            let time = MediaTime(value: Int64(index) * 450, timescale: 90_000)
            try broadcast.sendBlocking(
                MediaPacket(
                    format: format, presentationTime: time, decodeTime: time, isKey: isKey, data: bytes,
                    nalUnits: [4..<6, 10..<1000]))
        }
        await broadcast.finish()
        return delays
    }

    /// Seconds from asking for an output to its connection.
    private static func connect(_ url: String) async throws -> Double {
        let output = Output.address(try PublishAddress(url))
        let start = ContinuousClock.now
        let broadcast = try Broadcast(tracks: [.video], outputs: [output])
        defer { broadcast.cancel() }
        for await event in broadcast.events {
            if case .state(_, _, .publishing) = event { break }
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
