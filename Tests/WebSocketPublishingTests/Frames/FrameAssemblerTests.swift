// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import WebSocketPublishing

@Suite struct FrameAssemblerTests {
    private typealias Frame = FrameAssembler.Frame

    private func code(_ outcome: FrameAssembler.Outcome) -> CloseCode? {
        if case .failed(let code, _) = outcome { code } else { nil }
    }

    @Test("a message in parts comes whole, with control frames between its parts")
    func parts() {
        var assembler = FrameAssembler(limit: 10, expectsMasks: true)
        #expect(assembler.take(Frame(isFinal: false, payload: [1, 2])) == .nothing)
        #expect(assembler.take(Frame(opcode: 9, payload: [7])) == .ping([7]))
        #expect(assembler.take(Frame(isFinal: false, opcode: 0, payload: [])) == .nothing)
        #expect(assembler.take(Frame(opcode: 10)) == .pong)
        #expect(assembler.take(Frame(opcode: 0, payload: [3])) == .message([1, 2, 3]))
        #expect(assembler.take(Frame(payload: [4])) == .message([4]) && assembler.byteCount == 0)
        #expect(assembler.take(Frame(opcode: 8, payload: [0x03, 0xE8, 0x6F])) == .closed(1000))
        #expect(assembler.take(Frame(payload: [4])) == .nothing)
    }

    @Test("what breaks the protocol closes with its code")
    func broken() {
        let rows: [([Frame], CloseCode)] = [
            ([Frame(isMasked: false)], .protocolError), ([Frame(hasReservedBits: true)], .protocolError),
            ([Frame(opcode: 0)], .protocolError), ([Frame(isFinal: false), Frame()], .protocolError),
            ([Frame(opcode: 3)], .protocolError), ([Frame(opcode: 11)], .protocolError),
            ([Frame(opcode: 15)], .protocolError), ([Frame(isFinal: false, opcode: 9)], .protocolError),
            ([Frame(opcode: 9, payload: [UInt8](repeating: 0, count: 126))], .protocolError),
            ([Frame(opcode: 8, payload: [3])], .protocolError),
            ([Frame(opcode: 8, payload: [3, 0xED])], .protocolError),
            ([Frame(opcode: 8, payload: [0, 0])], .protocolError),
            ([Frame(opcode: 8, payload: [0x03, 0xE8, 0xC3, 0x28])], .invalidPayload),
            ([Frame(opcode: 1, payload: [65])], .unsupportedData),
            ([Frame(payload: [UInt8](repeating: 0, count: 101))], .tooLarge),
            (
                [Frame(isFinal: false, payload: [UInt8](repeating: 0, count: 100)), Frame(opcode: 0, payload: [1])],
                .tooLarge
            ),
        ]
        for (frames, expected) in rows {
            var assembler = FrameAssembler(limit: 100, expectsMasks: true)
            let outcomes = frames.map { assembler.take($0) }
            #expect(outcomes.last.flatMap(code) == expected, "\(frames)")
            #expect(assembler.byteCount == 0 && assembler.take(Frame(payload: [1])) == .nothing)
        }
        var client = FrameAssembler(limit: 100, expectsMasks: false)
        #expect(code(client.take(Frame(isMasked: true))) == .protocolError)
    }

    @Test("text of a server is read over, whole or in parts, and keeps its limit")
    func text() {
        var client = FrameAssembler(limit: 100, expectsMasks: false, passesOverText: true)
        func frame(_ opcode: Int, _ payload: [UInt8], isFinal: Bool = true) -> Frame {
            Frame(isFinal: isFinal, opcode: opcode, isMasked: false, payload: payload)
        }
        #expect(client.take(frame(1, [65])) == .nothing)
        #expect(client.take(frame(1, [65], isFinal: false)) == .nothing)
        #expect(client.take(frame(0, [66])) == .nothing && client.byteCount == 0)
        #expect(client.take(frame(2, [1], isFinal: false)) == .nothing)
        #expect(client.take(frame(0, [2])) == .message([1, 2]))
        #expect(code(client.take(frame(1, [UInt8](repeating: 65, count: 101)))) == .tooLarge)
    }

    @Test("empty frames without an end are too many at last")
    func emptyFrames() {
        var assembler = FrameAssembler(limit: 100, expectsMasks: true)
        var frame = Frame(isFinal: false)
        var count = 0
        while assembler.take(frame) == .nothing, count < 10_000 { (frame.opcode, count) = (0, count + 1) }
        #expect(count == FrameAssembler.mostFrames)
    }

    @Test("random frames never hold more than the limit, and messages are what their parts were")
    func random() {
        var random = SeededGenerator()
        var (messages, failures) = (0, 0)
        for _ in 0..<3000 {
            var assembler = FrameAssembler(limit: 64, expectsMasks: true)
            var expected: [UInt8] = []
            for _ in 0..<20 {
                let frame = Frame(
                    isFinal: Bool.random(using: &random),
                    opcode: [0, 0, 2, 9, 10, 8, 1, 5].randomElement(using: &random) ?? 0,
                    hasReservedBits: Int.random(in: 0..<40, using: &random) == 0,
                    isMasked: Int.random(in: 0..<40, using: &random) > 0,
                    payload: random.bytes(count: Int.random(in: 0...30, using: &random)))
                if frame.opcode == 2 { expected = [] }
                if frame.opcode == 0 || frame.opcode == 2 { expected += frame.payload }
                let outcome = assembler.take(frame)
                #expect(assembler.byteCount <= 64)
                if case .message(let bytes) = outcome {
                    messages += 1
                    #expect(bytes == expected)
                }
                guard code(outcome) == nil else {
                    failures += 1
                    break
                }
            }
        }
        #expect(messages > 100 && failures > 100)
    }
}
