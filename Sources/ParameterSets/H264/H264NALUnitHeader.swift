// SPDX-License-Identifier: MIT

/// The first byte of an H.264 NAL unit, and two or three more for types 14, 20 and 21 (7.3.1).
public struct H264NALUnitHeader: NALUnitHeader {
    /// The bytes after the first (7.3.1).
    public enum Extension: Hashable, Sendable {
        /// `nal_unit_header_svc_extension()` (G.7.3.1.1), 23 bits.
        case svc(H264SVCHeaderExtension)
        /// `nal_unit_header_mvc_extension()` (H.7.3.1.1), 23 bits.
        case mvc(H264MVCHeaderExtension)
        /// `nal_unit_header_3davc_extension()` (J.7.3.1.1), 15 bits.
        case depth(H264DepthHeaderExtension)
    }

    /// `nal_ref_idc`, 0...3: 0 when no picture is predicted from this unit's.
    public var refIdc = 0
    /// `nal_unit_type`.
    public var type = H264NALUnitType(rawValue: 0)
    /// The bytes after the first, for types 14, 20 and 21.
    public var `extension`: Extension?

    /// An unspecified type.
    public init() {}

    /// A header of one byte.
    public init(type: H264NALUnitType, refIdc: Int) {
        self.type = type
        self.refIdc = refIdc
    }

    /// Reads the header of a NAL unit that starts without start code or length; no more than four bytes are looked at.
    public init(nalUnit: Span<UInt8>) throws(ParameterSetError) {
        var reader = HeaderReader(nalUnit)
        try code(with: &reader, in: ())
    }

    /// How many bytes the header takes.
    public var byteCount: Int {
        switch self.extension {
        case nil: 1
        case .depth: 3
        case .svc, .mvc: 4
        }
    }

    /// Codes `forbidden_zero_bit` up to the RBSP.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.fixed("forbidden_zero_bit", 0, 1)
        try coder.u("nal_ref_idc", &refIdc, 2)
        try coder.u("nal_unit_type", &type.rawValue, 5)
        guard type.hasExtension else {
            try coder.place("nal_unit_header_extension", &self.extension, .mvc(.init()), when: false)
            return
        }
        try codeExtension(with: &coder)
    }

    private mutating func codeExtension(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        // Type 21 chooses between depth (short) and MVC headers, 14 and 20 between SVC and MVC.
        var isFirstKind = false
        switch self.extension {
        case .svc, .depth: isFirstKind = true
        case .mvc, nil: break
        }
        let isDepthType = type == .depthSliceExtension
        try coder.flag("\(isDepthType ? "avc_3d" : "svc")_extension_flag", &isFirstKind)
        if coder.isReading {
            let firstKind: Extension = isDepthType ? .depth(.init()) : .svc(.init())
            self.extension = isFirstKind ? firstKind : .mvc(.init())
        }
        switch self.extension {
        case .svc(let header) where !isDepthType: self.extension = .svc(try coder.coded(header))
        case .depth(let header) where isDepthType: self.extension = .depth(try coder.coded(header))
        case .mvc(let header): self.extension = .mvc(try coder.coded(header))
        case .svc, .depth, nil:
            throw coder.failure(
                .notRepresentable, "nal_unit_header_extension", "does not fit a unit of \(type)")
        }
    }
}
