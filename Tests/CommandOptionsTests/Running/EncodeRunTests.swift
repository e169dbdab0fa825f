// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import MediaFiles
import Synchronization
import Testing

@testable import CommandOptions

@Suite struct EncodeRunTests {
    private func makeSession() async throws -> CompressionSession {
        var configuration = SessionConfiguration(codec: .hevc, width: 64, height: 64)
        configuration.preset = "ultrafast"
        configuration.threadCount = 1
        configuration.live.expectedFrameRate = 25
        let backend = EncoderKind.x265.makeBackend()
        let encoder = try await backend.encoder(for: .hevc)
        return try CompressionSession(configuration, encoder: encoder, of: backend, logger: Logger(label: "test"))
    }

    @Test("every picture is encoded, written and observed, and the writer is finished")
    func all() async throws {
        let log = MemoryWriter.Log()
        let observed = MemoryWriter.Log()
        let run = EncodeRun(session: try await makeSession())
        let outcome = try await run.run(from: GraySource(count: 40), to: MemoryWriter(log)) { frame in
            observed.frames.withLock { $0.append(frame) }
        }
        #expect(outcome.error == nil && !outcome.isInterrupted)
        #expect(outcome.submitted == 40 && outcome.encoded == 40 && outcome.dropped == 0)
        let written = log.frames.withLock { $0 }
        #expect(written.compactMap { $0.token as? Int }.sorted() == Array(0..<40))
        #expect(outcome.bytes == written.reduce(0) { $0 + ($1.accessUnit?.data.count ?? 0) })
        #expect(observed.frames.withLock { $0.count } == 40)
        #expect(log.isFinished.withLock { $0 })
    }

    @Test("no more pictures are taken than asked for, and key frames are forced by number")
    func limitAndKeyFrames() async throws {
        let log = MemoryWriter.Log()
        let run = EncodeRun(session: try await makeSession(), frameLimit: 20, forcedKeyFrames: [3, 4, 11])
        let outcome = try await run.run(from: GraySource(count: 40), to: MemoryWriter(log))
        #expect(outcome.submitted == 20 && outcome.encoded == 20)
        let sync = log.frames.withLock { $0 }.filter { $0.accessUnit?.isSync == true }
        #expect(sync.compactMap { $0.token as? Int } == [0, 3, 4, 11])
    }

    @Test("an input that breaks off keeps what came before, and its error is told")
    func truncatedInput() async throws {
        let log = MemoryWriter.Log()
        let failure = MediaFileError(.truncated, reason: "cut", path: "x", byteOffset: 77)
        let run = EncodeRun(session: try await makeSession())
        let outcome = try await run.run(from: GraySource(count: 15, failure: failure), to: MemoryWriter(log))
        #expect(outcome.error as? MediaFileError == failure)
        #expect(outcome.encoded == 15 && log.frames.withLock { $0.count } == 15)
        #expect(log.isFinished.withLock { $0 })
    }

    @Test("a writer that fails ends the pass with its error", arguments: [0, 5])
    func failingWriter(failsAt: Int) async throws {
        let log = MemoryWriter.Log()
        let run = EncodeRun(session: try await makeSession())
        let outcome = try await run.run(from: GraySource(count: 500), to: MemoryWriter(log, failsAt: failsAt))
        #expect((outcome.error as? MediaFileError)?.code == .diskFull)
        #expect(outcome.encoded == failsAt && outcome.submitted < 500)
        #expect(log.isFinished.withLock { $0 })
    }

    @Test("an interruption ends the pass with what was read by then")
    func interruption() async throws {
        let log = MemoryWriter.Log()
        let event = OneShotEvent()
        let run = EncodeRun(session: try await makeSession(), interruption: event)
        let source = GraySource(count: 1_000_000) { index in
            if index == 30 { event.signal() }
        }
        let outcome = try await run.run(from: source, to: MemoryWriter(log))
        #expect(outcome.isInterrupted && outcome.error == nil)
        #expect((29...31).contains(outcome.encoded), "\(outcome.encoded)")
        #expect(log.isFinished.withLock { $0 })
    }

    @Test("an interruption does not wait for a reader that is stuck")
    func stuckReader() async throws {
        let log = MemoryWriter.Log()
        let event = OneShotEvent()
        let gate = OneShotEvent()
        let run = EncodeRun(session: try await makeSession(), interruption: event)
        let source = GraySource(count: 20) { index in
            guard index == 10 else { return }
            event.signal()
            // Blocks this thread, as a read from a pipe would.
            let thread = BlockingWait()
            gate.whenSignalled { thread.release() }
            thread.wait()
        }
        let outcome = try await run.run(from: source, to: MemoryWriter(log))
        gate.signal()
        #expect(outcome.isInterrupted && outcome.error == nil && outcome.encoded == 10)
    }

    @Test("a picture the session refuses ends the pass with the session's error")
    func refusedPicture() async throws {
        let log = MemoryWriter.Log()
        let run = EncodeRun(session: try await makeSession())
        let outcome = try await run.run(from: GraySource(count: 3, width: 32), to: MemoryWriter(log))
        #expect((outcome.error as? EncoderError)?.code == .invalidPixelBuffer)
        #expect(outcome.encoded == 0)
    }
}
