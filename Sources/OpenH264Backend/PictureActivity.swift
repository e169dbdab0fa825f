// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// How much of a picture no flat prediction of its 4x4 blocks foretells, which bounds its bits at a quantizer: pure.
///
/// libopenh264 writes a picture to a buffer with a byte for each sample. With CAVLC in one slice it refuses a picture
/// above two thirds of that; with CABAC, and with several slices, version 2.3.1 writes on behind the buffer's end. So
/// those pictures are not given to it with a quantizer at which they may be too large.
struct PictureActivity {
    /// The root mean square of the differences of samples from the mean of their block, in all planes: 0 to 127.5.
    let deviation: Double

    /// Measures a picture in I420; blocks that an edge cuts are left out.
    init(_ picture: PixelBuffer) {
        var (energy, samples) = (0, 0)
        for plane in 0..<3 {
            let (width, height) = (
                plane == 0 ? picture.width : picture.width / 2, plane == 0 ? picture.height : picture.height / 2
            )
            let bytes = picture.unsafeAddress(plane: plane).assumingMemoryBound(to: UInt8.self)
            for row in stride(from: 0, to: height - 3, by: 4) {
                energy += Self.energy(
                    bytes + row * picture.bytesPerRow(plane: plane), picture.bytesPerRow(plane: plane), width)
            }
            samples += width / 4 * 4 * (height / 4 * 4)
        }
        deviation = samples > 0 ? (Double(energy) / Double(samples)).squareRoot() : 0
    }

    /// The smallest quantizer at which a picture with this deviation fits, by the measurements named below.
    ///
    /// - Parameter hasSlices: Whether there are several slices, with whose CAVLC a picture takes more bits than with
    ///   CABAC.
    /// - Returns: 0 to ``largestLeastQuantizer``.
    func leastQuantizer(hasSlices: Bool) -> Int {
        // Steps at which noise of nine kinds, in hundreds of sizes and strengths, took at most 0.97
        // (slices) and 0.87 of the buffer. The step is 1 at quantizer 4 and doubles with each six.
        let step = deviation / (hasSlices ? 8 : 12)
        return step > 0.625 ? min(Int((4 + 6 * log2(step)).rounded(.up)), 51) : 0
    }

    /// The largest that ``leastQuantizer(hasSlices:)`` can be: with that or a larger one nothing need be measured.
    static let largestLeastQuantizer = 28

    /// The sum of the squared differences of four rows' samples from the means of their blocks.
    private static func energy(_ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ width: Int) -> Int {
        var energy = 0
        for column in stride(from: 0, to: width - 3, by: 4) {
            var (sum, squares) = (0, 0)
            for row in 0..<4 {
                let four = rows + (row &* bytesPerRow &+ column)
                for index in 0..<4 {
                    let sample = Int(four[index])
                    sum &+= sample
                    squares &+= sample &* sample
                }
            }
            energy &+= 16 &* squares &- sum &* sum
        }
        return energy / 16
    }
}
