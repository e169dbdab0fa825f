// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import EKCoreVideo
    import EncoderAPI
    import Foundation
    import PictureTransfer
    import Synchronization

    /// Turns and mirrors buffers; see `VTPixelRotationSessionRotateImage`.
    ///
    /// Any thread may call it. Equal to itself alone.
    public final class VTPixelRotationSession {
        private let guarded = Mutex(State())

        struct State {
            var rotation = PixelTransferOptions.Rotation.none
            var flipsHorizontally = false
            var flipsVertically = false
            var isInvalid = false

            /// A mirror image top to bottom is one left to right turned by a half.
            var options: PixelTransferOptions {
                var options = PixelTransferOptions()
                let turn = rotation.rawValue + (flipsVertically ? 180 : 0)
                options.rotation = PixelTransferOptions.Rotation(rawValue: turn % 360) ?? .none
                options.isMirrored = flipsHorizontally != flipsVertically
                return options
            }
        }

        init() {}

        var state: State { guarded.withLock { $0 } }

        func change(_ body: (inout State) -> OSStatus) -> OSStatus { guarded.withLock { body(&$0) } }
    }

    /// Makes a session that leaves pictures as they are.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - pixelRotationSessionOut: Takes the session, which the caller owns.
    /// - Returns: 0.
    @discardableResult
    public func VTPixelRotationSessionCreate(
        _ allocator: CFAllocator?, _ pixelRotationSessionOut: UnsafeMutablePointer<VTPixelRotationSession?>
    ) -> OSStatus {
        pixelRotationSessionOut.pointee = VTPixelRotationSession()
        return noErr
    }

    /// Fills a buffer with what another one shows, turned and mirrored; blocks while it works.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - sourceBuffer: Of eight bits, in any format in which buffers are made.
    ///   - destinationBuffer: In 420v, 420f, y420 or f420, of the sides that the turned picture has.
    /// - Returns: -12914 for other sides, else as `VTPixelTransferSessionTransferImage`.
    @discardableResult
    public func VTPixelRotationSessionRotateImage(
        _ session: VTPixelRotationSession, _ sourceBuffer: CVPixelBuffer, _ destinationBuffer: CVPixelBuffer
    ) -> OSStatus {
        let state = session.state
        guard !state.isInvalid else { return kVTInvalidSessionErr }
        let sides = (CVPixelBufferGetWidth(sourceBuffer), CVPixelBufferGetHeight(sourceBuffer))
        let turned = state.rotation.rawValue % 180 == 0 ? sides : (sides.1, sides.0)
        guard turned == (CVPixelBufferGetWidth(destinationBuffer), CVPixelBufferGetHeight(destinationBuffer)) else {
            return kVTImageRotationNotSupportedErr
        }
        return destinationBuffer.fill(from: sourceBuffer, part: nil, state.options)
    }

    /// Ends a session; calls after it are refused with -12903.
    public func VTPixelRotationSessionInvalidate(_ session: VTPixelRotationSession) {
        _ = session.change { state in
            state.isInvalid = true
            return noErr
        }
    }

    /// The number of the type of sessions.
    public func VTPixelRotationSessionGetTypeID() -> CFTypeID { VTPixelRotationSession.cfTypeID }

    extension VTPixelRotationSession: CFTyped {
        package static var cfTypeID: CFTypeID { 123 }
    }

    extension VTPixelRotationSession: PropertySession {
        private static let turns: [String: PixelTransferOptions.Rotation] = [
            "\(kVTRotation_0)": .none, "\(kVTRotation_CW90)": .degrees90, "\(kVTRotation_180)": .degrees180,
            "\(kVTRotation_CCW90)": .degrees270,
        ]

        func set(_ key: CFString, _ value: AnyObject?) -> OSStatus {
            guard !state.isInvalid else { return kVTInvalidSessionErr }
            switch "\(key)" {
            case "\(kVTPixelRotationPropertyKey_Rotation)":
                let unturned = PixelTransferOptions.Rotation.none
                let turn = value == nil ? unturned : (value as? NSString).flatMap { Self.turns["\($0)"] }
                guard let turn else { return kVTParameterErr }
                return keep { $0.rotation = turn }
            case "\(kVTPixelRotationPropertyKey_FlipHorizontalOrientation)":
                guard let flips = value.map(PropertyValue.boolean) ?? false else { return kVTParameterErr }
                return keep { $0.flipsHorizontally = flips }
            case "\(kVTPixelRotationPropertyKey_FlipVerticalOrientation)":
                guard let flips = value.map(PropertyValue.boolean) ?? false else { return kVTParameterErr }
                return keep { $0.flipsVertically = flips }
            default: return kVTPropertyNotSupportedErr
            }
        }

        private func keep(_ body: (inout State) -> Void) -> OSStatus {
            change { state in
                body(&state)
                return state.isInvalid ? kVTInvalidSessionErr : noErr
            }
        }

        func copy(_ key: CFString) -> Result<AnyObject?, VTFailure> {
            let state = state
            if state.isInvalid { return .failure(VTFailure(status: kVTInvalidSessionErr)) }
            switch "\(key)" {
            case "\(kVTPixelRotationPropertyKey_Rotation)":
                return .success(Self.turns.first { $0.value == state.rotation }.map { $0.key as NSString })
            case "\(kVTPixelRotationPropertyKey_FlipHorizontalOrientation)":
                return .success(NSNumber(value: state.flipsHorizontally))
            case "\(kVTPixelRotationPropertyKey_FlipVerticalOrientation)":
                return .success(NSNumber(value: state.flipsVertically))
            default: return .failure(VTFailure(status: kVTPropertyNotSupportedErr))
            }
        }

        var supportedProperties: NSDictionary {
            let flag =
                [
                    kVTPropertyTypeKey: kVTPropertyType_Boolean,
                    kVTPropertyReadWriteStatusKey: kVTPropertyReadWriteStatus_ReadWrite,
                    kVTPropertyShouldBeSerializedKey: true as NSNumber,
                ] as NSDictionary
            let turns = flag.copied()
            turns[kVTPropertyTypeKey] = kVTPropertyType_Enumeration
            turns[kVTPropertySupportedValueListKey] = NSArray(array: Self.turns.keys.sorted().map { $0 as NSString })
            return [
                kVTPixelRotationPropertyKey_Rotation: turns,
                kVTPixelRotationPropertyKey_FlipHorizontalOrientation: flag,
                kVTPixelRotationPropertyKey_FlipVerticalOrientation: flag,
            ] as NSDictionary
        }
    }
#endif
