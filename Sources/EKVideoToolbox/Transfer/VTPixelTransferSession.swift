// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo
    import EncoderAPI
    import Foundation
    import PictureTransfer
    import Synchronization

    /// Makes buffers into buffers of another size or format; see `VTPixelTransferSessionTransferImage`.
    ///
    /// Any thread may call it. Equal to itself alone.
    public final class VTPixelTransferSession {
        private let guarded = Mutex(State())

        struct State {
            var mode = ScalingMode.normal
            /// What keys name; 2 in parts for which no key is set.
            var color = ColorDescription()
            /// Values by their keys, for reading.
            var hints: [String: SessionSettings.Hint] = [:]
            var isInvalid = false
        }

        init() {}

        var state: State { guarded.withLock { $0 } }

        func change(_ body: (inout State) -> OSStatus) -> OSStatus { guarded.withLock { body(&$0) } }
    }

    /// Makes a session that stretches pictures.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - pixelTransferSessionOut: Takes the session, which the caller owns.
    /// - Returns: 0.
    @discardableResult
    public func VTPixelTransferSessionCreate(
        allocator: CFAllocator?, pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
    ) -> OSStatus {
        pixelTransferSessionOut.pointee = VTPixelTransferSession()
        return noErr
    }

    /// Fills a buffer with what another one shows, and with the attachments that propagate; blocks while it works.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - sourceBuffer: Of eight bits, in any format in which buffers are made.
    ///   - destinationBuffer: In 420v, 420f, y420 or f420. RGB is made into it by the matrix that a key names, else its
    ///     attachments, else the source's; BT.709 where none does. This matrix, and what keys name, are attached to it.
    /// - Returns: -12905 for formats that are not transferred, for a source whose attachments name other primaries,
    ///   another transfer function or, but for RGB, another matrix than a key, and without libyuv; -12902 for sizes,
    ///   -12904 without memory, -12903 after the session was invalidated.
    @discardableResult
    public func VTPixelTransferSessionTransferImage(
        _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer, to destinationBuffer: CVPixelBuffer
    ) -> OSStatus {
        let state = session.state
        guard !state.isInvalid else { return kVTInvalidSessionErr }
        var options = PixelTransferOptions()
        options.scaling = state.mode.scaling
        let part = state.mode == .crop ? sourceBuffer.cleanAperture : nil
        return destinationBuffer.fill(from: sourceBuffer, part: part, options, asked: state.color)
    }

    /// Ends a session; calls after it are refused with -12903.
    public func VTPixelTransferSessionInvalidate(_ session: VTPixelTransferSession) {
        _ = session.change { state in
            state.isInvalid = true
            return noErr
        }
    }

    /// The number of the type of sessions.
    public func VTPixelTransferSessionGetTypeID() -> CFTypeID { VTPixelTransferSession.cfTypeID }

    extension VTPixelTransferSession: CFTyped {
        package static var cfTypeID: CFTypeID { 122 }
    }

    extension CVBuffer {
        /// Fills the buffer with what another one shows, in the color that keys ask for where it can have it.
        func fill(
            from source: CVBuffer, part: (x: Int, y: Int, width: Int, height: Int)?, _ options: PixelTransferOptions,
            asked: ColorDescription = ColorDescription()
        ) -> OSStatus {
            let isRGB = source.isRGB
            guard let result = TransferColor.result(asked: asked, target: color, source: source.color, isRGB: isRGB)
            else { return kVTPixelTransferNotSupportedErr }
            do throws(EncoderError) {
                let format = PixelFormat(cvPixelFormatType: CVPixelBufferGetPixelFormatType(self))
                guard let format, format.isFourTwoZero, format.bitDepth == 8 else {
                    return kVTPixelTransferNotSupportedErr
                }
                let picture = try source.pixelBuffer(part: part)
                var target = try MutablePixelBuffer(
                    format: format, width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self))
                target.color = result
                FrameTransfer.tellMissingLibrary()
                try PixelTransferSession(options).transfer(picture, to: &target)
                for plane in 0..<format.planeCount {
                    guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { return kVTParameterErr }
                    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(self, plane)
                    let rowBytes = format.rowBytes(plane: plane, width: target.width)
                    let rows = format.rows(plane: plane, height: target.height)
                    target.withMutablePlane(plane) { bytes, stride in
                        for row in 0..<rows {
                            let from = UnsafeRawBufferPointer(rebasing: bytes[row * stride..<row * stride + rowBytes])
                            UnsafeMutableRawBufferPointer(start: base + row * bytesPerRow, count: rowBytes)
                                .copyMemory(from: from)
                        }
                    }
                }
            } catch {
                return error.code == .unsupported ? kVTPixelTransferNotSupportedErr : error.status
            }
            CVBufferPropagateAttachments(source, self)
            attach(result)
            return noErr
        }
    }
#endif
