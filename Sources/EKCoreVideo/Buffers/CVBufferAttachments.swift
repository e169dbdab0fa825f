// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    /// Whether copies of a buffer take an attachment over.
    public enum CVAttachmentMode: UInt32, Sendable {
        /// They do not.
        case shouldNotPropagate = 0
        /// They do.
        case shouldPropagate = 1
    }

    /// Copies of a buffer do not take the attachment over.
    public let kCVAttachmentMode_ShouldNotPropagate = CVAttachmentMode.shouldNotPropagate
    /// Copies of a buffer take the attachment over.
    public let kCVAttachmentMode_ShouldPropagate = CVAttachmentMode.shouldPropagate

    /// Attaches an object, in place of one with an equal key.
    ///
    /// - Parameters:
    ///   - buffer: Retains the object.
    ///   - key: A name; one of the constants of this module, or any other.
    ///   - value: Any object.
    ///   - attachmentMode: Whether copies take it over.
    public func CVBufferSetAttachment(
        _ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode
    ) { buffer.attach(value, key, attachmentMode) }

    /// Attaches all objects of a dictionary whose keys are texts; others are left out.
    public func CVBufferSetAttachments(
        _ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode
    ) {
        for (key, _) in theAttachments {
            guard let key = key as? String, let value = theAttachments.object(key) else { continue }
            buffer.attach(value, key as NSString, attachmentMode)
        }
    }

    /// What is attached under a name.
    ///
    /// - Parameters:
    ///   - buffer: The buffer.
    ///   - key: Any text that is equal to the name.
    ///   - attachmentMode: Takes whether copies take it over; untouched where nothing is attached.
    /// - Returns: The object, not retained: it lives as long as it is attached. nil where nothing is.
    public func CVBufferGetAttachment(
        _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
    ) -> Unmanaged<CFTypeRef>? {
        guard let found = buffer.attachment(key) else { return nil }
        attachmentMode?.pointee = found.mode
        return .passUnretained(found.value)
    }

    /// What is attached under a name; see ``CVBufferGetAttachment(_:_:_:)``.
    public func CVBufferCopyAttachment(
        _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
    ) -> CFTypeRef? {
        guard let found = buffer.attachment(key) else { return nil }
        attachmentMode?.pointee = found.mode
        return found.value
    }

    /// Whether something is attached under a name.
    public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool { buffer.attachment(key) != nil }

    /// A copy of all attachments of a mode; nil where there are none.
    public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
        let attachments = buffer.attachments(attachmentMode)
        guard !attachments.isEmpty else { return nil }
        let dictionary = NSMutableDictionary()
        for (key, value, _) in attachments { dictionary[key as NSString] = value }
        return dictionary
    }

    /// A copy of all attachments of a mode; nil where there are none.
    public func CVBufferGetAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
        CVBufferCopyAttachments(buffer, attachmentMode)
    }

    /// Takes an attachment away; nothing happens where there is none.
    public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
        buffer.attach(nil, key, .shouldNotPropagate)
    }

    /// Takes all attachments away.
    public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) { buffer.detachAll() }

    /// Attaches to another buffer what copies take over.
    public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
        for (key, value, mode) in sourceBuffer.attachments(.shouldPropagate) {
            destinationBuffer.attach(value, key as NSString, mode)
        }
    }

    extension NSDictionary {
        /// The value of a key, the object itself.
        package func object(_ key: String) -> AnyObject? {
            let name = key as NSString
            let address = CFDictionaryGetValue(self, UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque()))
            return withExtendedLifetime(name) {
                address.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
            }
        }

        /// A copy of all values whose keys are texts, the objects themselves.
        package func copied() -> NSMutableDictionary {
            let copy = NSMutableDictionary()
            for (key, _) in self {
                guard let key = key as? String, let value = object(key) else { continue }
                copy.setObject(value, forKey: key as NSString)
            }
            return copy
        }

        /// The value of a key, where it is a number or boolean.
        package func number(_ key: String) -> NSNumber? { object(key) as? NSNumber }
    }
#endif
