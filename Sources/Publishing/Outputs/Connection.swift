// SPDX-License-Identifier: MIT

import CLibAV
import LibAV
import Synchronization

/// Sole owner of one connection that libavformat opened; of one thread, the one that it was opened on.
///
/// Nothing else in the package opens addresses.
final class Connection: ByteTarget {
    private let network: CLibAVNetwork
    private let address: PublishAddress
    private let options: ConnectionOptions
    private let deadline: Deadline
    private let lines = LogLines()
    private var context: UnsafeMutablePointer<AVIOContext>?
    private var hasFailed = false
    private(set) var byteCount = 0
    /// When the first bytes were sent.
    private var firstWrite: ContinuousClock.Instant?

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - options: How, and how long it may take.
    ///   - deadline: Set here for each call, and ended by others.
    /// - Throws: ``PublishingError``, which names the address without its secrets.
    init(
        _ address: PublishAddress, _ options: ConnectionOptions, _ deadline: Deadline
    ) throws(PublishingError) {
        do throws(LibAVError) {
            network = try LibAV.loading(clibav_load_network)
        } catch {
            throw PublishingError(error)
        }
        self.address = address
        self.options = options
        self.deadline = deadline
        deadline.arm(options.connectTimeout)
        try open()
    }

    /// Whoever lets go of it without ``close(isComplete:)`` waits no longer than that would.
    deinit { shut(within: .milliseconds(200)) }

