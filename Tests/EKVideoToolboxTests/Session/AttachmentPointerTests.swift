// SPDX-License-Identifier: MIT

#if os(Linux)
    import Foundation
    import EKCoreFoundation
    import EKCoreMedia
    import EKVideoToolbox
    import Testing

    /// Attachments as C clients read them: by addresses that nobody retains.
    @Suite struct AttachmentPointerTests {
        private func pointer(_ object: AnyObject) -> UnsafeRawPointer {
            UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }

        @Test("sync samples lack NotSync, and DependsOnOthers is a boolean by identity")
        func pointers() throws {
            let encoding = try Encoding()
            encoding.set(kVTCompressionPropertyKey_MaxKeyFrameInterval, 5 as CFTypeRef)
            encoding.set(kVTCompressionPropertyKey_AllowFrameReordering, kCFBooleanFalse)
            for number in 0..<12 { encoding.encode(try frame(number), at: time(number)) }
            #expect(encoding.complete() == noErr)
            for (number, sample) in encoding.output.samples.enumerated() {
                let list = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true)
                let attachments = unsafeBitCast(CFArrayGetValueAtIndex(list, 0), to: CFDictionary.self)
                let isSync = !CFDictionaryContainsKey(attachments, pointer(kCMSampleAttachmentKey_NotSync))
                #expect(isSync == (number % 5 == 0))
                let depends = CFDictionaryGetValue(attachments, pointer(kCMSampleAttachmentKey_DependsOnOthers))
                #expect(depends == pointer(isSync ? kCFBooleanFalse : kCFBooleanTrue))
                let again = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
                #expect(CFArrayGetValueAtIndex(again, 0) == CFArrayGetValueAtIndex(list, 0))
            }
        }

        @Test("B frames that nothing depends on say so, and others say nothing")
        func droppable() throws {
            let encoding = try Encoding()
            for number in 0..<40 { encoding.encode(try frame(number * number), at: time(number)) }
            #expect(encoding.complete() == noErr)
            let samples = encoding.output.samples
            let droppable = samples.filter { $0.sampleAttachments[0][.isDependedOnByOthers] as? Bool == false }
            #expect(!droppable.isEmpty)
            // nal_ref_idc is 0 exactly where nothing depends on the picture.
            #expect(droppable.allSatisfy { $0.nalUnits[0][0] & 0x60 == 0 })
            let others = samples.filter { $0.sampleAttachments[0][.isDependedOnByOthers] == nil }
            #expect(others.count + droppable.count == samples.count)
            #expect(others.allSatisfy { $0.nalUnits[0][0] & 0x60 != 0 })
        }
    }
#endif
