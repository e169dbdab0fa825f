// SPDX-License-Identifier: MIT

import CYUV
import EncoderAPI

/// libyuv's functions for planes of samples.
struct YUVLibrary: Sendable {
    private let functions: CYUV

    /// The system's libyuv, or why there is none; looked for once.
    static let shared: Result<YUVLibrary, EncoderError> = {
        var reason = [CChar](repeating: 0, count: 256)
        guard let functions = cyuv_load(&reason, reason.count) else {
            let text = reason.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
            return .failure(EncoderError(.unsupported, reason: "no pictures can be transferred: \(text)"))
        }
        return .success(YUVLibrary(functions: functions.pointee))
    }()

    /// Copies samples to a plane of the same size.
    func copy(_ from: Plane, to: Plane) {
        functions.CopyPlane(from.base, from.stride, to.base, to.stride, to.width, to.height)
    }

    /// Scales to another size by two samples each way.
    func scale(_ from: Plane, to: Plane) {
        functions.ScalePlane(
            from.base, from.stride, from.width, from.height, to.base, to.stride, to.width, to.height, kFilterBilinear)
    }

    /// Scales samples of 16 bits, whose planes count their widths in bytes and begin at even addresses.
    func scaleDeep(_ from: Plane, to: Plane) {
        func samples(_ plane: Plane) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(plane.base).assumingMemoryBound(to: UInt16.self)
        }
        functions.ScalePlane_16(
            samples(from), from.stride / 2, from.width / 2, from.height, samples(to), to.stride / 2, to.width / 2,
            to.height, kFilterBilinear)
    }

    /// Makes three quarters of each sample and a quarter of another plane's.
    func mix(_ near: Plane, _ far: Plane, to: Plane) {
        _ = functions.InterpolatePlane(
            near.base, near.stride, far.base, far.stride, to.base, to.stride, to.width, to.height, 64)
    }

    /// Divides triples of samples; `from` is as wide as all three together.
    func splitTriples(_ from: Plane, to first: Plane, _ second: Plane, _ third: Plane) {
        functions.SplitRGBPlane(
            from.base, from.stride, first.base, first.stride, second.base, second.stride, third.base, third.stride,
            first.width, first.height)
    }

    /// Turns a plane into one whose sides are its own or the other way round.
    func turn(_ from: Plane, to: Plane, _ turn: GeometryPlan.Turn) {
        _ = functions.RotatePlane(
            from.base, from.stride, to.base, to.stride, from.width, turn.isFlipped ? -from.height : from.height,
            turn.mode)
    }

    /// Divides pairs of samples; `from` is as wide as both together.
    func split(_ from: Plane, to first: Plane, _ second: Plane) {
        functions.SplitUVPlane(
            from.base, from.stride, first.base, first.stride, second.base, second.stride, first.width, first.height)
    }

    /// Puts samples of two planes in turn.
    func merge(_ first: Plane, _ second: Plane, to: Plane) {
        functions.MergeUVPlane(
            first.base, first.stride, second.base, second.stride, to.base, to.stride, first.width, first.height)
    }

    /// Turns pixels of four bytes; `from` counts its width in bytes.
    func turnPixels(_ from: Plane, to: Plane, _ turn: GeometryPlan.Turn) {
        _ = functions.ARGBRotate(
            from.base, from.stride, to.base, to.stride, from.width / 4, turn.isFlipped ? -from.height : from.height,
            turn.mode)
    }

    /// Makes red, green, blue into blue, green, red, alpha; `from` counts its width in bytes.
    func widen(_ from: Plane, to: Plane) {
        _ = functions.RAWToARGB(from.base, from.stride, to.base, to.stride, from.width / 3, from.height)
    }

    /// Divides packed 4:2:2 and takes the mean of Cb and Cr of each two rows.
    func unpack(_ base: UnsafeMutablePointer<UInt8>, stride: Int32, isChromaFirst: Bool, to: FourTwoZero) {
        guard case .planar(let cb, let cr) = to.chroma else { preconditionFailure("unpacked into two planes") }
        let unpack = isChromaFirst ? functions.UYVYToI420 : functions.YUY2ToI420
        _ = unpack(
            base, stride, to.luma.base, to.luma.stride, cb.base, cb.stride, cr.base, cr.stride, to.luma.width,
            to.luma.height)
    }
}

extension GeometryPlan.Turn {
    fileprivate var mode: RotationMode { RotationMode(rawValue: UInt32(degrees)) }
}
