// SPDX-License-Identifier: MIT

import Capture
import CommandOptions
import EncoderAPI
import MediaFiles

/// Pictures of a screen, a camera or a graph.
final class CapturedVideo: VideoSource {
    let info: VideoSourceInfo
    /// Nothing is read.
    let byteOffset: Int64 = 0
    /// What is captured.
    let capture: PictureCapture
    /// The last picture's time.
    private var last: MediaTime?

    /// Takes over a capture that is open.
    init(_ capture: PictureCapture) {
        let format = capture.format
        var info = VideoSourceInfo(
            formatName: "\(capture.source.kind.rawValue), \(format.deviceFormat)", pixelFormat: format.pixelFormat,
            width: format.width, height: format.height, frameRate: format.rate ?? 30, timescale: 1_000_000,
            isConstantRate: false)
        info.frameRate = format.rate
        info.color = format.color
        self.info = info
        self.capture = capture
    }

    func next() throws(MediaFileError) -> SourceFrame? {
        do throws(CaptureError) {
            guard let picture = try capture.next() else { return nil }
            return SourceFrame(
                picture: picture.picture, presentationTime: picture.time, duration: picture.duration)
        } catch {
            throw MediaFileError(error)
        }
    }
}

extension MediaFileError {
    /// What ended a capture, in the words that a pass of an encoder ends with.
    init(_ error: CaptureError) {
        let code: Code =
            switch error.code {
            case .invalidValue: .invalidValue
            case .unsupported: .unsupported
            case .libraryMissing: .libraryMissing
            case .outOfMemory: .outOfMemory
            case .missing, .forbidden, .busy: .cannotOpen
            default: .readFailed
            }
        self.init(code, reason: error.description, status: error.status)
    }
}

extension CaptureStatistics {
    /// What became of frames that were not given on, a sentence each.
    var notes: [String] {
        var notes: [String] = []
        if lost > 0 { notes.append("\(lost) frames that were due did not come") }
        if damaged > 0 { notes.append("\(damaged) frames came damaged, and are left out") }
        if surplus > 0 { notes.append("\(surplus) frames came at once with others, and are left out") }
        if dark > 0 {
            let end = isNeverSteady ? ", after which the picture was still not steady" : ""
            notes.append("the first \(dark) frames are left out\(end)")
        }
        return notes
    }
}
