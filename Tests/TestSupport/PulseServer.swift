// SPDX-License-Identifier: MIT

import Glibc

/// A sound server with a card that is none, for one test.
public struct PulseServer: Sendable {
    /// What a program is started with to reach it.
    public let variable: String
    private let server: PeerProgram

    /// Starts one whose card `cap` is at 48 kHz; nil where it does not come up in time.
    public init?(in folder: borrowing TemporaryDirectory, hasCard: Bool = true) async throws {
        let socket = folder.path("pulse.socket")
        variable = "PULSE_SERVER=unix:\(socket)"
        let card = hasCard ? ["-L", "module-null-sink sink_name=cap rate=48000"] : []
        server = try PeerProgram(
            "env",
            [
                "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)", "pulseaudio", "-n", "--daemonize=no",
                "--exit-idle-time=-1", "--use-pid-file=no", "-L",
                "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
            ] + card, log: folder.path("pulse.log"))
        let variable = variable
        let isUp = await eventually {
            (try? await ExternalProgram("env").run([variable, "pactl", "info"])) != nil
        }
        guard isUp else { return nil }
    }

    /// Plays a graph of libavfilter on the card, until the value is let go of.
    public func play(_ graph: String, in folder: borrowing TemporaryDirectory) throws -> PeerProgram {
        try PeerProgram(
            "env",
            [
                variable, "ffmpeg", "-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", graph, "-f", "pulse",
                "-device", "cap", "tone",
            ],
            log: folder.path("player.log"))
    }

    /// Ends it at once.
    public func end() { server.signal(SIGKILL) }

    /// Lets it stand still.
    public func pause() { server.signal(SIGSTOP) }
}
