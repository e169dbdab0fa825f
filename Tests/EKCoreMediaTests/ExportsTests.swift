// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreMedia
    import Testing

    /// A file of a client that imports CoreMedia alone.
    @Suite struct ExportsTests {
        @Test("who imports CoreMedia has what CoreFoundation, CoreVideo and Foundation declare")
        func names() {
            let key: CFString = "key" as CFString
            let values: [NSString: Data] = [key: Data([1, 2])]
            #expect((values as CFDictionary).count == 1)
            var buffer: CVPixelBuffer?
            let status: OSStatus = CVPixelBufferCreate(nil, 16, 16, kCVPixelFormatType_32BGRA, nil, &buffer)
            #expect(status == noErr && buffer != nil)
        }
    }
#endif
