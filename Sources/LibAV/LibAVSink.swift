// SPDX-License-Identifier: MIT

import CLibAV
package import MediaIO

/// Takes the bytes of a container that a ``LibAVMuxer`` writes, on the muxer's thread.
package protocol LibAVSink: AnyObject {
    /// Whether ``seek(offset:whence:)`` can go back, as MP4 that is not fragmented needs.
    var canSeek: Bool { get }

    /// Whether all bytes went on. A sink that fails keeps the reason for its owner, who asks for it when the muxer
    /// throws.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool

    /// Goes to a place as `lseek` does; nil where that fails.
    func seek(offset: Int64, whence: CInt) -> Int64?
}

/// Lets the libraries write an `OutputFile`, so that a full disk and a broken pipe keep their typed errors.
package final class LibAVFileSink: LibAVSink {
    private let file: OutputFile
    /// Why the last write failed, which the libraries only know as a number.
    package private(set) var failure: MediaFileError?

    package init(_ file: OutputFile) { self.file = file }

    package var canSeek: Bool { file.isRegular }

    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(MediaFileError) {
            try file.write(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    package func seek(offset: Int64, whence: CInt) -> Int64? {
        do throws(MediaFileError) {
            return try file.seek(offset: offset, whence: whence)
        } catch {
            failure = error
            return nil
        }
    }
}

/// Hands what the libraries write to a ``LibAVSink``.
final class LibAVOutput {
    private let sink: any LibAVSink
    /// Bytes the library wrote so far.
    ///
    /// Bytes that it wrote over others, after going back, count too, so this may be more than the file's size.
    private(set) var byteCount: Int64 = 0
    /// Set at the end of init: its calls come back with this object.
    private var io: LibAVIOContext?

    init(_ av: CLibAV, sink: any LibAVSink, bufferSize: Int) throws(LibAVError) {
        self.sink = sink
        io = try LibAVIOContext(
            av, owner: self, bufferSize: bufferSize,
            write: { me, bytes, count in
                LibAVIOContext.owner(me, as: LibAVOutput.self)?.write(bytes, count) ?? clibav_error_io()
            },
            seek: !sink.canSeek
                ? nil
                : { me, offset, whence in
                    LibAVIOContext.owner(me, as: LibAVOutput.self)?.seek(offset, whence) ?? -1
                })
    }

    /// Valid as long as this object.
    var context: UnsafeMutablePointer<AVIOContext>? { io?.pointer }

    private func write(_ bytes: UnsafePointer<UInt8>?, _ count: CInt) -> CInt {
        guard sink.write(UnsafeRawBufferPointer(start: bytes, count: Int(count))) else { return clibav_error_io() }
        byteCount += Int64(count)
        return count
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        // The library asks for the size too, and does without.
        guard whence & AVSEEK_SIZE == 0 else { return -1 }
        return sink.seek(offset: offset, whence: whence & ~AVSEEK_FORCE) ?? -1
    }
}
