// SPDX-License-Identifier: MIT

import CLibAV
import Glibc

/// Says why a device cannot be opened, or is gone, and what to do: pure.
struct DeviceFault: Sendable, Hashable {
    let source: CaptureSource
    /// errno; 0 where the library has none.
    var number: CInt = 0
    /// The library's status.
    var status: Int = 0
    /// What the library said; empty for nothing.
    var text = ""
    /// The display that a screen is on.
    var display = ""
    var surroundings = Surroundings()
    /// The sources that a sound server has; nil where there is no server.
    var soundSources: [String]?

    /// The errno in a status of the library; 0 for none.
    static func number(_ status: CInt) -> CInt { clibav_errno(status) }

    /// Why it cannot be opened.
    var opening: CaptureError {
        switch source.kind {
        case .x11: screen
        case .v4l2: camera
        case .pulse: sound
        case .lavfi:
            error(.invalidValue, "the graph cannot be made\(said), expected one without inputs, as lavfi:testsrc2")
        }
    }

    /// Why it ended in the middle.
    var ending: CaptureError {
        switch source.kind {
        case .x11:
            error(
                .lost,
                "the display \(display) is gone\(said): its server ended, or the captured part is no longer on the screen"
            )
        case .v4l2:
            error(.lost, "the camera is gone\(said)\(because): plug it in again, and look for its node in /dev")
        case .pulse:
            error(.lost, "the sound server is gone\(said)\(because); `pulseaudio --start` starts it again")
        case .lavfi: error(.libraryFailure, "the graph failed\(said)\(because)")
        }
    }

    private func error(_ code: CaptureError.Code, _ reason: String) -> CaptureError {
        CaptureError(
            code, reason: reason, source: source.description,
            status: number != 0 ? Int(number) : status != 0 ? status : nil)
    }

    private var said: String { text.isEmpty ? "" : " (\(text))" }
    private var because: String { number == 0 || !text.isEmpty ? "" : ", \(String(cString: strerror(number)))" }

    private var screen: CaptureError {
        // The library's sentence, where the server was reached and something else is wrong.
        let isReached = !text.contains("Cannot open display")
        if isReached, !text.isEmpty || number == EINVAL {
            return error(.unsupported, "the display \(display) cannot be captured so\(said)")
        }
        let name = try? ScreenName(display)
        if let socket = name?.socket, surroundings.answering.contains(socket) {
            return error(
                .forbidden,
                "the display \(display) refuses this user, or has no such screen; on it, `xhost +si:localuser:$USER` "
                    + "(package x11-xserver-utils) allows it, or set XAUTHORITY to its cookie's file")
        }
        let cure =
            surroundings.waylandDisplay == nil
            ? "start one: `Xvfb \(name?.display.map { ":\($0)" } ?? ":9") -screen 0 1280x720x24` (package xvfb), or name "
                + "another; DISPLAY is \(surroundings.display.map(DeviceText.oneLine) ?? "not set")"
            : CaptureSource.waylandCure
        return error(.missing, "there is no X server at the display \(display); \(cure)")
    }

    private var camera: CaptureError {
        let node = source.place
        return switch number {
        case ENOENT, ENXIO, ENODEV:
            error(
                .missing,
                "there is no \(node): no camera is plugged in, or no driver has it (`sudo modprobe uvcvideo`); "
                    + "`encpublish devices` lists those there are")
        case EACCES, EPERM:
            error(
                .forbidden,
                "\(node) is for the group video: `sudo usermod -aG video $USER`, then log in again")
        case EBUSY:
            error(.busy, "another program uses \(node): `fuser -v \(node)` (package psmisc) names it")
        case ENOTTY, EINVAL:
            error(.unsupported, "\(node) is no camera, or does not do what was asked\(said)\(because)")
        default: error(.libraryFailure, "\(node) cannot be opened\(said)\(because)")
        }
    }

    private var sound: CaptureError {
        guard let soundSources else {
            return error(
                .missing,
                "there is no sound server; start one: `pulseaudio --start` (package pulseaudio), or pipewire-pulse "
                    + "(package pipewire-pulse); PULSE_SERVER names one elsewhere")
        }
        guard source.place.isEmpty || soundSources.contains(source.place) else {
            let names = soundSources.isEmpty ? "none is there" : "it has \(soundSources.joined(separator: ", "))"
            return error(
                .missing,
                "the sound server has no source '\(source.place)': \(names); `pactl list short sources` (package "
                    + "pulseaudio-utils) lists them; where a card is missing, `sudo usermod -aG audio $USER` and log in "
                    + "again")
        }
        guard !soundSources.isEmpty else {
            return error(
                .missing,
                "the sound server has no source: no sound card is there, or this user may not open it (`sudo usermod -aG "
                    + "audio $USER`, then log in again); `pactl load-module module-null-sink` makes one whose monitor can "
                    + "be captured")
        }
        return error(.libraryFailure, "it cannot be opened\(said)\(because)")
    }
}
