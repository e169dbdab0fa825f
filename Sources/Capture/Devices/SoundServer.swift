// SPDX-License-Identifier: MIT

import CLibAV
import EncoderAPI
import LibAV

/// The sound server's sources.
enum SoundServer {
    /// A source.
    struct Source: Sendable, Hashable {
        /// What it is asked for by.
        var name: String
        /// What a person calls it.
        var title: String
        /// Whether it is taken where none is named.
        var isDefault: Bool
    }

    /// Asks the server that the environment names, which blocks while it does not answer.
    ///
    /// - Returns: Nil where there is no server.
    /// - Throws: ``CaptureError`` with `.libraryMissing`.
    static func sources() throws(CaptureError) -> [Source]? {
        let devices = try CaptureError.wrapping { () throws(LibAVError) in try LibAV.loadDevices() }
        guard let format = devices.av_find_input_format("pulse") else { return nil }
        var list: UnsafeMutablePointer<AVDeviceInfoList>?
        let count = devices.avdevice_list_input_sources(format, nil, nil, &list)
        defer { devices.avdevice_free_list_devices(&list) }
        guard count >= 0, let list else { return nil }
        return (0..<Int(max(list.pointee.nb_devices, 0))).compactMap { index in
            guard let device = list.pointee.devices[index]?.pointee, let name = device.device_name else { return nil }
            let title = device.device_description.map { String(cString: $0) } ?? ""
            return Source(
                name: DeviceText.oneLine(String(cString: name)), title: DeviceText.oneLine(title),
                isDefault: index == Int(list.pointee.default_device))
        }
    }

    /// What a server answered.
    struct Answer: Sendable {
        /// Nil where there is no server.
        var sources: [Source]?
    }

    /// Asks on a thread of its own.
    ///
    /// - Returns: Nil where the answer takes longer than `limit`; the thread is left behind then.
    static func sources(within limit: Duration) throws(CaptureError) -> Answer? {
        let mailbox = Mailbox<Answer, Never>(capacity: 1, keepsEarly: false)
        do throws(EncoderError) {
            try SessionThread.start {
                do throws(CaptureError) {
                    mailbox.open(Answer(sources: try sources()))
                } catch {
                    mailbox.end(error)
                }
            }
        } catch {
            throw CaptureError(.outOfMemory, reason: error.reason, status: error.status)
        }
        return try mailbox.waitForOpening(limit)
    }

    /// The names alone; nil where there is no server, or nothing to ask it with.
    static func sourceNames() -> [String]? {
        guard let sources = try? sources() else { return nil }
        return sources.map(\.name)
    }
}
