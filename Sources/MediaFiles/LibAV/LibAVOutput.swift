// SPDX-License-Identifier: MIT

import CLibAV

/// Lets the libraries write an ``OutputFile``, so that a full disk and a broken pipe keep their
/// typed errors.
final class LibAVOutput {
    let file: OutputFile
    /// Why the last write failed, which the libraries only know as a number.
    private(set) var failure: MediaFileError?
    /// Set at the end of init: its calls come back with this object.
    private var io: LibAVIOContext?

    init(_ av: CLibAV, file: OutputFile) throws(MediaFileError) {
        self.file = file
        io = try LibAVIOContext(
            av, owner: self, path: file.path,
            write: { me, bytes, count in
                LibAVIOContext.owner(me, as: LibAVOutput.self)?.write(bytes, count) ?? clibav_error_io()
            },
            seek: !file.isRegular
                ? nil
                : { me, offset, whence in
                    LibAVIOContext.owner(me, as: LibAVOutput.self)?.seek(offset, whence) ?? -1
                })
    }

    /// Valid as long as this object.
    var context: UnsafeMutablePointer<AVIOContext>? { io?.pointer }

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
