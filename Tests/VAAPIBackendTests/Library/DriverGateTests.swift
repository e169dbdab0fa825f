// SPDX-License-Identifier: MIT

import EncoderAPI
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import VAAPIBackend

struct DriverGateTests {
    private static let hasLeft = Atomic(false)

    @Test("a closed gate lets nobody in, and closing waits for those inside")
    func closing() async {
        let gate = DriverGate()
        #expect(gate.enter())
        async let closing: Bool = {
            gate.close()
            return Self.hasLeft.load(ordering: .acquiring)
        }()
        while gate.enter() {
            gate.leave()
            await Task.yield()
        }
        Self.hasLeft.store(true, ordering: .releasing)
        gate.leave()
        #expect(await closing, "closed while a thread was inside")
        #expect(!gate.enter())
    }

    @Test("closing does not wait for ever")
    func patience() {
        let gate = DriverGate()
        #expect(gate.enter())
        gate.close(patience: .milliseconds(3))
        #expect(!gate.enter())
    }
}

extension SoftVATests {
    struct ExitTests {
        @Test("a process that exits while sessions encode calls no driver whose destructors ran")
        func encoding() async {
            await #expect(processExitsWith: .success) { try Self.exit(after: 40_000) }
        }

        @Test("a process that exits while encoders open calls no driver whose destructors ran")
        func opening() async {
            await #expect(processExitsWith: .success) { try Self.exit(after: 0) }
        }

        /// Ends the process while two sessions' threads are busy.
        private static func exit(after microseconds: UInt32) throws {
            let display = try SoftVADisplay()
            let backend = VAAPIBackend(devices: [display.device])
            for codec in [VideoCodec.h264, .hevc] {
                let encoder = try #require(try backend.listEncoders().first { $0.codec == codec })
                let session = try CompressionSession(DeviceEncoding.configuration(codec), encoder: encoder, of: backend)
                try session.deliver { _ in }
                let picture = PixelBuffer(try session.pixelBufferPool.makeMutablePixelBuffer())
                Thread.detachNewThread {
                    for index in Int64(0)... {
                        let time = MediaTime(value: index, timescale: 30)
                        if (try? session.synchronous.encode(picture, at: time)) == nil { break }
                    }
                }
            }
            usleep(microseconds)
            Foundation.exit(0)
        }
    }
}
