// SPDX-License-Identifier: MIT

import FoundationEssentials
import Subprocess
import SystemPackage

/// A command-line program that tests compare with, such as a reference encoder or decoder.
///
/// Tests that need one carry `.requiresProgram(_:)`, so that they are skipped where it is not installed.
public struct ExternalProgram: Sendable {
    /// What a program that ended with status 0 wrote.
    public struct Output: Sendable {
        /// Every byte of its standard output.
        public let standardOutput: [UInt8]
        /// Its standard error, with invalid UTF-8 repaired.
        public let standardError: String

        /// The standard output as text, with invalid UTF-8 repaired.
        public var text: String { String(decoding: standardOutput, as: UTF8.self) }
    }

    /// FFmpeg, which decodes and converts anything.
    public static let ffmpeg = ExternalProgram("ffmpeg")
    /// A newer FFmpeg than the system's, where `ENCODERKIT_NEWER_FFMPEG` names one; its path in PyPI's `imageio-ffmpeg`
    /// is what `python3 -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())'` prints.
    public static let newerFFmpeg = ExternalProgram(
        ProcessInfo.processInfo.environment["ENCODERKIT_NEWER_FFMPEG"] ?? "ENCODERKIT_NEWER_FFMPEG")
    /// A program that puts numbers to the likeness of two PNG files, where `ENCODERKIT_SSIMULACRA2` names one; PyPI's
    /// `ssimulacra2` brings `ssymulacra2`.
    public static let ssimulacra2 = ExternalProgram(
        ProcessInfo.processInfo.environment["ENCODERKIT_SSIMULACRA2"] ?? "ENCODERKIT_SSIMULACRA2")
    /// MediaInfo, which tells what a file's headers say.
    public static let mediaInfo = ExternalProgram("mediainfo")
    /// FFmpeg's prober, which prints streams, packets and frames.
    public static let ffprobe = ExternalProgram("ffprobe")
    /// The x264 project's own encoder.
    public static let x264 = ExternalProgram("x264")
    /// The x265 project's own encoder.
    public static let x265 = ExternalProgram("x265")
    /// libde265's HEVC decoder under the name Debian gives it.
    public static let dec265 = ExternalProgram("libde265-dec265")

    /// The file name searched in `PATH`, or a path when it contains a slash.
    public let name: String

    /// Names a program; whether it exists is asked later.
    ///
    /// - Parameter name: A file name in one of the folders of `PATH`, or a path.
    public init(_ name: String) {
        self.name = name
    }

    /// The executable file this program is, or nil where it is not installed.
    public var path: String? {
        if name.contains("/") {
            return FileManager.default.isExecutableFile(atPath: name) ? name : nil
        }
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return folders.split(separator: ":").lazy
            .map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Whether ``path`` names an executable file; starts nothing.
    public var isAvailable: Bool { path != nil }

    /// Why it is not available, where it is not: a variable that would name it is not set, or it is not installed.
    var absence: String { name.hasPrefix("ENCODERKIT_") ? "\(name) is not set" : "\(name) is not installed" }

    /// Runs the program to its end and returns what it wrote.
    ///
    /// Cancelling the task ends the program.
    ///
    /// - Parameters:
    ///   - arguments: Its arguments, passed as they are, without a shell.
    ///   - input: Its standard input; empty means immediate end of file.
    /// - Returns: Both outputs, held in memory.
    /// - Throws: ``ExternalProgramError`` if it cannot be started, is ended by a signal, or ends with a status
    ///   other than 0.
    @discardableResult
    public func run(_ arguments: [String], input: [UInt8] = []) async throws(ExternalProgramError) -> Output {
        let commandLine = ([name] + arguments).joined(separator: " ")
        guard let path else {
            throw ExternalProgramError(commandLine: commandLine, reason: "not installed", standardError: "")
        }
        do {
            let input = try Self.open(input)
            let result = try await Subprocess.run(
                .path(FilePath(path)), arguments: Arguments(arguments),
                input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .bytes(limit: .max), error: .bytes(limit: .max))
            let messages = String(decoding: result.standardError, as: UTF8.self)
            guard result.terminationStatus.isSuccess else {
                throw ExternalProgramError(
                    commandLine: commandLine, reason: "\(result.terminationStatus)", standardError: messages)
            }
            return Output(standardOutput: result.standardOutput, standardError: messages)
        } catch let error as ExternalProgramError {
            throw error
        } catch {
            throw ExternalProgramError(commandLine: commandLine, reason: "\(error)", standardError: "")
        }
    }

    /// Opens bytes for reading as a file without a name.
    ///
    /// A file and not a pipe: swift-subprocess 1.0.2 traps when a program ends before it has read all of a pipe.
    private static func open(_ bytes: [UInt8]) throws -> FileDescriptor {
        let folder = FileManager.default.temporaryDirectory
        let url = folder.appending(path: "encoderkit-input-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try FileDescriptor.open(url.path, .readOnly)
    }
}
