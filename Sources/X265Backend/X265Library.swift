// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// libx265 as built for one bit depth: the table of functions that `x265_api_get` gives.
///
/// One shared object usually holds all three builds. Each has function tables and cost tables of its own.
struct X265Library {
    /// Bits of a coded sample: 8, 10 or 12.
    let bitDepth: Int
    private let table: UnsafePointer<x265_api>  // static memory of the library's

    /// Depths that a build of libx265 can have.
    static let possibleBitDepths = [8, 10, 12]

    /// Finds the build for a bit depth.
    ///
    /// - Throws: ``EncoderError`` with `.unsupported` when there is none, or when its structures are not those of the
    ///   header this module was compiled with.
    init(bitDepth: Int) throws(EncoderError) {
        // libx265 writes a warning to stderr for depths it does not know at all: ask for possible ones only.
        guard Self.possibleBitDepths.contains(bitDepth), let table = cx265_api_get(Int32(bitDepth)),
            Int(table.pointee.bit_depth) == bitDepth
        else {
            throw EncoderError(
                .unsupported, reason: "libx265 codes no \(bitDepth)-bit samples here", setting: .pixelFormat)
        }
        guard Int(table.pointee.sizeof_param) == MemoryLayout<x265_param>.size,
            Int(table.pointee.sizeof_picture) == MemoryLayout<x265_picture>.size
        else {
            throw EncoderError(
                .unsupported, reason: "libx265 \(bitDepth) bit does not match x265.h: rebuild against the one installed"
            )
        }
        self.bitDepth = bitDepth
        self.table = table
    }

    /// The functions; each may be called from any thread, on different objects.
    var api: x265_api { table.pointee }

    /// The version, "3.5+1-f0c1022b6".
    var version: String { table.pointee.version_str.map(String.init(cString:)) ?? "unknown" }
}

/// Sole owner of one `x265_param`.
struct X265ParameterBlock: ~Copyable {
    /// The parameters; valid while this value lives.
    let pointer: UnsafeMutablePointer<x265_param>
    private let library: X265Library
    private var threadPools: UnsafeMutableBufferPointer<CChar>?  // owned; libx265 would leak a copy of its own

    /// Allocates parameters with the defaults of a preset and a tune.
    ///
    /// - Throws: ``EncoderError`` with `.invalidValue` for a name libx265 does not know, `.outOfMemory`.
    init(library: X265Library, preset: String?, tune: String?) throws(EncoderError) {
        try X264Family.check(preset: preset)
        guard let pointer = library.api.param_alloc?() else {
            throw EncoderError(.outOfMemory, reason: "no memory for the parameters of libx265")
        }
        let status = library.api.param_default_preset?(pointer, preset, tune) ?? -1
        guard status == 0 else {
            library.api.param_free?(pointer)
            throw EncoderError(
                .invalidValue, reason: "tune \"\(tune ?? "")\", expected one of \(X265Library.tunes)", setting: .tune)
        }
        self.pointer = pointer
        self.library = library
    }

    deinit {
        library.api.param_free?(pointer)
        threadPools?.deallocate()
    }

    /// Sets `numaPools`; nil leaves the threads to libx265.
    mutating func setThreadPools(_ text: String?) {
        guard let characters = text?.utf8CString else { return }
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
        _ = copy.initialize(from: characters)
        threadPools?.deallocate()
        threadPools = copy
        pointer.pointee.numaPools = UnsafePointer(copy.baseAddress)
    }
}

extension X265Library {
    /// The tunes of x265.h.
    static let tunes = ["psnr", "ssim", "grain", "zerolatency", "fastdecode", "animation"]
}
