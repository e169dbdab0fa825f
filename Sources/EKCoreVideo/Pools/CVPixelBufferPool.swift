// SPDX-License-Identifier: MIT

#if os(Linux)
    package import EKCoreFoundation
    import Foundation
    import Glibc
    import Synchronization

    /// Makes buffers of one kind, and uses the memory of those that nobody holds any more for the next.
    ///
    /// May be used from any thread. Memory that waits longer than ``kCVPixelBufferPoolMaximumBufferAgeKey`` says is
    /// freed at the next call, but for as many as ``kCVPixelBufferPoolMinimumBufferCountKey`` says.
    public final class CVPixelBufferPool {
        let attributes: CFDictionary
        let pixelBufferAttributes: CFDictionary
        let layout: BufferLayout
        private let minimumCount: Int
        private let maximumAge: Double
        private let state = Mutex(State())

        private struct Idle {
            var base: UnsafeMutableRawPointer
            var since: Double
        }

        private struct State: @unchecked Sendable {
            // Unchecked: only the pool holds these addresses, and only inside its mutex.
            var idle: [Idle] = []
            /// Buffers that somebody holds.
            var outCount = 0
        }

        init(_ layout: BufferLayout, attributes: CFDictionary, pixelBufferAttributes: CFDictionary) {
            // Copies: the caller may change its own later.
            (self.layout, self.attributes) = (layout, attributes.copied())
            self.pixelBufferAttributes = pixelBufferAttributes.copied()
            minimumCount =
                attributes.number(String(describing: kCVPixelBufferPoolMinimumBufferCountKey))?.clamped() ?? 0
            // One second, as CoreVideo's default.
            maximumAge =
                attributes.number(String(describing: kCVPixelBufferPoolMaximumBufferAgeKey))?.doubleValue ?? 1
        }

        deinit {
            // Buffers that are out hold the pool, so that all memory is here.
            state.withLock { state in state.idle.forEach { free($0.base) } }
        }

        /// Makes a buffer, of memory that waits or of new memory while fewer buffers than `threshold` are there.
        func makeBuffer(threshold: Int?) -> Result<CVBuffer, CVFailure> {
            let now = Self.now
            enum Step: @unchecked Sendable {
                // Unchecked: the address goes to the thread that asked.
                case recycled(UnsafeMutableRawPointer)
                case new
                case refused
            }
            let step = state.withLock { state -> Step in
                let last = state.idle.popLast()
                expire(&state, at: now)
                if let last {
                    state.outCount += 1
                    return .recycled(last.base)
                }
                if let threshold, state.outCount + state.idle.count >= threshold { return .refused }
                state.outCount += 1
                return .new
            }
            switch step {
            case .refused: return .failure(CVFailure(status: kCVReturnWouldExceedAllocationThreshold))
            case .recycled(let base): return .success(layout.buffer(at: base, of: self))
            case .new:
                guard let base = layout.allocate() else {
                    state.withLock { $0.outCount -= 1 }
                    return .failure(CVFailure(status: kCVReturnPoolAllocationFailed))
                }
                return .success(layout.buffer(at: base, of: self))
            }
        }

        /// Takes the memory of a buffer back that nobody holds any more.
        func recycle(_ base: UnsafeMutableRawPointer) {
            let (idle, now) = (State(idle: [Idle(base: base, since: Self.now)], outCount: 0), Self.now)
            state.withLock { state in
                state.outCount -= 1
                expire(&state, at: now)
                state.idle += idle.idle
            }
        }

        /// Frees memory that waits: all, or what waits for too long.
        func flush(all: Bool) {
            let now = Self.now
            state.withLock { state in
                guard all else { return expire(&state, at: now) }
                state.idle.forEach { free($0.base) }
                state.idle = []
            }
        }

        /// Frees what waits for too long; a maximum age of 0 lets it wait for ever.
        private func expire(_ state: inout State, at now: Double) {
            guard maximumAge > 0 else { return }
            // The oldest is first.
            while let oldest = state.idle.first, now - oldest.since > maximumAge,
                state.idle.count + state.outCount > minimumCount
            {
                free(oldest.base)
                state.idle.removeFirst()
            }
        }

        private static var now: Double {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }

    extension CVPixelBufferPool: Hashable {
        /// Whether both are the same object.
        public static func == (left: CVPixelBufferPool, right: CVPixelBufferPool) -> Bool { left === right }

        /// Hashes the identity.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    extension CVPixelBufferPool: CFTyped {
        package static var cfTypeID: CFTypeID { 101 }
    }
#endif
