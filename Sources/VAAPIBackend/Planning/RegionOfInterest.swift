// SPDX-License-Identifier: MIT

import BackendSupport
import EncoderAPI

/// A part of all pictures whose blocks have other quantizers, as the native option `roi` has it.
struct RegionOfInterest: Sendable, Hashable {
    /// Luma samples from the left of what is shown.
    let x: Int
    /// Luma rows from the top of what is shown.
    let y: Int
    let width: Int
    let height: Int
    /// What is added to quantizers, ``deltas``; less than 0 for better quality.
    let delta: Int

    /// Differences of quantizers that can be asked for.
    static let deltas = -51...51
    private static let form =
        "X,Y,WIDTH,HEIGHT,DELTA in samples, the last \(deltas.lowerBound)...\(deltas.upperBound), several with / between"

    /// Reads the regions of an option; where they overlap, the first counts.
    ///
    /// - Parameters:
    ///   - option: `roi` with its value.
    ///   - width: Luma samples in a row that are shown.
    ///   - height: Luma rows that are shown.
    /// - Returns: The regions in their order.
    /// - Throws: ``EncoderError`` that names the option and the form, or the region that is not in the picture.
    static func all(
        of option: NativeOption, width: Int, height: Int
    ) throws(EncoderError) -> [RegionOfInterest] {
        var regions: [RegionOfInterest] = []
        for text in (option.value ?? "").split(separator: "/", omittingEmptySubsequences: false) {
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let numbers = words.compactMap { Int($0) }
            guard words.count == 5, numbers.count == 5, deltas.contains(numbers[4]) else {
                throw option.refusal(expecting: form)
            }
            let region = RegionOfInterest(
                x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], delta: numbers[4])
            guard region.isInside(width: width, height: height) else {
                throw option.refusal(expecting: "regions inside the picture of \(width)x\(height), and not \(text)")
            }
            regions.append(region)
        }
        return regions
    }

    private func isInside(width: Int, height: Int) -> Bool {
        (0..<width).contains(x) && (0..<height).contains(y) && (1...width - x).contains(self.width)
            && (1...height - y).contains(self.height)
    }
}
