// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreVideo
    import EncoderAPI
    import Foundation

    /// What the samples of a transfer's result mean: pure.
    enum TransferColor {
        /// The parts that a transfer decides; 2, unspecified, where the source's attachments say it alone.
        ///
        /// RGB gets the matrix that is asked for, else the destination's, else the one that the source names, else
        /// BT.709's.
        ///
        /// - Parameters:
        ///   - asked: What keys name; 2 in parts for which no key is set.
        ///   - target: What is attached to the destination.
        ///   - source: What is attached to the source.
        ///   - isRGB: Whether the source has no matrix yet.
        /// - Returns: nil where the source names other primaries, transfer function or matrix than is asked for.
        static func result(
            asked: ColorDescription, target: ColorDescription?, source: ColorDescription?, isRGB: Bool
        ) -> ColorDescription? {
            let parts = [
                (asked.primaries, source?.primaries), (asked.transfer, source?.transfer),
                // RGB is made into Y, Cb and Cr by any matrix.
                (asked.matrix, isRGB ? nil : source?.matrix),
            ]
            // 2 is unspecified in all three tables of H.273.
            let isKept = parts.allSatisfy { asked, told in asked == 2 || told == nil || told == 2 || told == asked }
            guard isKept else { return nil }
            var result = asked
            if isRGB { result.matrix = asked.completed(by: target).completed(by: source).completed(by: .bt709).matrix }
            return result
        }
    }

    extension CVBuffer {
        /// Whether the samples are red, green and blue.
        var isRGB: Bool { PixelFormat(cvPixelFormatType: CVPixelBufferGetPixelFormatType(self))?.isRGB ?? false }

        /// Attaches the names of all parts that are specified.
        func attach(_ color: ColorDescription) {
            for (names, code) in [
                (ColorNames.primaries, color.primaries), (.transfer, color.transfer), (.matrix, color.matrix),
            ] {
                guard let name = names.name(code) else { continue }
                CVBufferSetAttachment(self, names.attachment as NSString, name as NSString, .shouldPropagate)
            }
        }
    }
#endif
