// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    import Foundation
    import Synchronization

    /// A picture in memory that stays where it is; ``CVPixelBuffer`` by its usual name.
    ///
    /// Attachments and locks may be used from any thread; who writes samples sees to it that nobody reads them
    /// meanwhile. Equal to itself alone.
    public final class CVBuffer {
        /// Four characters that name the format; see ``CVPixelBufferGetPixelFormatType(_:)``.
        let pixelFormatType: OSType
        /// Columns of the picture.
        let width: Int
        /// Rows of the picture.
        let height: Int
        /// Where the planes are; one for a packed format.
        let planes: [Plane]
        /// Whether planes are counted: false for a packed format.
        let isPlanar: Bool
        /// Bytes from the start of the first plane to the end of the last, where they lie in one block; else of what
        /// was wrapped.
        let dataSize: Int
        private let owner: Owner
        private let shared = Mutex(Shared())

        /// One plane.
        struct Plane {
            var base: UnsafeMutableRawPointer
            var bytesPerRow: Int
            var width: Int
            var height: Int
        }

        /// Whose memory it is.
        enum Owner {
            /// A block of `malloc`'s, which goes back to a pool or is freed.
            case block(UnsafeMutableRawPointer, CVPixelBufferPool?)
            /// The caller's, who is told when nobody holds the buffer any more.
            case caller(release: () -> Void)
        }

        /// What threads share.
        private struct Shared: @unchecked Sendable {
            // Unchecked: the objects are reached inside the mutex alone, or retained for whoever asks.
            var locks = 0
            var attachments: [String: (value: AnyObject, mode: CVAttachmentMode)] = [:]
        }

        init(
            _ pixelFormatType: OSType, width: Int, height: Int, planes: [Plane], isPlanar: Bool, dataSize: Int,
            owner: Owner
        ) {
            (self.pixelFormatType, self.width, self.height) = (pixelFormatType, width, height)
            (self.planes, self.isPlanar, self.dataSize, self.owner) = (planes, isPlanar, dataSize, owner)
        }

        deinit {
            switch owner {
            case .block(let base, let pool?): pool.recycle(base)
            case .block(let base, nil): free(base)
            case .caller(let release): release()
            }
        }
    }

    /// A picture.
    public typealias CVImageBuffer = CVBuffer
    /// A picture in memory.
    public typealias CVPixelBuffer = CVImageBuffer

    extension CVBuffer: Hashable {
        /// Whether both are the same object.
        public static func == (left: CVBuffer, right: CVBuffer) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    extension CVBuffer: CFTyped {
        package static var cfTypeID: CFTypeID { 100 }
    }

    // MARK: - Locks

    extension CVBuffer {
        /// Counts a lock up or down; false where there is none to take away.
        func lock(_ isLocked: Bool) -> Bool {
            shared.withLock { shared in
                guard isLocked || shared.locks > 0 else { return false }
                shared.locks += isLocked ? 1 : -1
                return true
            }
        }
    }

    // MARK: - Attachments

    extension CVBuffer {
        /// Whether anything is attached.
        var hasAttachments: Bool { shared.withLock { !$0.attachments.isEmpty } }

        /// What is attached, with whether copies take it over.
        package func attachment(_ key: CFString) -> (value: AnyObject, mode: CVAttachmentMode)? {
            let found = shared.withLock { Held($0.attachments[String(describing: key)]) }
            return found.value
        }

        /// Attaches an object, or takes it away.
        func attach(_ value: AnyObject?, _ key: CFString, _ mode: CVAttachmentMode) {
            let (name, value) = (String(describing: key), Held(value))
            // What was attached before is released outside the mutex: its end may run any code.
            let old = shared.withLock { shared in
                Held(shared.attachments.updateOrRemove(value.value.map { ($0, mode) }, forKey: name))
            }
            _ = old
        }

        /// All attachments of a mode; nil for any.
        func attachments(_ mode: CVAttachmentMode?) -> [(key: String, value: AnyObject, mode: CVAttachmentMode)] {
            shared.withLock { shared in
                Held(
                    shared.attachments.filter { mode == nil || $0.value.mode == mode }
                        .map { (key: $0.key, value: $0.value.value, mode: $0.value.mode) })
            }.value
        }

        /// Takes all attachments away.
        func detachAll() {
            let old = shared.withLock { shared in
                defer { shared.attachments = [:] }
                return Held(shared.attachments)
            }
            _ = old
        }

        /// Carries objects out of the mutex.
        private struct Held<Value>: @unchecked Sendable {
            // Unchecked: used by the thread that made it alone.
            let value: Value
            init(_ value: Value) { self.value = value }
        }
    }

    extension Dictionary {
        fileprivate mutating func updateOrRemove(_ value: Value?, forKey key: Key) -> Value? {
            guard let value else { return removeValue(forKey: key) }
            return updateValue(value, forKey: key)
        }
    }
#endif
