// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV

/// Converts decoded pictures of one size and format to 4:2:0; for inputs only.
protocol FrameConverter {
    /// What it does to every picture, a sentence.
    var summary: String { get }
    /// What the sample values mean afterwards.
    var color: ColorDescription { get }
    /// What the pictures are afterwards.
    var format: PixelFormat { get }

    /// Converts a picture of the size and format the converter was made for.
    func convert(_ frame: LibAVFrame) throws(MediaFileError) -> PixelBuffer
}

extension LibAVFrame {
    /// What makes pictures such as this into 4:2:0: PictureTransfer where it takes the format, else libswscale.
    ///
    /// - Throws: ``MediaFileError`` with `.unsupported`, `.libraryMissing`.
    func converter(_ av: CLibAV, path: String) throws(MediaFileError) -> any FrameConverter {
        if let format = transferredFormat, let transfer = try FrameTransfer(av, format, for: self, path: path) {
            return transfer
        }
        return try LibSwscaleConverter(av, for: self, path: path)
    }
}
