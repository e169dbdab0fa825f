// SPDX-License-Identifier: MIT

#if os(Linux)
    public import Foundation
    import Synchronization

    /// How characters become bytes.
    public typealias CFStringEncoding = UInt32

    /// Encodings by name; others are not offered.
    public enum CFStringBuiltInEncodings: CFStringEncoding, Sendable {
        /// One byte for each of the first 128 characters.
        case ASCII = 0x0600
        /// Unicode in one to four bytes.
        case UTF8 = 0x0800_0100
    }

    /// Number of UTF-16 units; 0 without a text.
    public func CFStringGetLength(_ theString: CFString!) -> CFIndex { theString?.length ?? 0 }

    /// The text as C has it.
    ///
    /// - Parameters:
    ///   - theString: The text.
    ///   - encoding: A value of ``CFStringBuiltInEncodings``.
    /// - Returns: Characters up to a 0, which stay valid until the process ends: one copy is kept for each text that
    ///   is asked for. nil without a text, for another encoding, and for a text that the encoding does not have.
    public func CFStringGetCStringPtr(
        _ theString: CFString!, _ encoding: CFStringEncoding
    ) -> UnsafePointer<CChar>! {
        guard let theString, let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
        let text = String(describing: theString)
        guard encoding == .UTF8 || text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return keptTexts.withLock { $0.pointer(to: text) }
    }

    /// Texts that were asked for as C has them.
    private struct KeptTexts: @unchecked Sendable {
        // Unchecked: what the addresses point to is written once, before they are handed out, and never freed.
        private var texts: [String: UnsafePointer<CChar>] = [:]

        mutating func pointer(to text: String) -> UnsafePointer<CChar> {
            if let known = texts[text] { return known }
            let characters = text.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
            for (index, character) in characters.enumerated() { (copy + index).initialize(to: character) }
            texts[text] = UnsafePointer(copy)
            return UnsafePointer(copy)
        }
    }

    private let keptTexts = Mutex(KeptTexts())

    /// Bytes in memory; nil as a pointer where there are none.
    public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! {
        guard let theData, theData.length > 0 else { return nil }
        return UnsafePointer(theData.bytes.assumingMemoryBound(to: UInt8.self))
    }

    /// Number of bytes; 0 without any.
    public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData?.length ?? 0 }

    /// Copies bytes.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - bytes: Where they are; may be nil for none.
    ///   - length: How many.
    /// - Returns: An object that the caller owns; nil for a negative number, and without bytes.
    public func CFDataCreate(
        _ allocator: CFAllocator!, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
    ) -> CFData! {
        guard length >= 0, length == 0 || bytes != nil else { return nil }
        return NSData(bytes: bytes, length: length)
    }
#endif
