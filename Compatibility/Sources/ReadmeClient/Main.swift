// SPDX-License-Identifier: MIT

import ClientSupport
import CoreMedia
import CoreVideo

/// Runs the class that the README shows on three pictures.
@main struct Main {
    static func main() {
        let streamer = Streamer(width: 640, height: 360)
        for index in 0..<3 {
            let picture = TestPictures.make(
                kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, width: 640, height: 360, index: index)
            if let picture { streamer.encode(picture, at: CMTime(value: Int64(index), timescale: 4)) }
        }
    }
}
