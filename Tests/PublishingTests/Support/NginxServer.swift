// SPDX-License-Identifier: MIT

import FoundationEssentials
import TestSupport
import Testing

/// nginx with its module for RTMP, in a folder of its own.
final class NginxServer: Sendable {
    static let program = ExternalProgram("/usr/sbin/nginx")
    static let module = "/usr/lib/nginx/modules/ngx_rtmp_module.so"

    let port: Int
    let controlPort: Int
    let process: PeerProgram
    private let folder: String

    /// Starts a server whose application is called `mytv`.
    ///
    /// - Parameters:
    ///   - folder: For its configuration and logs.
    ///   - port: Of a server before it, to take its place; nil for a free one.
    /// - Throws: Where it does not start.
    init(in folder: TemporaryDirectory, port: Int? = nil) async throws {
        self.port = port ?? freePort()
        controlPort = freePort()
        self.folder = folder.path
        try folder.write(Array(Self.configuration(folder.path, self.port, controlPort).utf8), to: "nginx.conf")
        process = try PeerProgram(
            Self.program, ["-p", folder.path + "/", "-e", folder.path("error.log"), "-c", folder.path("nginx.conf")],
            log: folder.path("nginx.log"))
        let isUp = await eventually { [self] in await Self.accepts(self.port) }
        try #require(isUp, "nginx did not start: \(process.output)")
    }

    /// Whether somebody takes connections at a port.
    static func accepts(_ port: Int) async -> Bool {
        let result = try? await ExternalProgram("bash").run(["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port)"])
        return result != nil
    }

    func address(_ name: String = "room", application: String = "mytv") -> String {
        "rtmp://127.0.0.1:\(port)/\(application)/\(name)"
    }

    /// Ends a publisher's connection, as an operator does.
    func dropPublisher(_ name: String = "room") async throws {
        try await ExternalProgram("curl").run([
            "-s", "http://127.0.0.1:\(controlPort)/control/drop/publisher?app=mytv&name=\(name)",
        ])
    }

    private static func configuration(_ folder: String, _ port: Int, _ controlPort: Int) -> String {
        """
        load_module \(module);
        daemon off;
        master_process off;
        pid \(folder)/nginx.pid;
        events {}
        rtmp {
            server {
                listen 127.0.0.1:\(port);
                chunk_size 4000;
                ping 3s;
                ping_timeout 2s;
                timeout 10s;
                application mytv {
                    live on;
                    idle_streams off;
                    wait_key on;
                    drop_idle_publisher 5s;
                    record all;
                    record_path \(folder);
                    record_unique on;
                }
                application closed {
                    live on;
                    deny publish all;
                }
                application keyed {
                    live on;
                    on_publish http://127.0.0.1:\(controlPort)/deny;
                }
            }
        }
        http {
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            access_log off;
            server {
                listen 127.0.0.1:\(controlPort);
                location /stat { rtmp_stat all; }
                location /control { rtmp_control all; }
                location /deny { return 403; }
            }
        }
        """
    }

    /// What it recorded of all streams, oldest first.
    func recordings() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".flv") }.sorted().map {
            "\(folder)/\($0)"
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, saying so, where nginx or its module for RTMP is not installed.
    static var requiresNginx: Self {
        let isThere =
            NginxServer.program.isAvailable && FileManager.default.fileExists(atPath: NginxServer.module)
        return .enabled(
            if: isThere, "SKIPPED, needs programs: nginx with libnginx-mod-rtmp is not installed (dev/setup peers)")
    }
}
