// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

@testable import encpublish

/// The tables of tags and NAL units that `encbench inspect` shows of what is sent to a server.
@Suite struct TagTableTests {
    /// One row of the table, as JSON has it.
    private struct Row: Decodable {
        var type: String
        var tag: Int?
        var length: Int
        var timestamp: Int?
        var packetType: Int?
        var soundPacketType: Int?

        enum CodingKeys: String, CodingKey {
            case type, tag, length
            case timestamp = "Timestamp"
            case packetType = "AVCPacketType"
            case soundPacketType = "AACPacketType"
        }
    }

    private static let encbench = ExternalProgram(
        PublishProgram.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/encbench")

    @Test(
        "720x720 at 24 frames per second: headers first, one access unit a tag, times that rise",
        .requiresProgram(encbench))
    func square() async throws {
        try await withTemporaryDirectory { folder in
            try await ExternalProgram(PublishProgram.path).run([
                "test:flash", "--size", "720x720", "--frame-rate", "24", "--average-bit-rate", "1500k", "--preset",
                "veryfast", "--set", "MaxKeyFrameInterval=48", "--sound-rate", "44100", "--sound-bit-rate", "64k",
                "--duration", "3", "--to", folder.path("square.flv"),
            ])
            let table = try await Self.encbench.run(["inspect", folder.path("square.flv"), "--no-fields", "--json"])
            let rows = try JSONDecoder().decode([Row].self, from: Data(table.standardOutput))
            #expect(rows.first?.type == "FLV header" && rows.dropFirst().first?.type == "script data tag")
            let video = rows.filter { $0.type == "video tag" }
            let sound = rows.filter { $0.type == "audio tag" }
            // A header, the pictures, and the end of the sequence.
            #expect(video.map(\.packetType) == [0] + [Int](repeating: 1, count: 72) + [2])
            // A header, and packets of 1024 of 132,300 sample frames and the encoder's delay.
            #expect(sound.first?.soundPacketType == 0 && sound.dropFirst().allSatisfy { $0.soundPacketType == 1 })
            #expect((130...133).contains(sound.count), "\(sound.count)")
            for tags in [video.dropFirst(), sound.dropFirst()] {
                let times = tags.compactMap(\.timestamp)
                #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
            }
            let slices = Dictionary(grouping: rows.filter { $0.type.contains("slice") }) { $0.tag ?? -1 }
            #expect(slices.count == 72, "one picture a tag")
            let text = try await Self.encbench.run(["inspect", folder.path("square.flv"), "--no-fields"]).text
            #expect(text.contains("audio tag, PreviousTagSize") && text.contains("IDR slice, I"))
        }
    }
}
