// SPDX-License-Identifier: MIT

import COpenH264
import EncoderAPI
import Glibc

/// libopenh264 without this project's code around it: its own functions, with parameters that a test sets by hand.
final class DirectEncoder {
    /// The library's own byte stream.
    private(set) var stream: [UInt8] = []
    private let raw: UnsafeMutablePointer<ISVCEncoder?>
    private let table: ISVCEncoderVtbl
    private let destroy: @convention(c) (UnsafeMutablePointer<ISVCEncoder?>?) -> Void
    private var count = 0

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens an encoder with the library's defaults but for what `change` sets.
    init(_ change: (inout SEncParamExt) -> Void) throws {
        typealias Create = @convention(c) (UnsafeMutablePointer<UnsafeMutablePointer<ISVCEncoder?>?>?) -> Int32
        guard let library = dlopen("libopenh264.so", RTLD_NOW), let create = dlsym(library, "WelsCreateSVCEncoder"),
            let destroy = dlsym(library, "WelsDestroySVCEncoder")
        else { throw Failure(description: "no libopenh264.so") }
        var raw: UnsafeMutablePointer<ISVCEncoder?>?
        _ = unsafeBitCast(create, to: Create.self)(&raw)
        guard let raw, let table = raw.pointee?.pointee else { throw Failure(description: "WelsCreateSVCEncoder") }
        (self.raw, self.table) = (raw, table)
        self.destroy = unsafeBitCast(destroy, to: (@convention(c) (UnsafeMutablePointer<ISVCEncoder?>?) -> Void).self)
        var parameters = SEncParamExt()
        _ = table.GetDefaultParams(raw, &parameters)
        change(&parameters)
        let status = table.InitializeExt(raw, &parameters)
        guard status == 0 else { throw Failure(description: "InitializeExt \(status)") }
    }

    deinit {
        _ = table.Uninitialize(raw)
        destroy(raw)
    }

    func force() { _ = table.ForceIntraFrame(raw, true) }

    func set<Value>(_ option: ENCODER_OPTION, _ value: Value) {
        var value = value
        withUnsafeMutableBytes(of: &value) { _ = table.SetOption(raw, option, $0.baseAddress) }
    }

    /// Encodes a picture that is shown so many milliseconds after the first.
    func encode(_ picture: PixelBuffer, milliseconds: Int) throws {
        var source = SSourcePicture()
        source.iColorFormat = 23
        (source.iPicWidth, source.iPicHeight) = (Int32(picture.width), Int32(picture.height))
        source.uiTimeStamp = Int64(milliseconds)
        func plane(_ index: Int) -> UnsafeMutablePointer<UInt8> {
            UnsafeMutableRawPointer(mutating: picture.unsafeAddress(plane: index)).assumingMemoryBound(to: UInt8.self)
        }
        source.pData = (plane(0), plane(1), plane(2), nil)
        source.iStride.0 = Int32(picture.bytesPerRow(plane: 0))
        source.iStride.1 = Int32(picture.bytesPerRow(plane: 1))
        source.iStride.2 = Int32(picture.bytesPerRow(plane: 2))
        var output = SFrameBSInfo()
        let status = table.EncodeFrame(raw, &source, &output)
        guard status == 0 else { throw Failure(description: "EncodeFrame \(status)") }
        // A frame's layers lie one behind the other.
        guard output.iLayerNum > 0, output.eFrameType != videoFrameTypeSkip else { return }
        stream += UnsafeBufferPointer(start: output.sLayerInfo.0.pBsBuf, count: Int(output.iFrameSizeInBytes))
    }
}
