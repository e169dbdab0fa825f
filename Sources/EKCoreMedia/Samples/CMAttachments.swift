// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    import EKCoreVideo
    public import Foundation

    /// What attachments are attached to: a CMSampleBuffer or a CVBuffer; nothing is attached to other objects.
    public typealias CMAttachmentBearer = AnyObject
    /// Whether copies take an attachment over.
    public typealias CMAttachmentMode = UInt32

    /// Copies do not take the attachment over.
    public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
    /// Copies take the attachment over.
    public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

    /// Attaches an object, in place of one with an equal key.
    ///
    /// - Parameters:
    ///   - target: A sample buffer or picture.
    ///   - key: A name.
    ///   - value: Any object; nil takes away what is attached.
    ///   - attachmentMode: ``kCMAttachmentMode_ShouldPropagate`` where copies take it over.
    public func CMSetAttachment(
        _ target: CMAttachmentBearer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode
    ) {
        if let buffer = target as? CMSampleBuffer { buffer.attach(value, key, attachmentMode) }
        guard let buffer = target as? CVBuffer else { return }
        guard let value else { return CVBufferRemoveAttachment(buffer, key) }
        let mode: CVAttachmentMode =
            attachmentMode == kCMAttachmentMode_ShouldPropagate ? .shouldPropagate : .shouldNotPropagate
        CVBufferSetAttachment(buffer, key, value, mode)
    }

    /// What is attached under a name.
    ///
    /// - Parameters:
    ///   - target: A sample buffer or picture.
    ///   - key: Any text that is equal to the name.
    ///   - attachmentModeOut: Takes whether copies take it over; untouched where nothing is attached.
    /// - Returns: The object; nil where nothing is attached.
    public func CMGetAttachment(
        _ target: CMAttachmentBearer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
    ) -> CFTypeRef? {
        if let buffer = target as? CVBuffer {
            guard let found = buffer.attachment(key) else { return nil }
            attachmentModeOut?.pointee = found.mode.rawValue
            return found.value
        }
        guard let found = (target as? CMSampleBuffer)?.attachment(key) else { return nil }
        attachmentModeOut?.pointee = found.mode
        return found.value
    }

    /// Takes an attachment away; nothing happens where there is none.
    public func CMRemoveAttachment(_ target: CMAttachmentBearer, key: CFString) {
        CMSetAttachment(target, key: key, value: nil, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    }

    /// Attaches all objects of a dictionary whose keys are texts; others are left out.
    public func CMSetAttachments(
        _ target: CMAttachmentBearer, attachments theAttachments: CFDictionary, attachmentMode: CMAttachmentMode
    ) {
        for (key, _) in theAttachments {
            guard let key = key as? String, let value = theAttachments.object(key) else { continue }
            CMSetAttachment(target, key: key as NSString, value: value, attachmentMode: attachmentMode)
        }
    }

    /// Copies all attachments of a mode.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - target: A sample buffer or picture.
    ///   - attachmentMode: The mode.
    /// - Returns: Objects by names; nil where there are none.
    public func CMCopyDictionaryOfAttachments(
        allocator: CFAllocator?, target: CMAttachmentBearer, attachmentMode: CMAttachmentMode
    ) -> CFDictionary? {
        if let buffer = target as? CVBuffer {
            return CVAttachmentMode(rawValue: attachmentMode).flatMap { CVBufferCopyAttachments(buffer, $0) }
        }
        let attachments = (target as? CMSampleBuffer)?.attachments(attachmentMode) ?? []
        guard !attachments.isEmpty else { return nil }
        let dictionary = NSMutableDictionary()
        for (key, value, _) in attachments { dictionary[key as NSString] = value }
        return dictionary
    }

    /// Attaches to another object what copies take over.
    public func CMPropagateAttachments(_ source: CMAttachmentBearer, destination: CMAttachmentBearer) {
        let attachments = CMCopyDictionaryOfAttachments(
            allocator: nil, target: source, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        guard let attachments else { return }
        CMSetAttachments(
            destination, attachments: attachments, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }

    // MARK: - Attachments of samples

    /// The samples' attachments: a list with one dictionary for each sample, which may be written to.
    ///
    /// - Parameters:
    ///   - sbuf: Holds the list and the dictionaries, which are the same objects each time.
    ///   - createIfNecessary: Whether empty ones are made where there are none.
    /// - Returns: The list; nil where there is none.
    public func CMSampleBufferGetSampleAttachmentsArray(
        _ sbuf: CMSampleBuffer, createIfNecessary: Bool
    ) -> CFArray? { sbuf.perSampleAttachments(creates: createIfNecessary) }

    extension CMSampleBuffer {
        /// Copies what is attached to another buffer, and to its samples.
        func takeAttachments(of buffer: CMSampleBuffer) {
            for (key, value, mode) in buffer.attachments(nil) where mode == kCMAttachmentMode_ShouldPropagate {
                attach(value, key as NSString, mode)
            }
            guard let theirs = buffer.perSampleAttachments(creates: false),
                let own = perSampleAttachments(creates: true)
            else { return }
            for index in 0..<count {
                guard let from = theirs.dictionary(index), let to = own.dictionary(index) else { continue }
                to.setDictionary(from)
            }
        }
    }

    extension NSArray {
        /// The dictionary at a place, the object itself.
        func dictionary(_ index: Int) -> NSMutableDictionary? {
            CFArrayGetValueAtIndex(self, index).flatMap {
                Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? NSMutableDictionary
            }
        }
    }

    extension NSMutableDictionary {
        fileprivate func setDictionary(_ other: NSMutableDictionary) {
            for (key, _) in other {
                guard let name = key as? String, let value = other.object(name) else { continue }
                setObject(value, forKey: name as NSString)
            }
        }
    }

    extension CMSampleBuffer {
        /// Attachments of one sample, read and written in the sample buffer's own dictionary.
        public struct PerSampleAttachmentsDictionary {
            let values: NSMutableDictionary?

            /// A name of an attachment.
            public struct Key: RawRepresentable, Sendable, Hashable {
                /// The name.
                public let rawValue: String

                /// Takes a name.
                public init(rawValue: String) { self.rawValue = rawValue }

                /// Whether decoding cannot begin with the sample.
                public static let notSync = Key(rawValue: "NotSync")
                /// Whether decoding can begin with it although samples shown earlier may be missing.
                public static let partialSync = Key(rawValue: "PartialSync")
                /// Whether the sample needs others to be decoded.
                public static let dependsOnOthers = Key(rawValue: "DependsOnOthers")
                /// False for a sample that may be left out.
                public static let isDependedOnByOthers = Key(rawValue: "IsDependedOnByOthers")
                /// Whether to show the sample at once.
                public static let displayImmediately = Key(rawValue: "DisplayImmediately")
                /// Whether to decode the sample and not show it.
                public static let doNotDisplay = Key(rawValue: "DoNotDisplay")
                /// Whether later samples may be shown earlier.
                public static let earlierDisplayTimesAllowed = Key(rawValue: "EarlierDisplayTimesAllowed")
            }

            /// The value of an attachment; nil where there is none, and to take it away.
            public subscript(key: Key) -> Any? {
                get { values?.object(key.rawValue) }
                nonmutating set {
                    guard let newValue else {
                        values?.removeObject(forKey: key.rawValue as NSString)
                        return
                    }
                    values?.setObject(newValue as AnyObject, forKey: key.rawValue as NSString)
                }
            }
        }

        /// Attachments of all samples, by their place.
        public struct SampleAttachments: MutableCollection, RandomAccessCollection {
            let list: NSArray
            /// 0.
            public var startIndex: Int { 0 }
            /// Number of samples.
            public var endIndex: Int { list.count }

            /// The attachments of one sample; traps where there is no such sample.
            public subscript(index: Int) -> PerSampleAttachmentsDictionary {
                get {
                    precondition(indices.contains(index), "sample \(index), expected \(indices)")
                    return PerSampleAttachmentsDictionary(values: list.dictionary(index))
                }
                nonmutating set {}
            }
        }

        /// Attachments of all samples; made where there are none.
        public var sampleAttachments: SampleAttachments {
            get { SampleAttachments(list: perSampleAttachments(creates: true) ?? NSArray()) }
            // Elements write through to the dictionaries of the buffer.
            set { _ = newValue }
        }
    }
#endif
