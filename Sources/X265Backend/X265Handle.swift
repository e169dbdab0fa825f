// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import Glibc
import Synchronization

/// Sole owner of one open `x265_encoder`.
///
/// `x265_cleanup` is never called: it frees the cost tables that all encoders of the process share, so no moment is
/// safe while another session may run. They are bounded (a few MB, built once per quantizer) and serve the next
/// session.
struct X265Handle: ~Copyable {
    private let raw: OpaquePointer  // <x265_encoder>, owned
    private let library: X265Library

    // The first open of the process fills the library's table of functions without a lock and other opens only look
    // whether one entry is there: without this a second thread could run half-filled tables. Holds the bit depths whose
    // ``X265CostTables`` are filled.
    private static let opening = Mutex<Set<Int>>([])

    /// Opens an encoder; libx265 copies the parameters, strings included.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure`. libx265 says nothing but NULL; `likely` says what to look at.
    init(
        opening parameters: borrowing X265ParameterBlock, library: X265Library, likely: String
    ) throws(EncoderError) {
        let pointer = parameters.pointer
        let address = Self.opening.withLock { filled in
            if filled.insert(library.bitDepth).inserted { X265CostTables.fill(library) }
            return library.api.encoder_open?(pointer).map { UInt(bitPattern: $0) }
        }
        guard let address, let raw = OpaquePointer(bitPattern: address) else {
            throw EncoderError(
                .backendFailure, reason: "x265_encoder_open failed and gives no reason; likely: \(likely)")
        }
        self.raw = raw
        self.library = library
    }

    deinit { library.api.encoder_close?(raw) }

    /// Reads the parameters as the open encoder uses them into `block`, except for texts.
    ///
    /// libx265 duplicates those with `strdup` and leaves them to nobody: they are freed here.
    func readParameters(into block: borrowing X265ParameterBlock) {
        library.api.encoder_parameters?(raw, block.pointer)
        let texts: [WritableKeyPath<x265_param, UnsafePointer<CChar>?>] = [
            \.numaPools, \.csvfn, \.scalingLists, \.analysisReuseFileName, \.masteringDisplayColorVolume,
            \.rc.statFileName, \.rc.lambdaFileName,
        ]
        for text in texts {
            free(UnsafeMutableRawPointer(mutating: block.pointer.pointee[keyPath: text]))
            block.pointer.pointee[keyPath: text] = nil
        }
    }

    /// The VPS, SPS and PPS that the stream starts with; valid until the next call.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure`.
    func headers() throws(EncoderError) -> UnsafeBufferPointer<x265_nal> {
        var units: UnsafeMutablePointer<x265_nal>?
        var count: UInt32 = 0
        let status = library.api.encoder_headers?(raw, &units, &count) ?? -1
        guard status >= 0 else {
            throw EncoderError(
                .backendFailure, reason: "x265_encoder_headers failed and gives no reason; likely: no memory",
                status: Int(status))
        }
        return UnsafeBufferPointer(start: units, count: Int(count))
    }

    /// Gives the encoder a picture, or nil to flush, and takes one out when there is one.
    ///
    /// - Returns: The NAL units of one coded picture, described by `output`, valid until the next call; nil when none
    ///   is ready.
    /// - Throws: ``EncoderError`` with `.backendFailure`; the encoder is of no use after it.
    func encode(
        _ input: UnsafeMutablePointer<x265_picture>?, output: UnsafeMutablePointer<x265_picture>
    ) throws(EncoderError) -> UnsafeBufferPointer<x265_nal>? {
        var units: UnsafeMutablePointer<x265_nal>?
        var count: UInt32 = 0
        let status = library.api.encoder_encode?(raw, &units, &count, input, output) ?? -1
        guard status >= 0 else {
            throw EncoderError(
                .backendFailure, reason: "x265_encoder_encode failed and gives no reason; likely: no memory",
                status: Int(status))
        }
        return status == 0 ? nil : UnsafeBufferPointer(start: units, count: Int(count))
    }
}
