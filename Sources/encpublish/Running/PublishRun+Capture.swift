// SPDX-License-Identifier: MIT

import Capture
import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles
import Publishing

extension PublishRun {
    /// Opens what is captured.
    ///
    /// - Parameters:
    ///   - source: A screen, a camera or a graph.
    ///   - origin: What graphs for pictures and sound call time 0.
    /// - Returns: Its pictures.
    /// - Throws: ``MediaFileError`` with what the capture says.
    func openCapture(_ source: CaptureSource, origin: CaptureOrigin) throws(MediaFileError) -> CapturedVideo {
        var options = captureOptions(origin)
        options.darkFrames = plan.darkFrames
        options.size = self.source.size.map { ($0.width, $0.height) }
        options.frameRate = self.source.frameRate
        // To know how long a picture is shown costs an interval, which servers do without.
        options.knowsDurations = !plan.outputs.contains(where: \.place.isLive)
        do throws(CaptureError) {
            return CapturedVideo(try PictureCapture(source, options))
        } catch {
            throw MediaFileError(error)
        }
    }

    /// Opens captured sound.
    func openCapturedSound(_ source: CaptureSource, origin: CaptureOrigin) throws(MediaFileError) -> CapturedSamples {
        do throws(CaptureError) {
            let capture = try SoundCapture(source, captureOptions(origin))
            return CapturedSamples(capture, failure: soundFailure)
        } catch {
            throw MediaFileError(error)
        }
    }

    private func captureOptions(_ origin: CaptureOrigin) -> CaptureOptions {
        var options = CaptureOptions()
        options.isPaced = plan.pace == .realTime
        options.origin = origin
        return options
    }

    /// Goes on with captured sound where the pictures are over, until the run is to end.
    func soundGoesOn(_ sound: SharedSound, _ publication: Publication) async -> (any Error)? {
        for broadcast in publication.broadcasts { broadcast.end(.video) }
        let stop = OneShotEvent()
        for event in [interruption, publication.log.allOver] { event.whenSignalled { stop.signal() } }
        let end = plan.duration.map { MonotonicTime.seconds + $0 - publication.givenSeconds } ?? .infinity
        do {
            while !stop.hasHappened, soundFailure.reason == nil, MonotonicTime.seconds < end {
                let now = MediaTime(value: Int64(MonotonicTime.seconds * 1_000_000), timescale: 1_000_000)
                for (index, broadcast) in publication.broadcasts.enumerated() {
                    for packet in try sound.packets(of: index, until: now) { try await broadcast.send(packet) }
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            return nil
        } catch {
            return error
        }
    }
}