    private func open() throws(PublishingError) {
        var settings: OpaquePointer?
        let av = try library()
        for (name, value) in openingOptions { _ = av.av_dict_set(&settings, name, value, 0) }
        defer { av.av_dict_free(&settings) }
        var interrupt = AVIOInterruptCB(
            callback: { context in
                // The connection is closed, and the callback not called any more, before the deadline is let go.
                guard let context else { return 1 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOverForLibrary() ? 1 : 0
            }, opaque: Unmanaged.passUnretained(deadline).toOpaque())
        let status = lines.keeping {
            network.avio_open2(&context, address.text, AVIO_FLAG_WRITE, &interrupt, &settings)
        }
        guard status >= 0 else { throw failure("cannot connect", status, after: options.connectTimeout) }
    }

    private func library() throws(PublishingError) -> CLibAV {
        do throws(LibAVError) {
            return try LibAV.load()
        } catch {
            throw PublishingError(error)
        }
    }

    /// What the protocols below the address are told.
    private var openingOptions: [(String, String)] {
        let buffer = "\(options.sendBufferSize)"
        switch address.scheme {
        case .rtmp:
            return [("protocol_whitelist", "rtmp,tcp"), ("tcp_nodelay", "1"), ("send_buffer_size", buffer)]
        case .rtmps:
            return [
                ("protocol_whitelist", "rtmps,rtmp,tls,tcp"), ("tcp_nodelay", "1"), ("send_buffer_size", buffer),
                ("tls_verify", options.verifiesCertificates ? "1" : "0"),
            ] + (options.certificateFile.map { [("ca_file", $0)] } ?? [])
        case .srt:
            let milliseconds = options.connectTimeout / .milliseconds(1)
            let seconds = Int((options.closeTimeout / .seconds(1)).rounded(.up))
            // Without a time to linger, closing loses what is on its way.
            return [
                ("protocol_whitelist", "srt"), ("connect_timeout", "\(Int(milliseconds))"), ("linger", "\(seconds)"),
            ]
                + (options.passphrase.map { [("passphrase", $0)] } ?? [])
        case .udp:
            // Seven transport packets in one datagram.
            return [("protocol_whitelist", "udp"), ("pkt_size", "1316"), ("buffer_size", buffer)]
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(PublishingError) {
        guard let context, !hasFailed else {
            throw PublishingError(.invalidState, reason: "the connection was closed", output: "\(address)")
        }
        deadline.arm(options.writeTimeout, isRenewed: true)
        let start = firstWrite ?? .now
        firstWrite = start
        let status = lines.keeping {
            network.avio_write(context, bytes.bindMemory(to: UInt8.self).baseAddress, CInt(clamping: bytes.count))
            network.avio_flush(context)
            return context.pointee.error
        }
        guard status >= 0 else {
            hasFailed = true
            // A server may take the stream's name, and end the connection when it has looked at it.
            let isRefusal = ContinuousClock.now - start < .seconds(1) && address.scheme.isRTMP
            throw failure("cannot send", status, after: options.writeTimeout, step: isRefusal ? .stream : nil)
        }
        byteCount += bytes.count
    }

    func close(isComplete: Bool) throws(PublishingError) {
        // After a failed write, closing waits for the same peer again.
        let status = shut(
            within: hasFailed || !isComplete ? min(.milliseconds(200), options.closeTimeout) : options.closeTimeout)
        guard isComplete, !hasFailed, status < 0, !deadline.isCancelled else { return }
        throw failure("cannot close", status, after: options.closeTimeout)
    }

    @discardableResult
    private func shut(within time: Duration) -> CInt {
        guard context != nil else { return 0 }
        deadline.arm(time)
        return lines.keeping { network.avio_closep(&context) }
    }

    /// What may be the reason where a peer gives none.
    private var hint: String {
        address.scheme.isRTMP
            ? "; the server ended the connection: it may forbid to publish, or not know the application" : ""
    }

    /// What happened; `step` is what a server was told last that ends the connection without a word, where the log does
    /// not say.
    private func failure(
        _ what: String, _ status: CInt, after time: Duration, step: Refusal.SilentStep? = nil
    ) -> PublishingError {
        let report = Refusal.Report(
            status: status, lines: lines.text, steps: lines.steps, isCancelled: deadline.isCancelled,
            isTimedOut: deadline.isOver)
        let refusal = Refusal(report) { [address, options] in
            address.secrets.hidden(in: $0, and: options.passphrase)
        }
        if context == nil, refusal.code == .closedByPeer, let rejection = rejectionOfSRT() {
            return PublishingError(
                rejection.code, reason: "\(what): \(rejection.sentence)", output: "\(address)", status: Int(status))
        }
        let av = try? library()
        var reason = refusal.sentence ?? av?.message(status) ?? "status \(status)"
        switch refusal.code {
        case .timedOut: reason = "no answer within \(time)"
        case .closedByPeer where refusal.sentence == nil || address.scheme == .srt: reason += hint
        default: break
        }
        var error = PublishingError(
            refusal.code, reason: "\(what): \(reason)", output: "\(address)", status: Int(status))
        error.silentStep = refusal.silentStep ?? (refusal.code == .closedByPeer ? step : nil)
        return error
    }

    /// Why a listener of SRT refuses, for which it is asked again within the time to connect; nil where it does not
    /// say.
    private func rejectionOfSRT() -> SRTRejection? {
        guard address.scheme == .srt, let caller = address.caller(passphrase: options.passphrase) else { return nil }
        let milliseconds = CInt(clamping: Int(options.connectTimeout / .milliseconds(1)))
        let reason = address.host.withCString { host in
            withOptionalCString(caller.passphrase) { passphrase in
                withOptionalCString(caller.streamID) { streamID in
                    var caller = CLibAVSRTCaller(
                        host: host, port: CInt(address.port), passphrase: passphrase, stream_id: streamID,
                        key_length: CInt(caller.keyLength), milliseconds: milliseconds)
                    return clibav_srt_refusal(
                        &caller,
                        { owner in
                            // The call ends before the deadline is let go.
                            guard let owner else { return true }
                            return Unmanaged<Deadline>.fromOpaque(owner).takeUnretainedValue().isOver
                        }, Unmanaged.passUnretained(deadline).toOpaque())
                }
            }
        }
        return SRTRejection(reason: Int(reason))
    }
}

/// Calls with a C string, or with none.
private func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
}
