// SPDX-License-Identifier: MIT

import Glibc

/// Reads a file, pipe or standard input from its start on, with a look ahead that needs no seeking.
package final class InputFile {
    /// The file as it was named, or "standard input".
    package let path: String
    /// Bytes of a regular file from its start; nil for a pipe.
    ///
    /// A file may shrink or grow after it was opened.
    package let size: Int64?
    /// Bytes given to the caller so far.
    package private(set) var position: Int64 = 0
    /// Asked every 20 ms while a pipe gives nothing; where it answers true, the pipe has ended there.
    package var isGivenUp: (@Sendable () -> Bool)?
    private let descriptor: CInt
    /// Where the descriptor stood when it was taken over: standard input may be partly read.
    private let start: off_t
    private var lookahead: [UInt8] = []
    private var lookaheadStart = 0

    /// Opens a file for reading.
    ///
    /// - Parameter path: "-" for standard input, which stays open when this object goes.
    /// - Throws: ``MediaFileError`` with `.cannotOpen`.
    package init(path: String) throws(MediaFileError) {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.fileName, O_RDONLY | O_CLOEXEC)
        let reason = errno
        self.path = path == "-" ? "standard input" : path
        guard descriptor >= 0 else { throw Self.cannotOpen(path, status: reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw Self.cannotOpen(self.path, status: errno)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw Self.cannotOpen(self.path, status: EISDIR)
        }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        self.descriptor = descriptor
        start = isRegular ? max(lseek(descriptor, 0, SEEK_CUR), 0) : 0
        size = isRegular ? max(Int64(status.st_size) - Int64(start), 0) : nil
        if isRegular { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
    }

    deinit { close(descriptor) }

    private static func cannotOpen(_ path: String, status: CInt) -> MediaFileError {
        MediaFileError(
            .cannotOpen, reason: "cannot open for reading: \(SystemCall.message(status))", path: path,
            status: Int(status))
    }
}

// MARK: - Reading

extension InputFile {
    /// Fills two pieces of memory one after the other, with as few system calls as the file allows.
    ///
    /// - Returns: Bytes read: fewer than both hold only at the end of the file.
    /// - Throws: ``MediaFileError`` with `.readFailed`; `.truncated` when a file on disk shrank.
    package func read(
        _ first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer
    ) throws(MediaFileError) -> Int {
        var done = drainLookahead(into: first)
        done += done == first.count ? drainLookahead(into: second) : 0
        while done < first.count + second.count {
            let count = try readOnce(rest(of: first, after: done), rest(of: second, after: done - first.count))
            if count == 0 { break }
            position += Int64(count)
            done += count
        }
        return done
    }

    /// Fills a piece of memory.
    ///
    /// - Returns: Bytes read: fewer than it holds only at the end of the file.
    package func read(into bytes: UnsafeMutableRawBufferPointer) throws(MediaFileError) -> Int {
        try read(bytes, UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    /// Reads what is there, at least one byte unless the file ends.
    ///
    /// - Returns: Bytes read; 0 at the end of the file.
    package func readSome(into bytes: UnsafeMutableRawBufferPointer) throws(MediaFileError) -> Int {
        let ahead = drainLookahead(into: bytes)
        if ahead > 0 { return ahead }
        let count = try readOnce(bytes, UnsafeMutableRawBufferPointer(start: nil, count: 0))
        position += Int64(count)
        return count
    }

    private func rest(of bytes: UnsafeMutableRawBufferPointer, after done: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[min(max(done, 0), bytes.count)...])
    }

    private func readOnce(
        _ first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer
    ) throws(MediaFileError) -> Int {
        if size == nil, let isGivenUp, !waitForBytes(unless: isGivenUp) { return 0 }
        let result = SystemCall.retrying(descriptor, events: POLLIN) {
            if second.isEmpty { return Glibc.read(descriptor, first.baseAddress, first.count) }
            if first.isEmpty { return Glibc.read(descriptor, second.baseAddress, second.count) }
            return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { pieces in
                pieces.initializeElement(at: 0, to: iovec(iov_base: first.baseAddress, iov_len: first.count))
                pieces.initializeElement(at: 1, to: iovec(iov_base: second.baseAddress, iov_len: second.count))
                return readv(descriptor, pieces.baseAddress, 2)
            }
        }
        guard result.count >= 0 else {
            throw MediaFileError(
                .readFailed, reason: "cannot read: \(SystemCall.message(result.status))", path: path,
                byteOffset: position, status: Int(result.status))
        }
        let end = position + Int64(lookaheadCount)
        if result.count == 0, let size, end < size {
            throw MediaFileError(
                .truncated, reason: "the file shrank to \(end) of its \(size) bytes while it was read", path: path,
                byteOffset: end)
        }
        return result.count
    }

    /// Waits until a pipe has bytes, or an end or failure to tell.
    ///
    /// - Returns: False where the wait was ended.
    private func waitForBytes(unless isOver: () -> Bool) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&state, 1, 20)
            if count > 0 || count < 0 && errno != EINTR { return true }
            if isOver() { return false }
        }
    }
}

