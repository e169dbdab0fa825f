// SPDX-License-Identifier: MIT

package import EncoderAPI

/// Compares some of a file's pictures with the neighbors of their references too, one picture after the other.
package struct ShiftWatch {
    private let places: Set<Int>
    private var count = 0
    private var previousSource: PixelBuffer?
    /// A picture whose reference's next one has not come yet, and its errors so far.
    private var waiting: (decoded: PixelBuffer, before: Double, same: Double)?
    private var errors: [PictureShift.Errors] = []

    /// - Parameter expectedCount: Pictures that will come, over which those that are looked at are spread.
    package init(expectedCount: Int) { places = PictureShift.places(of: expectedCount) }

    /// Takes the next picture of each.
    ///
    /// - Throws: ``EncoderError`` where they cannot be compared.
    package mutating func add(source: PixelBuffer, decoded: PixelBuffer) throws(EncoderError) {
        if let waiting {
            errors.append(
                PictureShift.Errors(
                    before: waiting.before, same: waiting.same, after: try Self.error(source, waiting.decoded)))
        }
        waiting = nil
        if let previousSource, places.contains(count) {
            waiting = (decoded, try Self.error(previousSource, decoded), try Self.error(source, decoded))
        }
        previousSource = source
        count += 1
    }

    /// What was seen so far.
    package var shift: PictureShift? { PictureShift(errors) }

    private static func error(_ source: PixelBuffer, _ decoded: PixelBuffer) throws(EncoderError) -> Double {
        try PicturePair(source: source, decoded: decoded).measure(MeanSquaredError(), plane: 0) ?? 0
    }
}
