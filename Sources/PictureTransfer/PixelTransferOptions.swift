// SPDX-License-Identifier: MIT

/// How a picture of another size or direction becomes one of a session's.
///
/// Where it is neither turned nor mirrored nor cut, a picture that has the session's format and size needs no transfer
/// and is encoded as it is.
public struct PixelTransferOptions: Sendable, Hashable {
    /// What becomes of a picture whose sides have another ratio than the target's; samples count as square.
    public enum Scaling: String, Sendable, Hashable, CaseIterable {
        /// It is stretched (kVTScalingMode_Normal).
        case normal
        /// It is shown whole, with black bars of even width where the target is larger (kVTScalingMode_Letterbox).
        case letterbox
        /// What stands out on two sides is cut off, as much from each (kVTScalingMode_Trim).
        case trim
    }

    /// A turn, clockwise.
    public enum Rotation: Int, Sendable, Hashable, CaseIterable {
        /// As it is.
        case none = 0
        /// A quarter: the left side comes to the top.
        case degrees90 = 90
        /// A half: upside down.
        case degrees180 = 180
        /// Three quarters: the right side comes to the top.
        case degrees270 = 270
    }

    /// Where the Cb and Cr samples that are made lie among those of Y; vertically between two rows in both.
    public enum ChromaLocation: String, Sendable, Hashable, CaseIterable {
        /// At the left one of two columns, as decoders take a stream that says nothing.
        case left
        /// Between two columns, as in JPEG.
        case center
    }

    /// The part of a picture that is meant to be seen, in samples of the picture as it comes, before it is turned.
    public struct CleanAperture: Sendable, Hashable {
        /// Columns left of it, 0 or more; even in 4:2:2 and 4:2:0, whose columns share their chroma by two.
        public var x: Int
        /// Rows above it, 0 or more; even in 4:2:0.
        public var y: Int
        /// Columns, 1 to what is right of ``x``.
        public var width: Int
        /// Rows, 1 to what is below ``y``.
        public var height: Int

        /// Describes a part.
        public init(x: Int, y: Int, width: Int, height: Int) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }
    }

    /// What becomes of other ratios of sides; ``Scaling/normal`` by default.
    public var scaling = Scaling.normal
    /// How pictures are turned; not at all by default.
    public var rotation = Rotation.none
    /// Whether pictures are mirrored left to right after they are turned; false by default.
    public var isMirrored = false
    /// What is left of each picture before anything else; nil, the default, for all of it
    /// (kVTScalingMode_CropSourceToCleanAperture).
    public var cleanAperture: CleanAperture?
    /// Where Cb and Cr of pictures in RGB and 4:4:4 come to lie; ``ChromaLocation/left`` by default.
    ///
    /// Those of 4:2:2 and 4:2:0 stay at the columns where they are. A stream says where they lie only with a native
    /// option of its encoder.
    public var chromaLocation = ChromaLocation.left

    /// Makes options that stretch pictures to the target.
    public init() {}
}
