// SPDX-License-Identifier: MIT

import CLibAV

/// Sole owner of an AVIOContext that writes to an ``OutputFile``, so that a full disk and a broken pipe keep their
/// typed errors.
final class LibAVOutput {
    let file: OutputFile
    /// Why the last write failed, which the libraries only know as a number.
    private(set) var failure: MediaFileError?
    private let av: CLibAV
    /// Set at the end of init, freed in deinit.
    private(set) var context: UnsafeMutablePointer<AVIOContext>?

    private static let bufferSize: CInt = 1 << 16

    init(_ av: CLibAV, file: OutputFile) throws(MediaFileError) {
        self.av = av
        self.file = file
        let buffer = av.av_malloc(Int(Self.bufferSize))
        // Unretained: deinit frees the context first.
        let me = Unmanaged.passUnretained(self).toOpaque()
        context = av.avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 1, me, nil,
            { me, bytes, count in LibAVOutput.at(me)?.write(bytes, count) ?? clibav_error_io() },
            !file.isRegular ? nil : { me, offset, whence in LibAVOutput.at(me)?.seek(offset, whence) ?? -1 })
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

    private static func at(_ me: UnsafeMutableRawPointer?) -> LibAVOutput? {
        me.map { Unmanaged<LibAVOutput>.fromOpaque($0).takeUnretainedValue() }
    }

    private func write(_ bytes: UnsafePointer<UInt8>?, _ count: CInt) -> CInt {
        do throws(MediaFileError) {
            try file.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            return count
        } catch {
            failure = error
            return clibav_error_io()
        }
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        // The library asks for the size too, and does without.
        guard whence & AVSEEK_SIZE == 0 else { return -1 }
        do throws(MediaFileError) {
            return try file.seek(offset: offset, whence: whence & ~AVSEEK_FORCE) ?? -1
        } catch {
            failure = error
            return -1
        }
    }
}
