// SPDX-License-Identifier: MIT

/// How large pictures are, in classes across which what an encoder saves usually changes.
///
/// CIF and 360 rows are of one class with 480 and 576 rows, as verification tests of HEVC have them: between clips of
/// these sizes content decides more than the size. Pictures of a quarter of that are apart, where H.265 saves little.
package enum SizeClass: Int, CaseIterable, Sendable {
    case small
    case standard
    case high
    case full
    case ultra

    /// The largest size of the class, by its number of samples, whatever the shape; nil for the last class.
    private var largest: (width: Int, height: Int)? {
        switch self {
        case .small: (320, 240)
        case .standard: (720, 576)
        case .high: (1280, 720)
        case .full: (1920, 1080)
        case .ultra: nil
        }
    }

    /// The class of pictures.
    package init(width: Int, height: Int) {
        self =
            Self.allCases.first { size in
                size.largest.map { width * height <= $0.width * $0.height } ?? true
            } ?? .ultra
    }

    /// "up to 320x240", "over 320x240, up to 720x576", "over 1920x1080".
    package var name: String {
        func text(_ size: (width: Int, height: Int)) -> String { "\(size.width)x\(size.height)" }
        let smaller = SizeClass(rawValue: rawValue - 1)?.largest
        switch (smaller, largest) {
        case (let smaller?, let largest?): return "over \(text(smaller)), up to \(text(largest))"
        case (nil, let largest?): return "up to \(text(largest))"
        case (let smaller?, nil): return "over \(text(smaller))"
        case (nil, nil): return "any size"
        }
    }
}
