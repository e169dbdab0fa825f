// SPDX-License-Identifier: MIT

import CLibAV
import Glibc

/// Sole owner of an AVIOContext that reads from an ``InputFile``.
///
/// The libraries never open a file themselves: a name such as "http://..." is just a missing file, and a pipe works like
/// a file.
final class LibAVInput {
    let file: InputFile
    /// Why the last read failed, which the libraries only know as a number.
    private(set) var failure: MediaFileError?
    private let av: CLibAV
    /// Set at the end of init, freed in deinit.
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    /// Bytes that the library reads at once.
    private static let bufferSize: CInt = 1 << 16

    init(_ av: CLibAV, file: InputFile) throws(MediaFileError) {
        self.av = av
        self.file = file
        let buffer = av.av_malloc(Int(Self.bufferSize))
        // Unretained: deinit frees the context first.
        let me = Unmanaged.passUnretained(self).toOpaque()
        context = av.avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, me,
            { me, bytes, count in LibAVInput.at(me)?.read(bytes, count) ?? clibav_error_io() }, nil,
            file.size == nil ? nil : { me, offset, whence in LibAVInput.at(me)?.seek(offset, whence) ?? -1 })
        guard buffer != nil, context != nil else {
            throw MediaFileError(.outOfMemory, reason: "no memory for a file buffer", path: file.path)
        }
    }

    deinit {
        guard let owned = context else { return }
        // The library may have put another buffer in the place of the first.
        av.av_freep(&owned.pointee.buffer)
        av.avio_context_free(&context)
    }

    private static func at(_ me: UnsafeMutableRawPointer?) -> LibAVInput? {
        me.map { Unmanaged<LibAVInput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        do throws(MediaFileError) {
            let count = try file.readSome(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            return count == 0 ? clibav_error_end_of_file() : CInt(count)
        } catch {
            failure = error
            return clibav_error_io()
        }
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        guard let size = file.size else { return -1 }
        let base: Int64? =
            switch whence & ~AVSEEK_FORCE {
            case SEEK_SET: 0
            case SEEK_CUR: file.position
            case SEEK_END: size
            default: nil
            }
        if whence & AVSEEK_SIZE != 0 { return size }
        guard let base else { return -1 }
        let (target, overflow) = base.addingReportingOverflow(offset)
        return !overflow && file.seek(to: target) ? target : -1
    }
}
