// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import ParameterSets
import Publishing
import WebSocketPublishing

/// A server of WebSocket that is given the access units of a file, again and again, as a camera would.
///
///     ViewersProbe FILE VIEWERS SECONDS
///
/// FILE is H.264 behind start codes, with a delimiter before each access unit, of 30 pictures in a second. It prints
/// the port, waits for so many viewers, runs, and prints a line for each access unit: its number, and the nanoseconds
/// of the system's clock when it was given to the broadcast. The last line has user and system seconds of the run, the
/// peak of resident memory in KiB, frames sent and frames dropped.
@main struct ViewersProbe {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let viewers = Int(arguments[2]), let seconds = Int(arguments[3]) else {
            fatalError("usage: ViewersProbe FILE VIEWERS SECONDS")
        }
        let units = try accessUnits(of: arguments[1])
        let format = try FormatDescription(codec: .h264, parameterSets: units[0].parameterSets)
        var configuration = WebSocketServer.Configuration()
        configuration.limits.connections = 1000
        let server = try WebSocketServer(configuration)
        print(try await server.start())
        fflush(nil)
        while server.statistics?.viewers ?? 0 < viewers { try await Task.sleep(for: .milliseconds(20)) }
        let broadcast = try Broadcast(tracks: [.video], outputs: [server.output()])
        let before = usage()
        let start = ContinuousClock.now
        var given: [Int64] = []
        for number in 0..<seconds * 30 {
            let unit = units[number % units.count]
            let packet = MediaPacket(
                format: format, presentationTime: MediaTime(value: Int64(number), timescale: 30),
                decodeTime: MediaTime(value: Int64(number), timescale: 30), isKey: unit.isKey, data: unit.bytes,
                nalUnits: unit.ranges)
            try await Task.sleep(until: start + .nanoseconds(number * 1_000_000_000 / 30), clock: .continuous)
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            given.append(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
            try await broadcast.send(packet)
        }
        await broadcast.finish()
        let after = usage()
        for (number, time) in given.enumerated() { print(number, time) }
        let statistics = server.statistics
        print(
            after.user - before.user, after.system - before.system, peakKilobytes(), statistics?.sentFrames ?? 0,
            statistics?.droppedFrames ?? 0)
        fflush(nil)
        await server.stop()
    }

    /// One picture of the file.
    private struct Unit {
        var bytes: [UInt8]
        var ranges: [Range<Int>]
        var parameterSets: [[UInt8]]
        var isKey: Bool
    }

    private static func accessUnits(of path: String) throws -> [Unit] {
        let bytes = try read(path)
        var units: [[Range<Int>]] = []
        for range in AnnexB.nalUnitRanges(in: bytes) {
            if bytes[range.lowerBound] & 31 == 9 || units.isEmpty { units.append([]) }
            units[units.count - 1].append(range)
        }
        return units.map { ranges in
            let types = ranges.map { bytes[$0.lowerBound] & 31 }
            let sets = zip(ranges, types).filter { [7, 8].contains($0.1) }.map { Array(bytes[$0.0]) }
            let start = ranges[0].lowerBound - 4
            return Unit(
                bytes: Array(bytes[start..<ranges[ranges.count - 1].upperBound]),
                ranges: ranges.map { $0.lowerBound - start..<$0.upperBound - start }, parameterSets: sets,
                isKey: types.contains(5))
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { fatalError("cannot open \(path)") }
        defer { fclose(file) }
        fseek(file, 0, CInt(SEEK_END))
        let size = ftell(file)
        rewind(file)
        return [UInt8](unsafeUninitializedCapacity: size) { $1 = fread($0.baseAddress, 1, size, file) }
    }

    private static func usage() -> (user: Double, system: Double) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return (seconds(usage.ru_utime), seconds(usage.ru_stime))
    }

    /// Of this program alone: what getrusage tells may be that of the one which started it.
    private static func peakKilobytes() -> Int {
        let file = open("/proc/self/status", O_RDONLY)
        defer { close(file) }
        let text = String(unsafeUninitializedCapacity: 4096) { max(0, Glibc.read(file, $0.baseAddress, $0.count)) }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let count = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            fatalError("no peak of memory in /proc/self/status")
        }
        return count
    }
}
