// SPDX-License-Identifier: MIT

#if os(Linux)
    /// What functions of this module answer: 0 or the code of an error.
    public typealias CVReturn = Int32

    /// The call succeeded.
    public let kCVReturnSuccess: CVReturn = 0
    /// The call failed.
    public let kCVReturnError: CVReturn = -6660
    /// An argument is none that the call takes.
    public let kCVReturnInvalidArgument: CVReturn = -6661
    /// There is no memory.
    public let kCVReturnAllocationFailed: CVReturn = -6662
    /// The call is not offered; nothing here answers it.
    public let kCVReturnUnsupported: CVReturn = -6663
    /// Pictures of the format cannot be made.
    public let kCVReturnInvalidPixelFormat: CVReturn = -6680
    /// Pictures of the size cannot be made.
    public let kCVReturnInvalidSize: CVReturn = -6681
    /// The attributes do not say what they must, or ask for what cannot be.
    public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
    /// The buffer cannot be used with this device; nothing here answers it.
    public let kCVReturnPixelBufferNotOpenGLCompatible: CVReturn = -6683
    /// The buffer cannot be used with this device; nothing here answers it.
    public let kCVReturnPixelBufferNotMetalCompatible: CVReturn = -6684
    /// As many buffers as the threshold says are there already.
    public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689
    /// The pool could not make a buffer.
    public let kCVReturnPoolAllocationFailed: CVReturn = -6690
    /// The attributes of a pool do not say what they must; nothing here answers it.
    public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
    /// Pools are to be tried again; nothing here answers it.
    public let kCVReturnRetry: CVReturn = -6692
#endif
