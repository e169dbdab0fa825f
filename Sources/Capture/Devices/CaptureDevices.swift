// SPDX-License-Identifier: MIT

import Glibc

/// A device that can be captured.
public struct CaptureDevice: Sendable, Hashable {
    /// What it is captured by.
    public var source: CaptureSource
    /// What a person calls it.
    public var name: String
    /// Whether it is taken where only its kind is named.
    public var isDefault: Bool
    /// A camera's formats, sizes and rates; the one size of a screen, at any rate; empty for sound.
    public var modes: [CaptureMode]
}

/// The devices of this machine, and what is missing.
public struct CaptureDevices: Sendable {
    /// Screens, cameras and sources of sound.
    public var devices: [CaptureDevice] = []
    /// Why there are no more, each with the source and the cure.
    public var problems: [CaptureError] = []

    /// Displays that are asked at most.
    private static let mostDisplays = 16

    /// Looks for devices; blocks, for up to a limit for each display and for the sound server, and while drivers of
    /// cameras take to answer.
    ///
    /// - Parameter longestOpening: How long a server may take to answer, more than 0 and an hour at most; 2 s by
    ///   default.
    /// - Returns: What was found; what cannot be opened is a problem.
    public static func find(longestOpening: Duration = .seconds(2)) -> CaptureDevices {
        var found = CaptureDevices()
        found.findScreens(longestOpening)
        found.findCameras()
        found.findSound(longestOpening)
        return found
    }

    private mutating func findScreens(_ limit: Duration) {
        let around = Surroundings(lookingFor: [])
        let listed = Self.names(in: "/tmp/.X11-unix").filter { $0.hasPrefix("X") }
            .compactMap { Int($0.dropFirst()) }.sorted()
            .filter { Surroundings.answers("/tmp/.X11-unix/X\($0)") }.prefix(Self.mostDisplays)
        var names = listed.map { ":\($0)" }
        let usual = around.display
        if let usual, !names.contains(where: { usual == $0 || usual.hasPrefix("\($0).") }) {
            names.insert(usual, at: 0)
        }
        if around.waylandDisplay != nil || names.isEmpty {
            add { () throws(CaptureError) in
                _ = try around.displayName(ScreenName(""), CaptureSource("x11:"))
                return []
            }
        }
        for name in names {
            let isDefault = usual.map { $0 == name || $0.hasPrefix("\(name).") } ?? false
            add { () throws(CaptureError) in [try Self.screen(name, isDefault: isDefault, limit)] }
        }
    }

    private static func screen(_ name: String, isDefault: Bool, _ limit: Duration) throws(CaptureError) -> CaptureDevice
    {
        let source = try CaptureSource("x11:\(name)")
        var options = CaptureOptions()
        options.longestOpening = limit
        let capture = try PictureCapture(source, options)
        defer { capture.stop() }
        let (width, height) = (capture.format.width, capture.format.height)
        return CaptureDevice(
            source: source, name: "screen of \(width)x\(height)", isDefault: isDefault,
            modes: [CaptureMode(format: "screen", width: width, height: height, rate: nil)])
    }

    private mutating func findCameras() {
        var isNoneThere = true
        for number in 0...CaptureSource.lastCamera {
            add { () throws(CaptureError) in
                let source = try CaptureSource("v4l2:\(number)")
                do throws(CaptureError) {
                    let camera = try Camera(source)
                    isNoneThere = false
                    return [
                        CaptureDevice(source: source, name: camera.name, isDefault: number == 0, modes: camera.modes)
                    ]
                } catch {
                    // A node of a camera that gives metadata only is none.
                    if error.code == .missing || error.code == .unsupported { return [] }
                    isNoneThere = false
                    throw error
                }
            }
        }
        guard isNoneThere else { return }
        add { () throws(CaptureError) in throw DeviceFault(source: try CaptureSource("v4l2:"), number: ENOENT).opening }
    }

    private mutating func findSound(_ limit: Duration) {
        add { () throws(CaptureError) in
            let source = try CaptureSource("pulse:")
            guard let answer = try SoundServer.sources(within: limit) else {
                throw CaptureError(
                    .timedOut, reason: "the sound server does not answer within \(limit)", source: source.description)
            }
            guard let sources = answer.sources, !sources.isEmpty else {
                throw DeviceFault(source: source, soundSources: answer.sources.map { $0.map(\.name) }).opening
            }
            var devices: [CaptureDevice] = []
            for found in sources {
                let source = try CaptureSource("pulse:\(found.name)")
                devices.append(CaptureDevice(source: source, name: found.title, isDefault: found.isDefault, modes: []))
            }
            return devices
        }
    }

    /// Adds devices, or the problem.
    private mutating func add(_ find: () throws(CaptureError) -> [CaptureDevice]) {
        do throws(CaptureError) {
            devices += try find()
        } catch {
            if !problems.contains(error) { problems.append(error) }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream), let name = entry.pointer(to: \.d_name.0) {
            names.append(String(cString: name))
        }
        return names
    }
}
