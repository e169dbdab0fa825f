// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// Sole owner of one `x265_picture`: a description of planes that stay where they are.
///
/// The library's vector code, measured with 3.5, reads rows up to the next multiple of 64 bytes, the last row of a
/// plane too.
struct X265Picture: ~Copyable {
    /// The description; valid while this value lives.
    let pointer: UnsafeMutablePointer<x265_picture>
    private let library: X265Library

    /// Allocates a picture for encoders opened with `parameters`.
    init(library: X265Library, parameters: borrowing X265ParameterBlock) throws(EncoderError) {
        guard let pointer = library.api.picture_alloc?() else {
            throw EncoderError(.outOfMemory, reason: "no memory for a picture of libx265")
        }
        library.api.picture_init?(parameters.pointer, pointer)
        self.pointer = pointer
        self.library = library
    }

    deinit { library.api.picture_free?(pointer) }

    /// Describes `source`; libx265 copies the samples before `x265_encoder_encode` returns.
    func describe(_ source: SourcePicture, asKeyFrame: Bool) {
        let buffer = source.pixelBuffer
        pointer.pointee.planes = (
            UnsafeMutableRawPointer(mutating: buffer.unsafeAddress(plane: 0)),
            UnsafeMutableRawPointer(mutating: buffer.unsafeAddress(plane: 1)),
            UnsafeMutableRawPointer(mutating: buffer.unsafeAddress(plane: 2))
        )
        pointer.pointee.stride = (
            Int32(buffer.bytesPerRow(plane: 0)), Int32(buffer.bytesPerRow(plane: 1)),
            Int32(buffer.bytesPerRow(plane: 2))
        )
        // libx265 only passes pts through: it paces rate control by the frame rate alone.
        pointer.pointee.pts = Int64(source.id)
        // On the scale of eight bits, plus 1: 0 stands for what the library chooses.
        pointer.pointee.forceqp = source.quantizer.map { Int32(clamping: $0 + 1) } ?? 0
        pointer.pointee.sliceType = asKeyFrame ? X265_TYPE_IDR : X265_TYPE_AUTO
    }

    /// The ``SourcePicture/id`` of the picture that came out.
    var id: Int { Int(pointer.pointee.pts) }

    /// How the picture that came out is predicted.
    var pictureType: AccessUnit.PictureType {
        switch pointer.pointee.sliceType {
        case X265_TYPE_IDR, X265_TYPE_I: .i
        case X265_TYPE_P: .p
        default: .b
        }
    }

    /// Mean quantizer of the picture that came out; adaptive quantization included.
    ///
    /// libx265 lets rate control count up to 69, and codes what is above 51 with 51.
    var averageQP: Double { min(pointer.pointee.frameData.qp, Double(X264Family.quantizers.upperBound)) }
}
