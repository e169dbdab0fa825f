// SPDX-License-Identifier: MIT

#if WebSocket
    import EncoderAPI
    import Glibc
    import NIOCore
    import NIOPosix
    public import Publishing
    import Synchronization

    /// Serves the page and the frames of a broadcast to viewers, and takes what publishers send.
    ///
    /// Its ``output(_:)`` is one of a `Broadcast`'s. A viewer gets the formats and begins with a key frame, which is
    /// asked for once for all who wait, at most once a second. What a viewer does not take in time is left out up to a
    /// later key frame; nobody else notices. What is sent lies in memory once, where nothing is encrypted.
    ///
    /// Calls may come from any thread.
    public final class WebSocketServer: Sendable {
        /// What a server does; a value that is checked when the server is made.
        public struct Configuration: Sendable {
            /// Where it listens, and by which names it may be called.
            public var place = ServerPlace()
            /// What viewers and publishers have to show; nil, the default, for a server that only this machine reaches
            /// and that has no publishers.
            public var token: AccessToken?
            /// What is shown over TLS; nil, the default, for a server that encrypts nothing.
            ///
            /// Browsers offer WebCodecs to pages that came over TLS, or from the machine itself, alone.
            public var certificate: ServerCertificate?
            /// How much is taken from those who connect.
            public var limits = ServerLimits()
            /// How much may wait for a viewer: 1 s and 4 MiB by default.
            public var viewers = ViewerLimits()
            /// Takes what a publisher sends, in a task of its own; nil, the default, for a server without publishers.
            ///
            /// Publishers send to `/publish`, and show the token. When it returns the publisher's connection is closed;
            /// to take all, it reads up to the stream's end.
            public var onPublisher: (@Sendable (PublishedStream) async -> Void)?
            /// By how much players turn the pictures clockwise, in degrees: 0, 90, 180 or 270; 0 by default.
            public var rotation = 0

            /// The defaults.
            public init() {}
        }

        private enum State {
            case new
            case listening(MultiThreadedEventLoopGroup, any Channel, ViewerHub)
            case stopped
        }

        private let configuration: Configuration
        private let writer: MessageWriter
        private let admission: Admission
        private let security: TLSContext?
        private let state = Mutex(State.new)

        /// Checks a configuration, and reads the files of its certificate; nothing else is opened.
        ///
        /// - Throws: `PublishingError` with `.invalidValue`, which names the value and its range; for an address beyond
        ///   this machine, or publishers, without a token too, and for a certificate that does not fit its key; with
        ///   `.unsupported` for a certificate without the trait `WebSocketTLS`.
        public init(_ configuration: Configuration = Configuration()) throws(PublishingError) {
            try configuration.place.check(configuration.token)
            try configuration.limits.check()
            try configuration.viewers.check()
            guard configuration.onPublisher == nil || configuration.token != nil else {
                throw PublishingError(.invalidValue, reason: "publishers without a token, expected a token")
            }
            security = try configuration.certificate.map { files throws(PublishingError) in
                try TLSContext(server: files)
            }
            writer = try MessageWriter(rotation: configuration.rotation)
            admission = Admission(
                configuration.place, token: configuration.token, isSecure: security != nil,
                takesPublishers: configuration.onPublisher != nil)
            self.configuration = configuration
        }

        deinit {
            guard case .listening(let group, let channel, let hub) = state.withLock({ $0 }) else { return }
            channel.close(promise: nil)
            hub.stop()
            group.shutdownGracefully { _ in }
        }
    }

    // MARK: - Listening

    extension WebSocketServer {
        /// Begins to listen.
        ///
        /// - Returns: The port.
        /// - Throws: `PublishingError` with `.cannotOpen` where the address is in use, or not this machine's, and with
        ///   `.invalidState` for a server that has begun before.
        @discardableResult
        public func start() async throws(PublishingError) -> Int {
            let (group, hub, binding) = try bind()
            return try await listen(group, hub) { () async throws in try await binding.get() }
        }

        /// Begins to listen as ``start()`` does, and blocks the calling thread meanwhile.
        func startBlocking() throws(PublishingError) {
            let (group, hub, binding) = try bind()
            try listen(group, hub, Result { try binding.wait() })
        }

        private func bind() throws(PublishingError) -> (
            MultiThreadedEventLoopGroup, ViewerHub, EventLoopFuture<any Channel>
        ) {
            // Its own port is in use where it has begun before.
            guard case .new = state.withLock({ $0 }) else { throw Self.begunBefore }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let hub = ViewerHub(
                on: group.next(), admission: admission, limits: configuration.limits, viewers: configuration.viewers,
                security: security, onPublisher: configuration.onPublisher)
            let (host, port) = (configuration.place.host, configuration.place.port)
            return (group, hub, Self.bootstrap(group, hub).bind(host: host, port: port))
        }

        private func listen(
            _ group: MultiThreadedEventLoopGroup, _ hub: ViewerHub, _ binding: () async throws -> any Channel
        ) async throws(PublishingError) -> Int {
            let bound: Result<any Channel, any Error>
            do { bound = .success(try await binding()) } catch { bound = .failure(error) }
            return try listen(group, hub, bound)
        }

        @discardableResult
        private func listen(
            _ group: MultiThreadedEventLoopGroup, _ hub: ViewerHub, _ bound: Result<any Channel, any Error>
        ) throws(PublishingError) -> Int {
            guard case .success(let channel) = bound else {
                group.shutdownGracefully { _ in }
                if case .failure(let error) = bound { throw Self.refusal(error, configuration.place) }
                return 0
            }
            let isFirst = state.withLock { state in
                guard case .new = state else { return false }
                state = .listening(group, channel, hub)
                return true
            }
            guard isFirst else {
                channel.close(promise: nil)
                group.shutdownGracefully { _ in }
                throw Self.begunBefore
            }
            return channel.localAddress?.port ?? configuration.place.port
        }

        private static var begunBefore: PublishingError {
            PublishingError(.invalidState, reason: "a server that has begun before")
        }

        private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ hub: ViewerHub) -> ServerBootstrap {
            ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                // What a slow viewer has not taken waits where it can still be left out, not in the system.
                .childChannelOption(.socketOption(.so_sndbuf), value: 1 << 16)
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 14, high: 1 << 16))
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try hub.accept(channel) }
                }
        }

        private static func refusal(_ error: any Error, _ place: ServerPlace) -> PublishingError {
            let number = (error as? IOError)?.errnoCode
            let at = "port \(place.port) of \(place.host)"
            let reason =
                switch number {
                case EADDRINUSE: "\(at) is in use, expected a free one, or 0 for any"
                case EADDRNOTAVAIL: "\(place.host) is no address of this machine"
                case EACCES: "\(at) is for root, expected one of 1024...65535"
                default: "\(at): \(error)"
                }
            return PublishingError(.cannotOpen, reason: reason, status: number.map(Int.init))
        }

        /// Closes viewers and publishers with the code 1001, and ends.
        ///
        /// Viewers get what they take of the frames that wait within a second, and are closed without a code where that
        /// is not all; an output that is finished before gives them longer.
        public func stop() async {
            let state = state.withLock { state in
                defer { state = .stopped }
                return state
            }
            guard case .listening(let group, let channel, let hub) = state else { return }
            try? await channel.close()
            hub.endPublishers()
            try? await hub.end(.goingAway, within: .seconds(1))?.get()
            hub.closeAll()
            hub.stop()
            try? await group.shutdownGracefully()
        }

        /// What has happened so far; nil before ``start()`` and after ``stop()``.
        public var statistics: ServerStatistics? {
            guard case .listening(_, _, let hub) = state.withLock({ $0 }) else { return nil }
            return hub.statistics.withLock { $0 }
        }
    }

    // MARK: - The output

    extension WebSocketServer {
        /// The output that gives frames to the viewers; of one broadcast, once.
        ///
        /// It takes no longer than to hand a packet on: what viewers do not take is left out for each by itself. When
        /// it is finished, viewers get what waits, for 3 s at most, and are closed with the code 1000.
        ///
        /// - Parameter name: What it is called in events.
        /// - Returns: The output, with the defaults of all options.
        public func output(_ name: String = "viewers") -> Output { output(name, isStarting: false) }

        /// An output that begins to listen when it opens, and ends when it is finished.
        ///
        /// - Parameter name: What it is called in events.
        /// - Returns: The output, with the defaults of all options.
        package func servingOutput(_ name: String) -> Output { output(name, isStarting: true) }

        private func output(_ name: String, isStarting: Bool) -> Output {
            .packets(
                name,
                to: PacketPlace(isConnection: false) { [self] tracks, _, deadline throws(PublishingError) in
                    if isStarting { try startBlocking() }
                    guard case .listening(_, let channel, let hub) = state.withLock({ $0 }) else {
                        throw PublishingError(.invalidState, reason: "a server that does not listen; start it first")
                    }
                    return try ViewerTarget(hub, writer, tracks, deadline) {
                        guard isStarting else { return }
                        channel.close(promise: nil)
                    }
                })
        }
    }
#endif
