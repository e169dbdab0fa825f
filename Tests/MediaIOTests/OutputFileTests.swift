// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

@Suite struct OutputFileTests {
    @Test("bytes arrive in order whatever the sizes of writes and buffer", arguments: [1, 16, 1000, 1 << 16])
    func order(bufferSize: Int) async throws {
        var generator = SeededGenerator()
        try await withTemporaryDirectory { folder in
            let file = try OutputFile(path: folder.path("out"), bufferSize: bufferSize)
            var expected: [UInt8] = []
            for _ in 0..<200 {
                let bytes = generator.bytes(count: Int.random(in: 0..<300, using: &generator))
                expected += bytes
                try file.write(bytes)
            }
            try file.close()
            try file.close()
            #expect(file.byteCount == Int64(expected.count))
            #expect(try folder.read("out") == expected)
            let error = #expect(throws: MediaFileError.self) { try file.write([1]) }
            #expect(error?.code == .invalidState)
        }
    }

    @Test("an older file stays as it was until a byte is written or the file is closed")
    func olderFile() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write([1, 2, 3, 4], to: "out")
            let file = try OutputFile(path: path, bufferSize: 2)
            try file.write([9])
            #expect(try folder.read("out") == [1, 2, 3, 4])
            try file.write([8, 7])
            #expect(try folder.read("out") == [9, 8, 7])
            try file.close()
            try OutputFile(path: path).closeOrDiscard()
            #expect(try folder.read("out") == [9, 8, 7])
            try OutputFile(path: path).close()
            #expect(try folder.read("out") == [])
            try OutputFile(path: folder.path("new")).closeOrDiscard()
            #expect(access(folder.path("new"), F_OK) != 0)
        }
    }

    @Test("an empty file is left alone until a byte is written, and one that grew after it was opened is emptied")
    func emptyFile() async throws {
        try await withTemporaryDirectory { folder in
            let path = try folder.write([], to: "out")
            let times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
            try OutputFile(path: path).close()
            var status = stat()
            // Emptying counts as a change of a file that is empty already.
            #expect(stat(path, &status) == 0 && status.st_mtim.tv_sec == 1)
            let file = try OutputFile(path: path, bufferSize: 1)
            _ = try folder.write([1, 2, 3], to: "out")
            try file.write([9, 8])
            try file.close()
            #expect(try folder.read("out") == [9, 8])
        }
    }

    @Test("a reader that waits for a pipe gets what is written, and no end before it")
    func waitingReader() async throws {
        try await withTemporaryDirectory { folder in
            let path = folder.path("pipe")
            mkfifo(path, 0o600)
            for round in 0..<200 {
                let count = Mutex(0)
                let reader = PipeThread {
                    var bytes = [UInt8](repeating: 0, count: 16)
                    let descriptor = open(path, O_RDONLY)
                    count.withLock { $0 = read(descriptor, &bytes, bytes.count) }
                    close(descriptor)
                }
                let file = try #require(try OutputFile(path: path, unless: { false }))
                try file.write([1, 2, 3])
                try file.close()
                reader.join()
                #expect(count.withLock { $0 } == 3, "round \(round)")
            }
            #expect(try OutputFile(path: path, unless: { true }) == nil)
        }
    }

    @Test("a full disk is a typed error, again on each later call")
    func fullDisk() throws {
        let file = try OutputFile(path: "/dev/full", bufferSize: 16)
        let first = #expect(throws: MediaFileError.self) { try file.write([UInt8](repeating: 1, count: 100)) }
        #expect(first?.code == .diskFull)
        #expect(first?.path == "/dev/full")
        let second = #expect(throws: MediaFileError.self) { try file.write([1]) }
        #expect(second == first)
        #expect(throws: MediaFileError.self) { try file.close() }
    }

    @Test("a buffered write to a full disk fails when the file is closed")
    func fullDiskOnClose() throws {
        let file = try OutputFile(path: "/dev/full")
        try file.write([1, 2, 3])
        let error = #expect(throws: MediaFileError.self) { try file.close() }
        #expect(error?.code == .diskFull)
    }

    @Test("a pipe whose reader goes away is a typed error and no signal")
    func brokenPipe() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let file = try OutputFile(path: "/dev/fd/\(ends[1])", bufferSize: 16)
        close(ends[0])
        close(ends[1])
        let error = #expect(throws: MediaFileError.self) { try file.write([UInt8](repeating: 1, count: 100)) }
        #expect(error?.code == .brokenPipe)
        #expect(error?.byteOffset == 0)
    }

    @Test("a slow reader of a pipe gets everything")
    func slowReader() throws {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        let bytes = (0..<300_000).map { UInt8($0 % 253) }
        let writer = PipeThread { [path = "/dev/fd/\(ends[1])", end = ends[1]] in
            do throws(MediaFileError) {
                let file = try OutputFile(path: path)
                close(end)
                try file.write(bytes)
                try file.close()
            } catch {
                Issue.record(error)
            }
        }
        var received: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 10_000)
        while true {
            usleep(500)
            let count = read(ends[0], &part, part.count)
            if count <= 0 { break }
            received += part[..<count]
        }
        writer.join()
        close(ends[0])
        #expect(received == bytes)
    }

    @Test("a descriptor left in non-blocking mode is waited for")
    func nonBlocking() {
        var ends: [CInt] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let writer = PipeThread { [end = ends[1]] in
            usleep(20_000)
            _ = write(end, "abc", 3)
        }
        var bytes = [UInt8](repeating: 0, count: 8)
        let result = SystemCall.retrying(ends[0], events: POLLIN) { read(ends[0], &bytes, bytes.count) }
        writer.join()
        #expect(result.count == 3)
        ends.forEach { close($0) }
    }

    @Test("a folder that does not exist is a typed error")
    func cannotOpen() {
        let error = #expect(throws: MediaFileError.self) { try OutputFile(path: "/nonexistent/a.264") }
        #expect(error?.code == .cannotOpen)
    }
}
