// SPDX-License-Identifier: MIT

import BitSyntax
import CLibAV
import Testing

@testable import LibAV

@Suite struct PacketBytesTests {
    /// A packet of the library with these bytes.
    private func packet(_ bytes: [UInt8]) throws -> LibAVPacket {
        let packet = try LibAVPacket(try LibAV.load())
        try fill(packet, bytes)
        return packet
    }

    private func fill(_ packet: LibAVPacket, _ bytes: [UInt8]) throws {
        try packet.fill(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private func address(_ bytes: PacketBytes) -> Int {
        bytes.withSpan { $0.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    }

    @Test("the bytes of a packet are taken without a copy, and stay when it is used again and when it is gone")
    func taken() throws {
        var packet: LibAVPacket? = try packet([1, 2, 3])
        let place = Int(bitPattern: packet?.pointer.pointee.data)
        let bytes = try #require(packet?.takeBytes())
        #expect(address(bytes) == place && packet?.pointer.pointee.size == 0)
        var others: [PacketBytes] = []
        for number in 0..<100 {
            let again = try #require(packet)
            try fill(again, [UInt8](repeating: UInt8(number), count: 3))
            others.append(again.takeBytes())
        }
        packet = nil
        #expect(bytes.array() == [1, 2, 3])
        #expect(others.enumerated().allSatisfy { $1.array() == [UInt8](repeating: UInt8($0), count: 3) })
    }

    @Test("an array is shared, and a part of the bytes lies in the same memory")
    func parts() throws {
        let array: [UInt8] = [0, 1, 2, 3, 4]
        let shared = PacketBytes(array)
        #expect(address(shared) == array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
        for bytes in [shared, try packet(array).takeBytes()] {
            let part = bytes.leavingOut(first: 2)
            #expect(address(part) == address(bytes) + 2)
            #expect(part.array() == [2, 3, 4] && part.count == 3 && part[0] == 2 && Array(part[1...]) == [3, 4])
            #expect(part.array(first: 2) == [2, 3] && part == PacketBytes([2, 3, 4]) && part != bytes)
        }
        #expect(PacketBytes([]).isEmpty)
    }
}
