// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

/// Access units in memory of their own hold what those in arrays do, each in its own.
@Suite struct UnitBlockTests {
    private static func frames(_ memory: UnitMemory, _ framing: StreamFraming) async throws -> [EncodedFrame] {
        let configuration = FakeStream.configuration {
            $0.framing = framing
            $0.parameterSets = .everySyncFrame
        }
        let session = try EncoderSelection([FakeBackend(reorders: true)])
            .makeSessionBlocking(configuration, unitMemory: memory)
        return try await FakeStream.run(session, frames: 8) { FrameOptions(forceKeyFrame: $0 == 5) }
    }

    @Test(
        "blocks hold the bytes that arrays do",
        arguments: [StreamFraming.annexB, .lengthPrefixed(), .lengthPrefixed(bytes: 1)])
    func bytes(framing: StreamFraming) async throws {
        let (arrays, blocks) = (try await Self.frames(.array, framing), try await Self.frames(.block, framing))
        let units = (arrays.compactMap(\.accessUnit), blocks.compactMap(\.accessUnit))
        #expect(units.0.count == 8 && units.0.map(\.data) == units.1.map(\.data))
        #expect(units.0.map(\.nalUnits) == units.1.map(\.nalUnits))
        #expect(units.0.map(\.byteCount) == units.1.map(\.byteCount))
        #expect(units.0.allSatisfy { $0.block == nil } && units.1.allSatisfy { $0.block?.bytes.count == $0.byteCount })
    }

    @Test("what is written into a block shows in no other, and lasts as long as the block")
    func alone() async throws {
        let frames = try await Self.frames(.block, .lengthPrefixed())
        let before = frames.compactMap { $0.accessUnit?.data }
        weak var last: UnitBlock?
        do {
            let blocks = frames.compactMap { $0.accessUnit?.block }
            for (index, block) in blocks.enumerated() where index % 2 == 0 {
                block.bytes.copyBytes(from: [UInt8](repeating: UInt8(index), count: block.bytes.count))
            }
            last = blocks.last
        }
        let after = frames.compactMap { $0.accessUnit?.data }
        for index in before.indices {
            let expected = index % 2 == 0 ? [UInt8](repeating: UInt8(index), count: before[index].count) : before[index]
            #expect(after[index] == expected)
        }
        #expect(last != nil)
    }
}
