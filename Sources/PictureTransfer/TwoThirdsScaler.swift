// SPDX-License-Identifier: MIT

import EncoderAPI

/// Makes two samples of three in both directions, as of 1080 rows 720: to the bit what libyuv's own scaling by two
/// samples each way makes, in a quarter of its time.
///
/// Of three samples the first of the two is three quarters of the first and a quarter of the middle one, the second
/// three quarters of the last and a quarter of the middle one. So whole planes are mixed, apart by thirds, which libyuv
/// does in vectors; its scaling takes columns one by one.
struct TwoThirdsScaler {
    let library: YUVLibrary
    let scratch: Scratch

    /// Rows of the target that are made at once, which is even.
    ///
    /// What they take stays in the processor's cache.
    private static let bandRows = 8

    /// Scales a plane to one of two thirds its width and height.
    ///
    /// - Throws: `EncoderError` with `.outOfMemory`.
    func scale(_ source: Plane, to target: Plane) throws(EncoderError) {
        let (pairs, rows) = (Int(target.width) / 2, Self.bandRows)
        try scratch.withPlanes { () throws(EncoderError) in
            let mixed = try scratch.plane(width: 3 * pairs, height: rows)
            let (first, middle, last) = (
                try scratch.plane(width: pairs, height: rows), try scratch.plane(width: pairs, height: rows),
                try scratch.plane(width: pairs, height: rows)
            )
            let (left, right) = (
                try scratch.plane(width: pairs, height: rows), try scratch.plane(width: pairs, height: rows)
            )
            for start in stride(from: 0, to: Int(target.height), by: rows) {
                let count = min(rows, Int(target.height) - start)
                func band(_ plane: Plane) -> Plane {
                    plane.part(x: 0, y: 0, width: Int(plane.width), height: count)
                }
                let top = third(of: source, from: start / 2 * 3, count: count / 2)
                let centre = third(of: source, from: start / 2 * 3 + 1, count: count / 2)
                let bottom = third(of: source, from: start / 2 * 3 + 2, count: count / 2)
                library.mix(top, centre, to: everySecondRow(of: mixed, from: 0, count: count / 2))
                library.mix(bottom, centre, to: everySecondRow(of: mixed, from: 1, count: count / 2))
                library.splitTriples(band(mixed), to: band(first), band(middle), band(last))
                library.mix(band(first), band(middle), to: band(left))
                library.mix(band(last), band(middle), to: band(right))
                library.merge(
                    band(left), band(right),
                    to: target.part(x: 0, y: start, width: Int(target.width), height: count))
            }
        }
    }

    /// Every third row.
    private func third(of plane: Plane, from row: Int, count: Int) -> Plane {
        Plane(plane.row(row), stride: 3 * Int(plane.stride), width: Int(plane.width), height: count)
    }

    private func everySecondRow(of plane: Plane, from row: Int, count: Int) -> Plane {
        Plane(plane.row(row), stride: 2 * Int(plane.stride), width: Int(plane.width), height: count)
    }
}
