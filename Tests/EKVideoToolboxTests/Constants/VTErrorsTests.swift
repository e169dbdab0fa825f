// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKVideoToolbox
    import Testing

    /// Clients write numbers, too, and log them: they are those of Apple's VTErrors.h.
    @Suite struct VTErrorsTests {
        @Test("the numbers from -12900 on are in the order of the header, without a gap")
        func first() {
            let statuses = [
                kVTPropertyNotSupportedErr, kVTPropertyReadOnlyErr, kVTParameterErr, kVTInvalidSessionErr,
                kVTAllocationFailedErr, kVTPixelTransferNotSupportedErr, kVTCouldNotFindVideoDecoderErr,
                kVTCouldNotCreateInstanceErr, kVTCouldNotFindVideoEncoderErr, kVTVideoDecoderBadDataErr,
                kVTVideoDecoderUnsupportedDataFormatErr, kVTVideoDecoderMalfunctionErr, kVTVideoEncoderMalfunctionErr,
                kVTVideoDecoderNotAvailableNowErr, kVTImageRotationNotSupportedErr, kVTVideoEncoderNotAvailableNowErr,
                kVTFormatDescriptionChangeNotSupportedErr, kVTInsufficientSourceColorDataErr,
                kVTCouldNotCreateColorCorrectionDataErr, kVTColorSyncTransformConvertFailedErr,
            ]
            #expect(statuses == (OSStatus(-12919)...(-12900)).reversed())
        }

        @Test("the numbers of authorization, passes and later years")
        func others() {
            #expect([kVTVideoDecoderAuthorizationErr, kVTVideoEncoderAuthorizationErr] == [-12210, -12211])
            #expect([kVTMultiPassStorageIdentifierMismatchErr, kVTMultiPassStorageInvalidErr] == [-12213, -12214])
            #expect(kVTPixelTransferNotPermittedErr == -12218)
            #expect([kVTSessionMalfunctionErr, kVTVideoDecoderReferenceMissingErr] == [-17691, -17694])
            #expect(kVTVideoDecoderUnknownErr == -17696)
        }
    }
#endif
