// SPDX-License-Identifier: MIT

/// Where labels go that would lie on each other.
enum LabelPlacement {
    /// A part of a drawing, y downwards.
    struct Box: Equatable {
        var left: Double
        var top: Double
        var width: Double
        var height: Double

        var right: Double { left + width }
        var bottom: Double { top + height }

        func meets(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }

        func contains(_ other: Box) -> Bool {
            left <= other.left && other.right <= right && top <= other.top && other.bottom <= bottom
        }
    }

    /// Moves labels apart, as little as can be without changing their order.
    ///
    /// - Parameters:
    ///   - wanted: Where each belongs.
    ///   - gap: Between two labels at least.
    ///   - range: Where labels may be.
    /// - Returns: Where each goes, in the order of `wanted`.
    static func spread(_ wanted: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double] {
        let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
        var places = wanted
        var limit = range.lowerBound
        for index in order {
            places[index] = max(wanted[index], limit)
            limit = places[index] + gap
        }
        limit = range.upperBound
        for index in order.reversed() {
            places[index] = min(places[index], limit)
            limit = places[index] - gap
        }
        return places
    }

    /// Finds room for labels beside points: as near as can be, on no mark and on no other label.
    ///
    /// - Parameters:
    ///   - points: What each belongs to.
    ///   - sizes: How much room each takes.
    ///   - taken: What no label may lie on.
    ///   - frame: What all labels lie in.
    /// - Returns: The label's places in the order of `points`; nil where there is no room.
    static func beside(
        _ points: [(x: Double, y: Double)], sizes: [(width: Double, height: Double)], avoiding taken: [Box],
        in frame: Box
    ) -> [Box?] {
        var taken = taken
        return zip(points, sizes).map { point, size in
            let box = candidates(point, size).first { box in
                frame.contains(box) && !taken.contains(where: box.meets)
            }
            if let box { taken.append(box) }
            return box
        }
    }

    /// Places around a point, the nearest first; at each distance right and left before above and below.
    private static func candidates(_ point: (x: Double, y: Double), _ size: (width: Double, height: Double)) -> [Box] {
        let (halfWidth, halfHeight) = (size.width / 2, size.height / 2)
        let directions: [(x: Double, y: Double)] = [
            (1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1), (0, -1), (0, 1),
        ]
        return [7.0, 13, 20, 28, 38, 50, 64, 80, 100].flatMap { distance in
            directions.map { direction in
                Box(
                    left: point.x + direction.x * (distance + halfWidth) - halfWidth,
                    top: point.y + direction.y * (distance + halfHeight) - halfHeight, width: size.width,
                    height: size.height)
            }
        }
    }
}
