// SPDX-License-Identifier: MIT

/// Four offsets in crop units, 0...65535 each: H.264 frame cropping (7.4.2.1.1), HEVC conformance and default display
/// windows.
///
/// Frame cropping and the conformance window have to leave something of the picture.
public struct CroppingWindow: SyntaxStructure {
    /// What the elements' names begin with: `frame_crop` in H.264, `conf_win` (7.4.3.2.1) or `def_disp_win` (E.3.1) in
    /// HEVC.
    public typealias Context = StaticString

    /// Units at the left.
    public var left = 0
    /// Units at the right.
    public var right = 0
    /// Units at the top.
    public var top = 0
    /// Units at the bottom.
    public var bottom = 0

    /// Crops nothing.
    public init() {}

    /// Makes a window of offsets in crop units.
    public init(left: Int = 0, right: Int = 0, top: Int = 0, bottom: Int = 0) {
        self.left = left
        self.right = right
        self.top = top
        self.bottom = bottom
    }

    /// Codes left, right, top, bottom.
    public mutating func code(with coder: inout some SyntaxCoder, in window: Context) throws(ParameterSetError) {
        try coder.ue("\(window)_left_offset", &left, Self.range)
        try coder.ue("\(window)_right_offset", &right, Self.range)
        try coder.ue("\(window)_top_offset", &top, Self.range)
        try coder.ue("\(window)_bottom_offset", &bottom, Self.range)
    }

    /// Refuses a window, coded from bit `start` on, that leaves nothing of a picture; names the offset that is too
    /// large.
    func check(
        in window: Context, from start: Int, of size: PictureSize, unitWidth: Int, unitHeight: Int
    ) throws(ParameterSetError) {
        let columns = (size.width - 1) / unitWidth
        let rows = (size.height - 1) / unitHeight
        var offset = start
        func check(_ side: StaticString, _ value: Int, _ most: Int) throws(ParameterSetError) {
            guard value <= most else {
                throw ParameterSetError(
                    .outOfRange, field: "\(window)_\(side)_offset", bitOffset: offset,
                    reason: "is \(value), expected 0...\(most): nothing would be left of "
                        + "\(size.width) x \(size.height) samples")
            }
            // The length of the offset's Exp-Golomb code (9.1 in H.264, 9.2 in HEVC).
            offset += 2 * (Int.bitWidth - 1 - (value + 1).leadingZeroBitCount) + 1
        }
        try check("left", left, columns)
        try check("right", right, columns - left)
        try check("top", top, rows)
        try check("bottom", bottom, rows - top)
    }

    /// Any 16-bit offset; that something remains of the picture is checked where its size is known.
    private static let range = 0...65535

    /// The crop in luma samples, given how many a unit has.
    public func lumaCrop(unitWidth: Int, unitHeight: Int) -> LumaCrop {
        LumaCrop(
            left: left * unitWidth, right: right * unitWidth, top: top * unitHeight, bottom: bottom * unitHeight)
    }

    /// The window that crops so many luma samples; nil when they are not whole units, or units have no samples.
    public init?(_ crop: LumaCrop, unitWidth: Int, unitHeight: Int) {
        guard unitWidth > 0, unitHeight > 0, crop.left % unitWidth == 0, crop.right % unitWidth == 0,
            crop.top % unitHeight == 0,
            crop.bottom % unitHeight == 0
        else { return nil }
        self.init(
            left: crop.left / unitWidth, right: crop.right / unitWidth, top: crop.top / unitHeight,
            bottom: crop.bottom / unitHeight)
    }
}
