// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation
    public import Foundation

    // MARK: - Attributes of buffers

    // Immutable, and never written to after it was made.
    /// The format: a number, or a list of numbers in order of preference.
    public nonisolated(unsafe) let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
    // Immutable, and never written to after it was made.
    /// Columns, a number.
    public nonisolated(unsafe) let kCVPixelBufferWidthKey: CFString = "Width"
    // Immutable, and never written to after it was made.
    /// Rows, a number.
    public nonisolated(unsafe) let kCVPixelBufferHeightKey: CFString = "Height"
    // Immutable, and never written to after it was made.
    /// Rows begin at multiples of so many bytes, a power of two up to 65536.
    public nonisolated(unsafe) let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
    // Immutable, and never written to after it was made.
    /// Planes begin at multiples of so many bytes; means nothing here, where all rows do so by 64.
    public nonisolated(unsafe) let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
    // Immutable, and never written to after it was made.
    /// Columns left of the picture; none are made here.
    public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
    // Immutable, and never written to after it was made.
    /// Rows above the picture; none are made here.
    public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
    // Immutable, and never written to after it was made.
    /// Columns right of the picture; none are made here.
    public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
    // Immutable, and never written to after it was made.
    /// Rows below the picture; none are made here.
    public nonisolated(unsafe) let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString =
        "CGBitmapContextCompatibility"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferOpenGLCompatibilityKey: CFString = "OpenGLCompatibility"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
    // Immutable, and never written to after it was made.
    /// Means nothing here.
    public nonisolated(unsafe) let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"

    // MARK: - Attributes of pools

    // Immutable, and never written to after it was made.
    /// So many buffers' memory is kept whatever its age, a number.
    public nonisolated(unsafe) let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
    // Immutable, and never written to after it was made.
    /// Seconds that memory may wait for its next use, a number; 0 for any time.
    public nonisolated(unsafe) let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
    // Immutable, and never written to after it was made.
    /// Buffers that a pool does not exceed, a number.
    public nonisolated(unsafe) let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
    // Immutable, and never written to after it was made.
    /// Names a notification; none is posted here.
    public nonisolated(unsafe) let kCVPixelBufferPoolFreeBufferNotification: CFString =
        "BufferPoolFreeBufferNotification"
#endif
