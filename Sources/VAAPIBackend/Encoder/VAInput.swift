// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// Brings pictures to where the driver reads them: copied from memory, or as they are.
final class VAInput {
    private let display: VADisplayHandle
    private var importer: VASurfaceImport
    /// What pictures in memory are copied to: as large as they are coded, so that the edges are filled.
    private let pool: VASurfacePool
    private var upload: VAImageUpload
    /// Whether the driver refused rows of samples once: the session maps them from then on.
    private var refusesRows = false

    /// A picture where the driver reads it.
    struct Picture {
        let surface: VASurface
        /// Holds what the surface shows; nil for a copy.
        let source: PixelBuffer?
    }

    /// Makes an empty pool.
    init(_ display: VADisplayHandle, _ description: VAEncodeContext.Description, plan: VAStreamPlan) {
        let quirks = VAQuirks(ofDriver: display.driver)
        self.display = display
        pool = VASurfacePool(
            display, width: description.width, height: description.height, bitDepth: description.bitDepth,
            capacity: plan.mostCoding + plan.structure.consecutiveB + 1)
        importer = VASurfaceImport(display, isOffered: description.traits.importsDMABufs, fourcc: pool.fourcc)
        upload = VAImageUpload(to: pool, quirks: quirks)
    }

    /// Whether a picture that is not in memory is read where it is.
    func reads(_ picture: PixelBuffer) -> Bool {
        if let own = picture.surface as? VAPicture { return own.surface.display.raw == display.raw }
        guard let dmaBuf = picture.dmaBuf, importer.takes(dmaBuf) else { return false }
        return !(refusesRows && dmaBuf.modifier == DMABuf.linear)
    }

    /// The picture where the driver reads it.
    ///
    /// - Throws: ``EncoderError`` when it does not fit or the driver fails.
    func take(_ picture: PixelBuffer) throws(EncoderError) -> Picture {
        if let own = picture.surface as? VAPicture { return Picture(surface: own.surface, source: picture) }
        guard let dmaBuf = picture.dmaBuf else { return try copy(picture) }
        do throws(EncoderError) {
            return Picture(surface: try importer.surface(of: picture, dmaBuf), source: picture)
        } catch {
            // What the device cannot reach can be mapped as long as it is rows of samples.
            guard dmaBuf.modifier == DMABuf.linear else {
                // A device that makes no surface of its own either is at fault itself.
                VASurface.destroy([try pool.makeSurface()], on: display)
                throw EncoderError(
                    .invalidPixelBuffer, reason: "a DMA-BUF that the driver refuses: \(error.reason)",
                    status: error.status)
            }
            refusesRows = true
            return try copy(try picture.mapped())
        }
    }

    private func copy(_ picture: PixelBuffer) throws(EncoderError) -> Picture {
        let surface = try pool.take()
        try upload.copy(picture, to: surface)
        return Picture(surface: surface, source: nil)
    }
}
