// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EKCoreFoundation

    // Named so that the compiler says why they are missing; nothing of them can be called.

    /// Apple's memory of pictures that processes share.
    @available(*, unavailable, message: "pictures are in memory of the process here, and have no IOSurface")
    public final class IOSurfaceRef {}

    /// The surface of a picture.
    @available(*, unavailable, message: "pictures are in memory of the process here, and have no IOSurface")
    public func CVPixelBufferGetIOSurface(_ pixelBuffer: CVPixelBuffer?) -> IOSurfaceRef? { nil }

    /// A picture of a surface.
    @available(*, unavailable, message: "there is no IOSurface here: wrap bytes by CVPixelBufferCreateWithPlanarBytes")
    public func CVPixelBufferCreateWithIOSurface(
        _ allocator: CFAllocator?, _ surface: IOSurfaceRef, _ pixelBufferAttributes: CFDictionary?,
        _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn { kCVReturnError }

    // MARK: - Metal

    /// A picture's plane on Apple's graphics processors.
    @available(
        *, unavailable, message: "there is no Metal here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVMetalTexture {}

    /// Makes Metal's textures of pictures.
    @available(
        *, unavailable, message: "there is no Metal here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVMetalTextureCache {}

    /// Takes unused textures away.
    @available(
        *, unavailable, message: "there is no Metal here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public func CVMetalTextureCacheFlush(_ textureCache: CVMetalTextureCache, _ options: UInt64) {}

    // MARK: - OpenGL

    /// A picture that OpenGL renders into.
    @available(*, unavailable, message: "there is no OpenGL here: pictures are CVPixelBuffer in memory")
    public final class CVOpenGLBuffer {}

    /// A picture as a texture of OpenGL.
    @available(
        *, unavailable, message: "there is no OpenGL here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVOpenGLTexture {}

    /// Makes OpenGL's textures of pictures.
    @available(
        *, unavailable, message: "there is no OpenGL here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVOpenGLTextureCache {}

    /// A picture as a texture of OpenGL ES.
    @available(
        *, unavailable, message: "there is no OpenGL ES here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVOpenGLESTexture {}

    /// Makes OpenGL ES's textures of pictures.
    @available(
        *, unavailable, message: "there is no OpenGL ES here: samples are read at CVPixelBufferGetBaseAddressOfPlane"
    )
    public final class CVOpenGLESTextureCache {}
#endif
