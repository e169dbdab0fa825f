// SPDX-License-Identifier: MIT

import Glibc

/// What the differences of all pictures of a stream come to.
struct QualitySummary: Equatable, Sendable, Codable {
    /// Peak signal-to-noise ratio of a plane in dB; 100 stands for equal planes.
    struct PSNRSummary: Equatable, Sendable, Codable {
        /// Of the mean of all pictures' mean squared errors: the form used for comparing.
        var fromMeanSquaredError: Double
        /// The mean of the pictures' values; larger when pictures differ.
        var meanOfFrames: Double
        /// The worst picture's value.
        var minimum: Double
        /// The worst picture's number in display order, from 0 on.
        var minimumFrame: Int

        enum CodingKeys: String, CodingKey {
            case fromMeanSquaredError = "from_mean_squared_error_db"
            case meanOfFrames = "mean_of_frames_db"
            case minimum = "minimum_db"
            case minimumFrame = "minimum_frame"
        }
    }

    /// Luma.
    var y: PSNRSummary
    /// Blue difference.
    var cb: PSNRSummary
    /// Red difference.
    var cr: PSNRSummary
    /// Luma and chroma weighted 6:1:1.
    var weighted: PSNRSummary
    /// Mean structural similarity of luma; nil for pictures under 8x8.
    var ssim: Double?
    /// The same as -10 log10(1 - ssim), in dB, at most 100.
    var ssimDecibels: Double?

    enum CodingKeys: String, CodingKey {
        case y = "psnr_y"
        case cb = "psnr_cb"
        case cr = "psnr_cr"
        case weighted = "psnr_weighted_6_1_1"
        case ssim = "ssim_y"
        case ssimDecibels = "ssim_y_db"
    }

    /// Sums up pictures in display order; nil when there are none.
    init?(_ pictures: [PictureQuality]) {
        guard let depth = pictures.first?.bitDepth else { return nil }
        func summary(_ plane: (PictureQuality) -> PlaneDifference) -> (PSNRSummary, [Double]) {
            let errors = pictures.map { plane($0).meanSquaredError }
            let frames = errors.map { PSNR.decibels(meanSquaredError: $0, bitDepth: depth) }
            return (
                Self.summary(frames, overall: PSNR.decibels(meanSquaredError: mean(errors), bitDepth: depth)), frames
            )
        }
        let (y, yFrames) = summary(\.y)
        let (cb, cbFrames) = summary(\.cb)
        let (cr, crFrames) = summary(\.cr)
        let weightedFrames = yFrames.indices.map { PSNR.weighted(y: yFrames[$0], cb: cbFrames[$0], cr: crFrames[$0]) }
        let overall = PSNR.weighted(
            y: y.fromMeanSquaredError, cb: cb.fromMeanSquaredError, cr: cr.fromMeanSquaredError)
        (self.y, self.cb, self.cr) = (y, cb, cr)
        weighted = Self.summary(weightedFrames, overall: overall)
        let similarities = pictures.compactMap(\.y.structuralSimilarity)
        if similarities.count == pictures.count {
            let similarity = mean(similarities)
            ssim = similarity
            ssimDecibels = min(-10 * log10(max(1 - similarity, 1e-10)), PSNR.maximum)
        }
    }

    private static func summary(_ frames: [Double], overall: Double) -> PSNRSummary {
        var worst = 0
        for index in frames.indices where frames[index] < frames[worst] { worst = index }
        return PSNRSummary(
            fromMeanSquaredError: overall, meanOfFrames: mean(frames), minimum: frames[worst], minimumFrame: worst)
    }

    /// Whether one picture is so much worse than the rest that pictures may have been matched wrongly.
    var isSuspicious: Bool { y.minimum < y.meanOfFrames - 10 }
}

/// The mean of one or more values.
private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
