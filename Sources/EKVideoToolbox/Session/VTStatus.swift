// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI

    extension EncoderError {
        /// The status of VideoToolbox that says the same.
        ///
        /// What a property asks for and the encoder does not have is -12900 before it comes here: the table of
        /// properties knows. What is left of `.unsupported` is a size or a configuration.
        var status: OSStatus {
            switch code {
            case .invalidValue, .conflictingSettings, .invalidPixelBuffer, .outOfOrderTimestamp, .unsupported:
                kVTParameterErr
            case .unsupportedPixelFormat: kVTPixelTransferNotSupportedErr
            case .noEncoder: kVTCouldNotFindVideoEncoderErr
            case .invalidState, .invalidated, .cancelled, .readerReleased: kVTInvalidSessionErr
            case .outOfMemory: kVTAllocationFailedErr
            case .deviceLost: kVTVideoEncoderNotAvailableNowErr
            default: kVTVideoEncoderMalfunctionErr
            }
        }
    }
#endif
