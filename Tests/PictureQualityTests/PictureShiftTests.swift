// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@testable import PictureQuality

@Suite struct PictureShiftTests {
    private typealias Errors = PictureShift.Errors

    /// Errors of pictures that show what the reference shows so many numbers before, where all moves alike.
    private func errors(lags: [Int], noise: Double = 1) -> [Errors] {
        func error(_ distance: Int) -> Double { noise + Double(10 * distance * distance) }
        return lags.map { Errors(before: error($0 - 1), same: error($0), after: error($0 + 1)) }
    }

    @Test("a file is late or early where all its pictures agree better with the reference's other ones")
    func shifted() {
        #expect(PictureShift(errors(lags: [1, 1, 1, 1])) == .late)
        #expect(PictureShift(errors(lags: [-1, -1, -1, -1])) == .early)
        // A place where nothing moves says nothing, and one where the encode is worse by chance no more.
        let still = [Errors(before: 3, same: 3, after: 3), Errors(before: 3.6, same: 3, after: 3.2)]
        #expect(PictureShift(still + errors(lags: [1, 1])) == .late)
        #expect(PictureShift([Errors(before: 0, same: 4, after: 9)]) == .late)
        // By two: by one is nearer.
        #expect(PictureShift(errors(lags: [2, 2, 2])) == .late)
    }

    @Test("nothing is said where numbers are right, nothing moves, or it is not clear")
    func unshifted() {
        #expect(PictureShift([]) == nil)
        #expect(PictureShift(errors(lags: [0, 0, 0, 0])) == nil)
        #expect(PictureShift([Errors](repeating: Errors(before: 5, same: 5, after: 5), count: 16)) == nil)
        #expect(PictureShift([Errors](repeating: Errors(before: 0, same: 0, after: 0), count: 16)) == nil)
        #expect(PictureShift([Errors](repeating: Errors(before: 4.5, same: 5, after: 9), count: 16)) == nil)
        // An encoder that repeats pictures is late at all but each second, or each fourth.
        #expect(PictureShift(errors(lags: [0, 1, 0, 1])) == nil)
        #expect(PictureShift(errors(lags: [0, 1, 2, 3])) == nil)
    }

    @Test("up to 16 pictures are looked at, each with a neighbor on both sides, from the first to the last")
    func places() {
        for count in 0...2 { #expect(PictureShift.places(of: count) == []) }
        #expect(PictureShift.places(of: 3) == [1] && PictureShift.places(of: 18) == Set(1...16))
        for count in [19, 20, 21, 48, 1000] {
            let places = PictureShift.places(of: count)
            #expect(places.count == 16 && places.min() == 1 && places.max() == count - 2, "\(count)")
        }
        #expect(PictureShift.places(of: 1000).filter { (300..<400).contains($0) }.sorted() == [332, 333, 334, 335])
    }

    @Test("pictures are compared with the references before, at and after their own number")
    func watch() throws {
        let values = (0..<30).map { UInt8($0 * 37 % 200) }
        let still = [UInt8](repeating: 90, count: 30)
        #expect(try shift(of: values, against: values) == nil)
        #expect(try shift(of: [values[0]] + values.dropLast(), against: values) == .late)
        #expect(try shift(of: values.dropFirst() + [values[29]], against: values) == .early)
        #expect(try shift(of: still, against: still) == nil && shift(of: [1], against: [9]) == nil)
    }

    /// The shift that is seen of gray pictures.
    private func shift(of decoded: [UInt8], against source: [UInt8]) throws -> PictureShift? {
        func picture(_ luma: UInt8) throws -> PixelBuffer {
            var picture = try MutablePixelBuffer(format: .i420, width: 16, height: 16)
            picture.withMutablePlane(0) { bytes, _ in for index in bytes.indices { bytes[index] = luma } }
            return PixelBuffer(picture)
        }
        var watch = ShiftWatch(expectedCount: decoded.count)
        for (one, two) in zip(source, decoded) { try watch.add(source: try picture(one), decoded: try picture(two)) }
        return watch.shift
    }
}
