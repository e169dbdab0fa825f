// SPDX-License-Identifier: MIT

import EncoderAPI

/// What libavdevice is asked for, for a source: its address and options.
struct DeviceRequest {
    var request: LibAVDevice.Request
    /// Frames per second that were asked for; nil where the source decides.
    var rate: FrameRate?
    /// The display of a screen, for errors.
    var display = ""

    /// The rate of a screen that none is asked for.
    static let usualScreenRate = FrameRate(numerator: 30)
    /// Sample frames per second and channels of a sound card.
    static let (soundRate, soundChannels) = (48_000, 2)
    /// Bytes in a piece of sound: 20 ms.
    static let soundPiece = soundRate / 50 * soundChannels * 2

    /// Pictures of a source; asks a camera what it has.
    ///
    /// - Throws: ``CaptureError``.
    init(picturesOf source: CaptureSource, _ options: CaptureOptions) throws(CaptureError) {
        var named: [(name: String, value: String)] = []
        switch source.kind {
        case .x11:
            let screen = try ScreenName(source.place)
            display = try Surroundings(lookingFor: []).displayName(screen, source)
            rate = options.frameRate ?? Self.usualScreenRate
            if screen.origin != (0, 0) {
                named += [("grab_x", "\(screen.origin.x)"), ("grab_y", "\(screen.origin.y)")]
            }
            if let size = options.size { named.append(("video_size", "\(size.width)x\(size.height)")) }
            // Without a query for the pointer, the library takes no notice of a server that is gone.
            named.append(("draw_mouse", "1"))
            request = .init(format: "x11grab", address: display, isVideo: true)
        case .v4l2:
            let camera = try Camera(source)
            let choice: ModeChoice
            do throws(CaptureError) {
                choice = try ModeChoice(camera.modes, size: options.size, rate: options.frameRate)
            } catch {
                throw CaptureError(error.code, reason: error.reason, source: source.description)
            }
            rate = choice.rate
            named = [("input_format", choice.formatName), ("video_size", "\(choice.width)x\(choice.height)")]
            request = .init(format: "video4linux2", address: source.place, isVideo: true)
        case .lavfi: request = .init(format: "lavfi", address: source.place, isVideo: true, findsRate: true)
        case .pulse:
            throw CaptureError(
                .unsupported, reason: "it gives sound, expected pictures: x11:, v4l2: or lavfi:",
                source: source.description)
        }
        if let rate { named.append(("framerate", rate.fraction)) }
        request.options = named
    }

    /// Sound of a source.
    ///
    /// - Throws: ``CaptureError`` with `.unsupported`.
    init(soundOf source: CaptureSource) throws(CaptureError) {
        switch source.kind {
        case .pulse:
            request = .init(
                format: "pulse", address: source.place.isEmpty ? "default" : source.place,
                options: [
                    ("name", "EncoderKit"), ("stream_name", "capture"), ("sample_rate", "\(Self.soundRate)"),
                    ("channels", "\(Self.soundChannels)"), ("fragment_size", "\(Self.soundPiece)"),
                ], isVideo: false)
        case .lavfi: request = .init(format: "lavfi", address: source.place, isVideo: false)
        case .x11, .v4l2:
            throw CaptureError(
                .unsupported, reason: "it gives pictures, expected sound: pulse: or lavfi:", source: source.description)
        }
    }

    /// Opens it.
    ///
    /// - Throws: ``CaptureError`` with the cure.
    func open(_ source: CaptureSource) throws(CaptureError) -> LibAVDevice {
        switch try LibAVDevice.open(request, source) {
        case .success(let device): return device
        case .failure(let refusal):
            var fault = fault(of: source, status: refusal.status, text: refusal.text)
            if source.kind == .pulse { fault.soundSources = SoundServer.sourceNames() }
            throw fault.opening
        }
    }

    /// What is known of a failure.
    func fault(of source: CaptureSource, status: CInt, text: String) -> DeviceFault {
        let socket = (try? ScreenName(display))?.socket
        return DeviceFault(
            source: source, number: DeviceFault.number(status), status: Int(status), text: text, display: display,
            surroundings: Surroundings(lookingFor: [socket].compactMap(\.self)))
    }
}
