// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Where a broadcast goes to, and in which form.
public struct Output: Sendable {
    /// A part of the container's bytes, as a closure is given them.
    public enum Piece: Sendable, Hashable {
        /// All bytes before the first packet, whole: who joins later needs it first. Again after each ``ended``.
        case header([UInt8])
        /// Bytes behind the header; several pieces may make up one fragment of a fragmented container.
        case bytes([UInt8])
        /// The container ended; what follows is another one.
        case ended
    }

    /// Takes pieces, on the output's thread, in order; blocks it for as long as it takes.
    ///
    /// A thrown ``PublishingError`` ends the output or, with a code that may pass, lets it begin anew.
    public typealias Receiver = @Sendable (Piece) throws(PublishingError) -> Void

    /// The places there are.
    public enum Destination: Sendable {
        /// A file; "-" for standard output.
        case file(path: String)
        /// A server.
        case address(PublishAddress)
        /// A folder of segments and their play list.
        case segments(SegmentFolder)
        /// A closure.
        case receiver(Receiver)
        /// Packets as they are, over connections of another library's.
        case packets(PacketPlace)
    }

    /// Where it goes.
    public let destination: Destination
    /// What holds the tracks; nil where packets go as they are.
    public let container: Container?
    /// What it is called in events and statistics, without secrets.
    public let name: String
    /// How the container is written.
    public var containerOptions = ContainerOptions()
    /// How connections are made.
    public var connection = ConnectionOptions()
    /// When a connection or a closure is tried again after a failure that may pass; files and folders never are.
    public var retries = RetryPolicy()
    /// When a file or folder begins, in the broadcast's time, in which the first picture is shown at zero; zero by
    /// default.
    ///
    /// Above zero it begins with the first key frame that is shown then or later; where none comes, nothing is written.
    public var start = MediaTime.zero
    /// How much media time may wait for a live output; above 0, 2 s by default.
    ///
    /// So much of pictures, and twice as much of sound; beyond it packets are left out. Files and folders have no such
    /// limit.
    public var longestQueue = MediaTime(value: 2, timescale: 1)
    /// How many bytes may wait, 1 or more; 4 MiB by default.
    ///
    /// Beyond it a live output leaves packets out, and a file or folder lets the source wait.
    public var largestQueue = 4 << 20

    /// Whether packets are left out rather than waited for: connections, and receivers.
    public let isLive: Bool

    /// The file or folder that it writes; nil for one that is none.
    var path: String? {
        switch destination {
        case .file(let path): path
        case .segments(let folder): folder.path
        case .address, .receiver, .packets: nil
        }
    }

    private init(_ destination: Destination, _ container: Container?, name: String, isLive: Bool) {
        self.destination = destination
        self.container = container
        self.name = name
        self.isLive = isLive
    }

    /// A file.
    ///
    /// - Parameters:
    ///   - path: "-" for standard output.
    ///   - container: Nil for what the path's extension says.
    /// - Returns: The output, with the defaults of all options.
    /// - Throws: ``PublishingError`` with `.unsupported` for an extension that says nothing.
    public static func file(_ path: String, container: Container? = nil) throws(PublishingError) -> Output {
        let container = if let container { container } else { try Container(path: path) }
        return Output(.file(path: path), container, name: path, isLive: false)
    }

    /// A server: FLV for RTMP, a transport stream for SRT and UDP.
    public static func address(_ address: PublishAddress) -> Output {
        let container: Container =
            switch address.scheme {
            case .rtmp, .rtmps: .flv
            case .srt, .udp: .transportStream
            }
        return Output(.address(address), container, name: "\(address)", isLive: true)
    }

    /// A folder of segments.
    public static func segments(_ folder: SegmentFolder) -> Output {
        Output(.segments(folder), folder.container, name: folder.path, isLive: false)
    }

    /// A closure.
    ///
    /// - Parameters:
    ///   - name: What it is called in events.
    ///   - container: Any that is written without going back.
    ///   - receive: Takes the pieces.
    /// - Returns: The output, with the defaults of all options.
    public static func receiver(_ name: String, container: Container, _ receive: @escaping Receiver) -> Output {
        Output(.receiver(receive), container, name: name, isLive: true)
    }

    /// Packets as they are.
    ///
    /// - Parameters:
    ///   - name: What it is called in events.
    ///   - place: Takes the packets.
    /// - Returns: The output, with the defaults of all options.
    package static func packets(_ name: String, to place: PacketPlace) -> Output {
        Output(.packets(place), nil, name: name, isLive: true)
    }

    /// Whether it takes packets of a track; those of others are none that it was given.
    func takes(_ track: TrackID) -> Bool {
        if case .packets(let place) = destination { return track.kind == .video || place.takesSound }
        return container?.takes(track) ?? true
    }

    /// - Throws: ``PublishingError`` with `.invalidValue` or `.unsupported`, which names the output.
    func check() throws(PublishingError) {
        do throws(PublishingError) {
            var options = containerOptions
            options.isSegmented = false
            if let container { try options.check(container) }
            switch destination {
            case .address(let address): try connection.check(address.scheme)
            case .packets(let place) where place.isConnection: try connection.check(nil)
            case .segments(let folder): try folder.check()
            case .receiver where container?.needsSeeking == true:
                throw PublishingError(
                    .unsupported,
                    reason: "\(container?.name ?? "it") to a closure, expected a container without going back")
            default: break
            }
            if let path, path.isEmpty || path.contains("\0") {
                throw PublishingError(.invalidValue, reason: "a path that is empty or has a zero byte, expected a name")
            }
            try retries.check()
            guard start >= .zero, start == .zero || !isLive else {
                throw PublishingError(
                    isLive ? .unsupported : .invalidValue,
                    reason: isLive
                        ? "a start at \(start) for a live output, expected zero"
                        : "a start at \(start), expected zero or later")
            }
            guard longestQueue > .zero, largestQueue > 0 else {
                throw PublishingError(
                    .invalidValue, reason: "a queue of \(longestQueue) and \(largestQueue) bytes, expected above 0")
            }
        } catch {
            throw PublishingError(error.code, reason: error.reason, output: name, status: error.status)
        }
    }
}
