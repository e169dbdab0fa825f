// SPDX-License-Identifier: MIT

// What the compiler refuses, saying why: one thing in each line that is marked. `dev/test-compatibility` counts the
// errors; the file is part of no target.

import CoreMedia
import CoreVideo
import VideoToolbox

func silo(_ silo: VTFrameSilo) {}  // refused
func queue(_ queue: CMSimpleQueue) {}  // refused
func samples(_ queue: CMBufferQueue) {}  // refused
func memory(_ pool: CMMemoryPool) {}  // refused
func surface(_ surface: IOSurfaceRef) {}  // refused
func metal(_ texture: CVMetalTexture) {}  // refused
func textures(_ cache: CVMetalTextureCache) {}  // refused
func desktop(_ cache: CVOpenGLTextureCache) {}  // refused
func phone(_ cache: CVOpenGLESTextureCache) {}  // refused

func calls(_ picture: CVPixelBuffer) {
    _ = CVPixelBufferGetIOSurface(picture)  // refused
    _ = CMMemoryPoolCreate(options: nil)  // refused
}
