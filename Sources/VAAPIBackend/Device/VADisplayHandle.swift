// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI
import BackendSupport
import Logging
import Synchronization

/// Owner of one initialised `VADisplay`, shared by all that is made on it: surfaces outlive the encoder they were made
/// for.
final class VADisplayHandle: @unchecked Sendable {
    // Unchecked: nothing changes after init, and libva's calls on one display may come from several threads.

    let library: VALibrary
    /// What the driver calls itself, such as "Intel iHD driver for Intel(R) Gen Graphics - 23.1.1".
    let driver: String
    /// libva's version of VA-API, such as "1.17"; nil for a display of the program's.
    let interface: String?
    private let connection: VAConnection
    private let log: LibraryLog.Context
    private let exitHandler: DriverExitHandler

    /// Connects to a device and loads its driver; a display of the program's is taken as it is.
    ///
    /// - Throws: ``EncoderError`` that says what is missing and how to get it, as ``VALibrary/init()``,
    ///   ``VAConnection/init(to:library:)`` and ``refusal(of:_:complaint:)`` make it.
    init(opening device: VADevice, logger: Logger) throws(EncoderError) {
        let library = try VALibrary()
        DriverExitHandler.ofProcess
        let connection = try VAConnection(to: device, library: library)
        let log = LibraryLog.Context(logger, library: "libva")
        interface =
            connection.isOfProgram
            ? nil : try Self.initialize(connection.display, of: device, library: library, log: log)
        driver = library.call.vaQueryVendorString(connection.display).map { String(cString: $0) } ?? "unnamed driver"
        log.log.noteOpen()
        logger.debug("\(device): \(driver)")
        self.library = library
        self.connection = connection
        self.log = log
        exitHandler = DriverExitHandler()
    }

    /// Displays that the process's exit kept from being terminated: by their addresses a leak checker finds what is
    /// theirs.
    private static let leftBehind = Mutex<[UInt]>([])

    deinit {
        guard !connection.isOfProgram, library.status({ $0.vaTerminate(connection.display) }) == VALibrary.exiting
        else { return }
        Self.leftBehind.withLock { $0.append(UInt(bitPattern: connection.display)) }
    }

    /// What libva's calls take.
    var raw: VADisplay { connection.display }

    private static func initialize(
        _ display: VADisplay, of device: VADevice, library: VALibrary, log: borrowing LibraryLog.Context
    ) throws(EncoderError) -> String {
        // libva prints to stderr unless told otherwise.
        _ = library.call.vaSetErrorCallback(display, { VADisplayHandle.take($0, $1, .error) }, log.pointer)
        _ = library.call.vaSetInfoCallback(display, { VADisplayHandle.take($0, $1, .debug) }, log.pointer)
        var (major, minor): (Int32, Int32) = (0, 0)
        let status = library.status { $0.vaInitialize(display, &major, &minor) }
        guard status != VA_STATUS_SUCCESS else { return "\(major).\(minor)" }
        let failure = library.failure(of: "vaInitialize", status)
        _ = library.status { $0.vaTerminate(display) }
        throw Self.refusal(of: device, failure, complaint: log.log.complaint)
    }

    /// The error of a display that was not initialised: memory that is short is no missing driver.
    ///
    /// - Parameters:
    ///   - device: Whose display it is.
    ///   - failure: What vaInitialize returned.
    ///   - complaint: What libva said meanwhile.
    /// - Returns: The error, with `.outOfMemory` or `.backendFailure`.
    static func refusal(of device: VADevice, _ failure: EncoderError, complaint: String) -> EncoderError {
        if failure.code == .outOfMemory {
            return EncoderError(
                .outOfMemory, reason: "\(device): \(failure.reason) (\(complaint))", status: failure.status)
        }
        // libva says so of a driver's file that it found.
        let advice =
            complaint.contains("init failed")
            ? "" : "; on Intel GPUs from Skylake on the package intel-media-va-driver has it"
        return EncoderError(
            .backendFailure, reason: "\(device): no VA-API driver: \(failure.reason) (\(complaint))\(advice)",
            status: failure.status)
    }

    private static func take(
        _ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?, _ level: Logger.Level
    ) {
        guard let context, let message else { return }
        var text = String(cString: message)
        while text.last?.isNewline == true { text.removeLast() }
        LibraryLog.at(context).take(text, level: level)
    }
}
