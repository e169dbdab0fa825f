// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing
import Synchronization
import TestSupport
import Testing

@Suite struct PublishingExampleTests {
    /// What ffprobe says of the entries of a file, a line each.
    private func probe(_ path: String, _ arguments: String...) async throws -> [String] {
        let found = try await ExternalProgram("ffprobe").run(
            ["-v", "error"] + arguments + ["-of", "csv=p=0:s=\\ ", path])
        return found.text.split(separator: "\n").map { $0.trimmingBlanks }
    }

    private func streams(_ path: String) async throws -> [String] {
        try await probe(
            path, "-count_packets", "-show_entries", "stream=codec_name,profile,width,height,nb_read_packets"
        ).sorted()
    }

    @Test("720x720 and sound reach a file and a live output, with the same packets", .requiresProgram("ffprobe"))
    func square() async throws {
        try await withTemporaryDirectory { folder in
            let received = Mutex<[UInt8]>([])
            let live = Output.receiver("live", container: .flv) { piece throws(PublishingError) in
                switch piece {
                case .header(let bytes), .bytes(let bytes): received.withLock { $0 += bytes }
                case .ended: break
                }
            }
            let outputs = try await publishSquare(seconds: 3, to: [.file(folder.path("a.flv")), live])
            #expect(outputs.allSatisfy { $0.state == .ended && $0.droppedPackets == 0 && $0.lastError == nil })
            try folder.write(received.withLock { $0 }, to: "live.flv")
            let file = try await streams(folder.path("a.flv"))
            #expect(file.count == 2 && file.contains { $0.hasPrefix("h264 ") && $0.hasSuffix("720 720 72") }, "\(file)")
            #expect(try await streams(folder.path("live.flv")) == file)
        }
    }

    @Test("720x720 and Baseline reach a server, which records them", .requiresNginx, .requiresProgram("ffprobe"))
    func server() async throws {
        try await withTemporaryDirectory { folder in
            let server = try await NginxServer(in: folder)
            for (name, size) in [("square", "720 720"), ("baseline", "640 480")] {
                let output = Output.address(try PublishAddress(server.address(name)))
                let outputs =
                    try await name == "square"
                    ? publishSquare(seconds: 3, to: [output]) : publishBaseline(seconds: 3, to: [output])
                let sent = try #require(outputs.first)
                // Packets come at once here, so some may be there before the connection is, and are left out.
                #expect(sent.state == .ended && sent.lastError == nil && sent.writtenPackets > 30, "\(sent)")
                #expect(sent.writtenPackets + sent.droppedPackets == sent.givenPackets, "\(sent)")
                var found: [String] = []
                let isThere = try await eventually {
                    guard let path = try server.recordings().first(where: { $0.contains(name) }) else { return false }
                    found = try await streams(path)
                    let counts = found.compactMap { Int($0.split(separator: " ").last ?? "") }
                    return found.contains { $0.hasPrefix("h264 ") && $0.contains(size) }
                        && counts.reduce(0, +) >= sent.writtenPackets - 3
                }
                #expect(isThere, "\(name): \(found), \(sent)")
            }
        }
    }

    @Test("Baseline has a key frame each second, and no B pictures", .requiresProgram("ffprobe"))
    func baseline() async throws {
        try await withTemporaryDirectory { folder in
            let outputs = try await publishBaseline(seconds: 3, to: [.file(folder.path("a.flv"))])
            #expect(outputs.allSatisfy { $0.state == .ended })
            let packets = try await probe(folder.path("a.flv"), "-show_entries", "packet=pts_time,dts_time,flags")
            #expect(packets.count == 90)
            let keys = packets.enumerated().filter { $0.element.contains("K") }.map(\.offset)
            // The end of a flash is another scene, for which the encoder makes one of its own.
            #expect(Set(keys).isSuperset(of: [0, 30, 60]), "\(packets)")
            #expect(packets.allSatisfy { $0.split(separator: " ")[0] == $0.split(separator: " ")[1] })
            let profile = try await streams(folder.path("a.flv"))
            #expect(profile.allSatisfy { $0.contains("Baseline") }, "\(profile)")
        }
    }

    @Test(
        "pictures and sound of a late clock start together, in ASF and elsewhere", .requiresProgram("ffprobe"),
        arguments: ["a.asf", "a.mkv", "a.mp4"])
    func oneBase(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let start = MediaTime(value: 86_400_000, timescale: 1000)
            let output = try await recordWithOneBase(seconds: 2, start: start, to: folder.path(name))
            #expect(output?.state == .ended && output?.lastError == nil, "\(String(describing: output?.lastError))")
            let starts = try await probe(folder.path(name), "-show_entries", "stream=codec_type,start_time")
            let times = starts.compactMap { Double($0.split(separator: " ").last ?? "") }
            // Sound may begin with the encoder's priming of 1024 samples before the first picture.
            #expect(times.count == 2 && times.allSatisfy { abs($0 - (times.max() ?? 0)) < 0.05 }, "\(starts)")
            #expect(times.allSatisfy { $0 < 5 }, "\(starts)")
        }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        let start = drop { $0.isWhitespace }
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }
}
