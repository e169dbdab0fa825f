// SPDX-License-Identifier: MIT

import CVA
import EncoderAPI

/// The functions of libva, which is opened at run time: a machine without it has the other encoders.
///
/// `library.status { $0.vaCreateConfig(...) }` calls a driver; ``check(_:_:)`` makes an error of its status.
struct VALibrary: @unchecked Sendable {
    // Unchecked: the table is written once, before anybody has its address, and stays for the life of the process.
    private let functions: UnsafePointer<cva_functions>

    /// Opens the library, or finds it open.
    ///
    /// - Throws: ``EncoderError`` with `.noEncoder` that says which package is missing.
    init() throws(EncoderError) {
        guard let functions = cva_open() else {
            throw EncoderError(.noEncoder, reason: String(cString: cva_missing()))
        }
        self.functions = functions
    }

    /// The functions by their names, for those that reach no driver; those that a machine may lack are optional.
    var call: cva_functions { functions.pointee }

    /// Calls the driver, unless the process exits.
    ///
    /// - Returns: What the call returned; ``exiting`` where none was made.
    func status(_ body: (cva_functions) -> VAStatus) -> VAStatus {
        guard DriverGate.shared.enter() else { return Self.exiting }
        defer { DriverGate.shared.leave() }
        return body(functions.pointee)
    }

    /// No status of a driver's.
    static let exiting: VAStatus = -2

    /// Throws unless a call succeeded.
    ///
    /// - Parameters:
    ///   - status: What the call returned.
    ///   - name: What was called, for the reason: "vaCreateConfig".
    /// - Throws: ``EncoderError`` as ``failure(of:_:)`` makes it.
    func check(_ status: VAStatus, _ name: @autoclosure () -> String) throws(EncoderError) {
        guard status == VA_STATUS_SUCCESS else { throw failure(of: name(), status) }
    }

    /// The error of a call that failed, in libva's words; `.timedOut` and `.outOfMemory` where that is what happened.
    func failure(of name: String, _ status: VAStatus) -> EncoderError {
        if status == Self.exiting { return EncoderError(.backendFailure, reason: "\(name): the process exits") }
        let code: EncoderError.Code =
            switch status {
            case VA_STATUS_ERROR_ALLOCATION_FAILED: .outOfMemory
            case VA_STATUS_ERROR_TIMEDOUT: .timedOut
            case VA_STATUS_ERROR_UNSUPPORTED_PROFILE, VA_STATUS_ERROR_UNSUPPORTED_ENTRYPOINT,
                VA_STATUS_ERROR_UNSUPPORTED_RT_FORMAT, VA_STATUS_ERROR_RESOLUTION_NOT_SUPPORTED,
                VA_STATUS_ERROR_ATTR_NOT_SUPPORTED:
                .unsupported
            default: .backendFailure
            }
        let words = call.vaErrorStr(status).map { String(cString: $0) } ?? "unknown status"
        return EncoderError(code, reason: "\(name): \(words)", status: Int(status))
    }
}
