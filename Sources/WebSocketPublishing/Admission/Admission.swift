// SPDX-License-Identifier: MIT

/// Decides what a request may have: a pure value.
///
/// Nothing of a request's target stands in an answer or a reason: a token may be in it.
struct Admission: Sendable {
    /// What of a request is looked at.
    struct Request: Sendable, Hashable {
        var method = "GET"
        /// Path and query, as they were sent.
        var target = "/"
        /// The values of all headers `Host`.
        var hosts: [String] = []
        /// The values of all headers `Origin`.
        var origins: [String] = []
        /// The values of all headers `Authorization`.
        var authorizations: [String] = []
        /// Whether it asks for WebSocket.
        var isUpgrade = false
        /// Whether it says that a body follows.
        var hasBody = false
    }

    /// What a request gets.
    enum Verdict: Sendable, Hashable {
        /// The page.
        case page
        /// Frames.
        case viewer
        /// A place to send frames to.
        case publisher
        /// A status of HTTP, and why in words.
        case refused(Int, String)
    }

    /// Where frames are.
    static let viewerPath = "/watch"
    /// Where frames are sent to.
    static let publisherPath = "/publish"

    private let names: Set<String>
    private let origins: Set<Origin>
    private let token: AccessToken?
    private let isSecure: Bool
    private let takesPublishers: Bool

    /// Makes one of checked values.
    ///
    /// - Parameters:
    ///   - place: Names that the server has, and origins whose pages may connect.
    ///   - token: What viewers and publishers have to show; nil for a server that publishers cannot send to.
    ///   - isSecure: Whether all comes over TLS.
    ///   - takesPublishers: Whether there is somebody who takes the frames of publishers.
    init(_ place: ServerPlace, token: AccessToken?, isSecure: Bool, takesPublishers: Bool) {
        names = Set(place.names.map { $0.lowercased() })
        origins = Set(place.origins.compactMap { Origin($0) })
        (self.token, self.isSecure, self.takesPublishers) = (token, isSecure, takesPublishers)
    }

    /// Decides about a request.
    func judge(_ request: Request) -> Verdict {
        guard request.hosts.count == 1, let host = Origin(isSecure: isSecure, authority: request.hosts[0]) else {
            return .refused(400, "\(request.hosts.count) headers Host, or no host in it, expected one")
        }
        guard host.host == "localhost" || names.contains(host.host) || IPAddress(host.host) != nil else {
            return .refused(421, "a name that the server does not have, expected localhost, an IP address or its name")
        }
        if !request.origins.isEmpty {
            guard request.origins.count == 1, let origin = Origin(request.origins[0]),
                origin == host || origins.contains(origin)
            else { return .refused(403, "a page of another origin, expected one of this server") }
        }
        let path = request.target.prefix { $0 != "?" && $0 != "#" }
        switch path {
        case "/": return page(request)
        case Self.viewerPath[...], Self.publisherPath[...]: return stream(request, isPublisher: path != Self.viewerPath)
        default: return .refused(404, "nothing is there, expected / or \(Self.viewerPath)")
        }
    }

    private func page(_ request: Request) -> Verdict {
        guard !request.isUpgrade else { return .refused(404, "no frames are there, expected \(Self.viewerPath)") }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .refused(405, "a method that the page does not have, expected GET")
        }
        return .page
    }

    private func stream(_ request: Request, isPublisher: Bool) -> Verdict {
        guard !isPublisher || takesPublishers else { return .refused(404, "no frames are taken here") }
        if let token {
            guard tokens(request).contains(where: token.matches) else {
                return .refused(403, "no token, or another one")
            }
        } else if isPublisher {
            return .refused(403, "frames are taken by a token alone, and the server has none")
        }
        guard request.isUpgrade, request.method == "GET" else {
            return .refused(426, "a request for something else than WebSocket")
        }
        // swift-nio upgrades behind the body, and where that never comes keeps what it holds for the connection.
        guard !request.hasBody else { return .refused(400, "a body, expected none in a request for WebSocket") }
        return isPublisher ? .publisher : .viewer
    }

    /// What a request shows: in its query, as a page does which can set no header, or behind `Bearer`.
    private func tokens(_ request: Request) -> [Substring] {
        let query = request.target.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let inQuery = query.split(separator: "&").filter { $0.hasPrefix("token=") }.map { $0.dropFirst(6) }
        let inHeaders = request.authorizations.filter { $0.lowercased().hasPrefix("bearer ") }.map { $0.dropFirst(7) }
        return inQuery + inHeaders
    }
}
