// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EKCoreMedia
    import EKCoreVideo
    import EncoderAPI
    import Foundation

    /// What the specification of an encoder says.
    struct EncoderSpecification {
        var encoderID: String?
        var allowsHardware = true
        var requiresHardware = false
        var requiredDevice: Int?
        var preferredDevice: Int?
        var isLowLatency = false

        init(_ dictionary: CFDictionary?) {
            func flag(_ key: CFString, _ otherwise: Bool) -> Bool {
                dictionary?.number("\(key)")?.boolValue ?? otherwise
            }
            encoderID = (dictionary?.object("\(kVTVideoEncoderSpecification_EncoderID)") as? NSString).map { "\($0)" }
            requiresHardware = flag(kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder, false)
            allowsHardware = flag(
                kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder, true)
            requiredDevice = dictionary?.number("\(kVTVideoEncoderSpecification_RequiredEncoderGPURegistryID)")?
                .clamped()
            preferredDevice = dictionary?.number("\(kVTVideoEncoderSpecification_PreferredEncoderGPURegistryID)")?
                .clamped()
            isLowLatency = flag(kVTVideoEncoderSpecification_EnableLowLatencyRateControl, false)
        }
    }

    /// An encoder with the back end that listed it.
    struct ListedEncoder {
        let encoder: EncoderDescription
        let backend: any EncoderBackend

        /// Encoders that a specification leaves, best first; blocks while they are listed.
        static func list(_ codec: VideoCodec, _ specification: EncoderSpecification) -> [ListedEncoder] {
            let fitting = all.filter { listed in
                let encoder = listed.encoder
                if encoder.codec != codec { return false }
                if let id = specification.encoderID, id != encoder.id.rawValue { return false }
                if let device = specification.requiredDevice, device != encoder.registryID { return false }
                if specification.requiresHardware { return encoder.isHardwareAccelerated }
                return specification.allowsHardware || !encoder.isHardwareAccelerated
            }
            // Of equals the one listed first comes first.
            func place(_ encoder: EncoderDescription) -> Int {
                let isOther = specification.preferredDevice.map { $0 != encoder.registryID } ?? false
                return (encoder.isHardwareAccelerated ? 0 : 2) + (isOther ? 1 : 0)
            }
            return fitting.enumerated()
                .sorted { (place($0.element.encoder), $0.offset) < (place($1.element.encoder), $1.offset) }
                .map(\.element)
        }

        /// All encoders of all back ends; one whose listing fails has none.
        static var all: [ListedEncoder] {
            EncoderRegistry.backends.flatMap { backend in
                ((try? backend.encodersBlocking) ?? []).map { ListedEncoder(encoder: $0, backend: backend) }
            }
        }
    }

    extension EncoderDescription {
        /// The device's number: 128 for /dev/dri/renderD128; nil for the CPU.
        var registryID: Int? {
            guard let device else { return nil }
            return Int(String(device.reversed().prefix(while: \.isNumber).reversed()))
        }
    }
#endif
