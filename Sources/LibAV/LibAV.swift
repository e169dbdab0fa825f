// SPDX-License-Identifier: MIT

package import CLibAV

/// The door to libavcodec, libavformat, libavdevice, libswscale and libswresample, which are loaded on their first use:
/// libavformat with libavcodec, each of the others by itself.
package enum LibAV {
    /// Loads libavformat and libavcodec on the first call, which takes about 30 ms.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`, naming the Debian package.
    package static func load() throws(LibAVError) -> CLibAV {
        try loading(clibav_load)
    }

    /// Loads libavcodec on the first call, for who decodes what no file holds.
    ///
    /// Functions of libavformat, which loads forty libraries more, end the process where they are called.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`, naming the Debian package.
    package static func loadCodecs() throws(LibAVError) -> CLibAV { try loading(clibav_load_codecs) }

    /// Loads libswscale on the first call; nothing but converting pictures needs it.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`, naming the Debian package.
    package static func loadScaling() throws(LibAVError) -> CLibAVScaling {
        try loading(clibav_load_scaling)
    }

    /// Loads libavdevice, and libavformat with it, on the first call, which takes about 50 ms; nothing but capture
    /// needs it.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing`, naming the Debian package.
    package static func loadDevices() throws(LibAVError) -> CLibAVDevices {
        try loading(clibav_load_devices)
    }

    /// Calls what loads a table of functions, which gives NULL and leaves a text where it cannot.
    ///
    /// - Throws: ``LibAVError`` with `.libraryMissing` and that text.
    package static func loading<Table>(
        _ load: (UnsafeMutablePointer<CChar>, Int) -> UnsafePointer<Table>?
    ) throws(LibAVError) -> Table {
        var reason = [CChar](repeating: 0, count: 512)
        guard let functions = load(&reason, reason.count) else {
            let text = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw LibAVError(.libraryMissing, reason: String(decoding: text, as: UTF8.self))
        }
        return functions.pointee
    }
}

extension CLibAV {
    /// The library's name of a codec, such as "h264".
    package func name(_ codec: AVCodecID) -> String { avcodec_get_name(codec).map { String(cString: $0) } ?? "unknown" }

    /// The library's sentence for a status.
    package func message(_ status: CInt) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
            guard let base = text.baseAddress else { return "status \(status)" }
            _ = av_strerror(status, base, text.count)
            return String(cString: base)
        }
    }
}
