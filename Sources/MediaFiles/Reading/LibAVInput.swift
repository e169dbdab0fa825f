// SPDX-License-Identifier: MIT

import CLibAV
import Glibc
import LibAV

/// Lets the libraries read an ``InputFile``.
///
/// The libraries never open a file themselves: a name such as "http://..." is just a missing file, and a pipe works
/// like a file.
final class LibAVInput {
    let file: InputFile
    /// Why the last read failed, which the libraries only know as a number.
    private(set) var failure: MediaFileError?
    /// Where a packet of a transport stream should start and does not, in what was read so far.
    private(set) var packetLoss: Int64?
    private let packets: TransportPacketGrid?
    /// Set at the end of init: its calls come back with this object.
    private var io: LibAVIOContext?

    init(_ av: CLibAV, file: InputFile) throws(MediaFileError) {
        self.file = file
        packets = TransportPacketGrid(start: try file.peek(TransportPacketGrid.headerLength))
        let seek: LibAVIOContext.Seek? =
            file.size == nil
            ? nil
            : { me, offset, whence in
                LibAVIOContext.owner(me, as: LibAVInput.self)?.seek(offset, whence) ?? -1
            }
        io = try MediaFileError.wrapping(path: file.path) { () throws(LibAVError) in
            try LibAVIOContext(
                av, owner: self,
                read: { me, bytes, count in
                    LibAVIOContext.owner(me, as: LibAVInput.self)?.read(bytes, count) ?? clibav_error_io()
                }, seek: seek)
        }
    }

    /// Whether the file ends inside a packet of a transport stream.
    var endsInsidePacket: Bool { packets.map { !$0.isWhole(file.size ?? file.position) } ?? false }

    /// Valid as long as this object.
    var context: UnsafeMutablePointer<AVIOContext>? { io?.pointer }

    private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
        do throws(MediaFileError) {
            let start = file.position
            let count = try file.readSome(into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            if packetLoss == nil, let packets {
                packetLoss = packets.loss(in: UnsafeRawBufferPointer(start: bytes, count: count), at: start)
            }
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
