// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    package import EncoderAPI
    import Glibc

    /// Bytes in one piece of memory, which stays where it is and may be written to.
    ///
    /// Any thread may read it; who writes sees to it that nobody else reads or writes meanwhile. Equal to itself alone.
    public final class CMBlockBuffer {
        let base: UnsafeMutableRawPointer
        /// Number of bytes.
        let length: Int
        private let owner: Owner

        /// Whose memory it is.
        enum Owner {
            /// A block of `malloc`'s that begins at an address, and is freed with the buffer.
            case block(UnsafeMutableRawPointer)
            /// The caller's.
            case caller
            /// Another object's, which is held: a buffer's that this one is a part of, or an access unit's block.
            case object(AnyObject)
        }

        init(base: UnsafeMutableRawPointer, length: Int, owner: Owner) {
            (self.base, self.length, self.owner) = (base, length, owner)
        }

        deinit { if case .block(let block) = owner { free(block) } }

        /// Bytes of undefined values; nil without memory.
        package convenience init?(byteCount: Int) {
            guard byteCount >= 0, let block = malloc(max(byteCount, 1)) else { return nil }
            self.init(base: block, length: byteCount, owner: .block(block))
        }

        /// The bytes of an access unit, without a copy: nobody else reads or writes them once the unit is delivered.
        package convenience init(_ block: UnitBlock) {
            guard let base = block.bytes.baseAddress else { preconditionFailure("allocated memory has an address") }
            self.init(base: base, length: block.bytes.count, owner: .object(block))
        }

        /// A copy of bytes; nil without memory.
        package convenience init?(copying bytes: UnsafeRawBufferPointer) {
            self.init(byteCount: bytes.count)
            guard let source = bytes.baseAddress else { return }
            base.copyMemory(from: source, byteCount: bytes.count)
        }

        /// The bytes, valid while somebody holds the buffer.
        package var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: base, count: length) }

        /// Whether a part lies in the bytes; the status that says why not, else 0.
        func check(_ offset: Int, _ count: Int) -> OSStatus {
            guard 0...length ~= offset else { return kCMBlockBufferBadOffsetParameterErr }
            guard 0...length - offset ~= count else { return kCMBlockBufferBadLengthParameterErr }
            return kCMBlockBufferNoErr
        }
    }

    extension CMBlockBuffer: Hashable {
        /// Whether both are the same object.
        public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    extension CMBlockBuffer: CFTyped {
        package static var cfTypeID: CFTypeID { 110 }
    }

    /// What a call does besides.
    public typealias CMBlockBufferFlags = UInt32

    /// Memory is there when the call returns; it always is.
    public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
    /// Bytes are copied even where they are in one piece already.
    public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
    /// The memory's depth is not optimized; nothing here is.
    public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
    /// A buffer of no bytes may be referred to.
    public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8

    /// A custom source of memory, which is refused with ``kCMBlockBufferBadCustomBlockSourceErr``.
    public struct CMBlockBufferCustomBlockSource {
        /// 0.
        public var version: UInt32
        /// Would allocate.
        public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
        /// Would free.
        public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
        /// Given to both.
        public var refCon: UnsafeMutableRawPointer?

        /// Makes a source without functions.
        public init() { (version, AllocateBlock, FreeBlock, refCon) = (0, nil, nil, nil) }

        /// Makes a source.
        public init(
            version: UInt32,
            AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
            FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
            refCon: UnsafeMutableRawPointer?
        ) {
            (self.version, self.refCon) = (version, refCon)
            (self.AllocateBlock, self.FreeBlock) = (AllocateBlock, FreeBlock)
        }
    }
#endif
