// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    // Named so that the compiler says why they are missing; nothing of them can be called.

    /// A queue of pointers, without a lock.
    @available(*, unavailable, message: "there is no CMSimpleQueue here: an array behind a Mutex does the same")
    public final class CMSimpleQueue {}

    /// Makes a queue of pointers.
    @available(*, unavailable, message: "there is no CMSimpleQueue here: an array behind a Mutex does the same")
    public func CMSimpleQueueCreate(
        allocator: CFAllocator?, capacity: Int32, queueOut: UnsafeMutablePointer<CMSimpleQueue?>
    ) -> OSStatus { 0 }

    /// Adds a pointer.
    @available(*, unavailable, message: "there is no CMSimpleQueue here: an array behind a Mutex does the same")
    public func CMSimpleQueueEnqueue(_ queue: CMSimpleQueue, element: UnsafeRawPointer) -> OSStatus { 0 }

    /// Takes a pointer.
    @available(*, unavailable, message: "there is no CMSimpleQueue here: an array behind a Mutex does the same")
    public func CMSimpleQueueDequeue(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { nil }

    /// Counts pointers.
    @available(*, unavailable, message: "there is no CMSimpleQueue here: an array behind a Mutex does the same")
    public func CMSimpleQueueGetCount(_ queue: CMSimpleQueue) -> Int32 { 0 }

    /// A queue of sample buffers in the order of their times.
    @available(*, unavailable, message: "there is no CMBufferQueue here: callbacks come in decode order")
    public final class CMBufferQueue {}

    /// Adds a sample buffer.
    @available(*, unavailable, message: "there is no CMBufferQueue here: callbacks come in decode order")
    public func CMBufferQueueEnqueue(_ queue: CMBufferQueue, buffer: AnyObject) -> OSStatus { 0 }

    /// Keeps memory of sample buffers to be used again.
    @available(*, unavailable, message: "each sample here has a block of memory of its own: there is no CMMemoryPool")
    public final class CMMemoryPool {}

    /// Makes a pool of memory.
    @available(*, unavailable, message: "each sample here has a block of memory of its own: there is no CMMemoryPool")
    public func CMMemoryPoolCreate(options: CFDictionary?) -> CMMemoryPool {
        fatalError("it cannot be called")
    }
#endif
