// SPDX-License-Identifier: MIT

import MediaIO

/// Sound of a file or pipe that is not coded: WAV, or bare samples.
public struct PCMFile: SoundSource {
    /// How the samples are stored.
    public let format: PCMFormat
    private let file: InputFile
    /// Bytes of samples that are left by what the header says; nil to read to the end.
    private var rest: Int?
    /// Sample frames given so far.
    private var position: Int64 = 0

    /// Sample frames in a block.
    private static let blockSize = 4096

    /// Opens a WAV file.
    ///
    /// - Parameter path: The file; "-" for standard input.
    /// - Throws: ``PublishingError`` with `.cannotOpen`, `.readFailed`; `.corrupt` for a file that is no WAV file or
    ///   ends inside its header; `.unsupported` for coded sound; `.invalidValue` for a rate or number of channels out
    ///   of its range. Each names the file.
    public init(path: String) throws(PublishingError) { try self.init(path: path, isGivenUp: nil) }

    /// Opens a WAV file that ends where it gives nothing and `isGivenUp` answers true, which is asked every 20 ms while
    /// a pipe gives nothing.
    ///
    /// - Throws: What ``init(path:)`` throws.
    package init(path: String, isGivenUp: (@Sendable () -> Bool)?) throws(PublishingError) {
        do throws(MediaFileError) {
            file = try InputFile(path: path)
        } catch {
            throw PublishingError(error)
        }
        file.isGivenUp = isGivenUp
        let header = try WAVHeader(file)
        format = header.format
        rest = header.dataSize
    }

    /// Opens a file of bare samples.
    ///
    /// - Parameters:
    ///   - path: The file; "-" for standard input.
    ///   - format: How the samples are stored.
    /// - Throws: ``PublishingError`` with `.cannotOpen`; `.invalidValue` for a format out of its ranges. Each names the
    ///   file.
    public init(path: String, format: PCMFormat) throws(PublishingError) {
        try format.check(path: path)
        do throws(MediaFileError) {
            file = try InputFile(path: path)
        } catch {
            throw PublishingError(error)
        }
        self.format = format
    }

    /// Gives the next sample frames.
    ///
    /// - Returns: 4096 sample frames, in the end fewer; nil at the end.
    /// - Throws: ``PublishingError`` with `.readFailed`; `.corrupt` where the file ends before its header says, or
    ///   inside a sample frame, once all whole ones were given; `.invalidValue` for a sample that is no number. Each
    ///   names the file.
    public mutating func next() throws(PublishingError) -> SoundBlock? {
        let wanted = min(Self.blockSize * format.frameByteCount, rest ?? .max)
        guard wanted > 0 else { return nil }
        let bytes = try file.bytes(wanted)
        let frames = bytes.count / format.frameByteCount
        guard frames > 0 else {
            if file.isGivenUp?() == true { return nil }
            guard bytes.isEmpty, rest == nil else { throw cutOff(bytes.count) }
            return nil
        }
        if bytes.count < wanted, rest == nil, bytes.count % format.frameByteCount > 0 {
            // What is given now are whole sample frames; the next call tells what was cut.
            rest = 1
        } else if let rest {
            self.rest = max(0, rest - frames * format.frameByteCount)
        }
        position += Int64(frames)
        let samples = (0..<frames * format.channelCount).map {
            format.sample.value(bytes, at: $0 * format.sample.byteCount)
        }
        do throws(PublishingError) {
            return try SoundBlock(samples: samples, channelCount: format.channelCount, sampleRate: format.sampleRate)
        } catch {
            throw error.naming(file.path)
        }
    }

    private func cutOff(_ bytes: Int) -> PublishingError {
        PublishingError(
            .corrupt,
            reason:
                "\(file.path): the samples end after \(position) sample frames, inside one or before the header says")
    }
}

extension PublishingError {
    /// The error with a file's name before its reason, unless that begins with it.
    package func naming(_ path: String) -> PublishingError {
        reason.hasPrefix(path)
            ? self : PublishingError(code, reason: "\(path): \(reason)", output: output, status: status)
    }
}

extension InputFile {
    /// The next bytes; fewer only at the end of the file.
    func bytes(_ count: Int) throws(PublishingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(MediaFileError) in try read(into: buffer) }
        }
        do throws(MediaFileError) {
            bytes.removeLast(count - (try result.get()))
        } catch {
            throw PublishingError(error)
        }
        return bytes
    }
}