// MARK: - Looking ahead

extension InputFile {
    private var lookaheadCount: Int { lookahead.count - lookaheadStart }

    private func drainLookahead(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(lookaheadCount, bytes.count)
        guard count > 0 else { return 0 }
        bytes.copyBytes(from: lookahead[lookaheadStart..<lookaheadStart + count])
        lookaheadStart += count
        position += Int64(count)
        if lookaheadStart == lookahead.count {
            lookahead.removeAll(keepingCapacity: true)
            lookaheadStart = 0
        }
        return count
    }

    /// The next bytes, which stay to be read.
    ///
    /// - Returns: `count` bytes, or fewer when the file ends before.
    package func peek(_ count: Int) throws(MediaFileError) -> ArraySlice<UInt8> {
        while lookaheadCount < count {
            var more = [UInt8](repeating: 0, count: max(count - lookaheadCount, 512))
            var received = 0
            let failure: MediaFileError? = more.withUnsafeMutableBytes { bytes in
                do throws(MediaFileError) {
                    received = try readOnce(bytes, UnsafeMutableRawBufferPointer(start: nil, count: 0))
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
            if received == 0 { break }
            lookahead.removeFirst(lookaheadStart)
            lookaheadStart = 0
            lookahead += more[..<received]
        }
        return lookahead[lookaheadStart...].prefix(count)
    }

    /// Reads a line and its line feed.
    ///
    /// - Parameter limit: The longest line accepted, in bytes with its line feed.
    /// - Returns: The line without its line feed; nil, with nothing read, when no line feed comes within the limit.
    /// - Throws: ``MediaFileError`` with `.readFailed`.
    package func readLine(limit: Int) throws(MediaFileError) -> [UInt8]? {
        var count = 0
        while true {
            // Small steps: a frame's samples follow its header, and what is looked at is copied.
            let ahead = try peek(min(count + 64, limit))
            if let end = ahead.firstIndex(of: 0x0A) {
                let line = Array(ahead[..<end])
                skipLookahead(line.count + 1)
                return line
            }
            if ahead.count == count || ahead.count == limit { return nil }
            count = ahead.count
        }
    }

    private func skipLookahead(_ count: Int) {
        lookaheadStart += count
        position += Int64(count)
    }

    /// Puts bytes that were read in front of what comes next.
    package func unread(_ bytes: some Collection<UInt8>) {
        lookahead.replaceSubrange(..<lookaheadStart, with: bytes)
        lookaheadStart = 0
        position -= Int64(bytes.count)
    }

    /// Goes to a place in a regular file, counted from where it was opened.
    ///
    /// - Returns: False when the file cannot seek or the place is before its start.
    package func seek(to offset: Int64) -> Bool {
        guard size != nil, offset >= 0, lseek(descriptor, start + off_t(offset), SEEK_SET) >= 0 else { return false }
        lookahead.removeAll(keepingCapacity: true)
        lookaheadStart = 0
        position = offset
        return true
    }
}
