// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    /// One key of a session: whether it can be set, what is legal, how values are read and written.
    struct PropertyRow: Sendable {
        /// What a dictionary of supported properties says of the values.
        enum Kind: Sendable {
            case boolean
            case number(@Sendable (EncoderCapabilities) -> ClosedRange<Double>?)
            case enumeration(@Sendable (EncoderDescription) -> [String])
            /// What a value looks like, in words.
            case other(String)
        }

        /// The key's text.
        let key: String
        /// The setting that the encoder must have; nil where every session has the key.
        let setting: Setting?
        let kind: Kind
        /// Takes a value, or says that it is none of the key's; nil for a key that cannot be set.
        let take: (@Sendable (AnyObject, inout SessionSettings, EncoderDescription) -> Bool)?
        /// Sets the default again.
        let reset: @Sendable (inout SessionSettings) -> Void
        /// The value; nil where none is asked for.
        let value: @Sendable (PropertyView) -> AnyObject?

        var isReadOnly: Bool { take == nil }

        /// Whether an encoder has the key.
        func isSupported(by encoder: EncoderDescription) -> Bool {
            if case .enumeration(let values) = kind, values(encoder).isEmpty { return false }
            return setting.map { encoder.capabilities.settings.contains($0) } ?? true
        }
    }

    /// What values in force are read from.
    struct PropertyView {
        /// What was asked for.
        let settings: SessionSettings
        let encoder: EncoderDescription
        /// The session behind; nil before it is there.
        let session: CompressionSession?
        /// What buffers best look like.
        let pixelBufferAttributes: NSDictionary

        /// The configuration with a setting as it is in force; as it was asked for where nothing is known.
        func configuration(inForce setting: Setting) -> SessionConfiguration {
            var configuration = settings.resolved
            if let text = session?.value(of: setting), let row = SettingRow.named(setting.rawValue) {
                // The session writes what the row reads.
                try? row.set(text, in: &configuration)
            }
            return configuration
        }
    }

    // MARK: - Kinds of rows

    extension PropertyRow {
        /// A boolean.
        static func flag(
            _ key: CFString, _ setting: Setting? = nil, take: @escaping @Sendable (Bool, inout SessionSettings) -> Void,
            reset: @escaping @Sendable (inout SessionSettings) -> Void,
            value: @escaping @Sendable (PropertyView) -> Bool?
        ) -> PropertyRow {
            PropertyRow(
                key: "\(key)", setting: setting, kind: .boolean,
                take: { object, settings, _ in
                    guard let flag = PropertyValue.boolean(object) else { return false }
                    take(flag, &settings)
                    return true
                }, reset: reset, value: { view in value(view).map { NSNumber(value: $0) } })
        }

        /// A number in a range that the encoder may narrow, or one outside it that asks for nothing.
        static func number(
            _ key: CFString, _ setting: Setting? = nil,
            range: @escaping @Sendable (EncoderCapabilities) -> ClosedRange<Double>, none: Double? = nil,
            take: @escaping @Sendable (Double, inout SessionSettings) -> Bool,
            reset: @escaping @Sendable (inout SessionSettings) -> Void,
            value: @escaping @Sendable (PropertyView) -> NSNumber?
        ) -> PropertyRow {
            PropertyRow(
                key: "\(key)", setting: setting, kind: .number { range($0) },
                take: { object, settings, encoder in
                    guard let number = PropertyValue.number(object),
                        number == none || range(encoder.capabilities).contains(number)
                    else { return false }
                    return take(number, &settings)
                }, reset: reset, value: value)
        }

        /// A text of a list.
        static func text(
            _ key: CFString, _ setting: Setting? = nil, values: @escaping @Sendable (EncoderDescription) -> [String],
            take: @escaping @Sendable (String, inout SessionSettings) -> Void,
            reset: @escaping @Sendable (inout SessionSettings) -> Void,
            value: @escaping @Sendable (PropertyView) -> String?
        ) -> PropertyRow {
            PropertyRow(
                key: "\(key)", setting: setting, kind: .enumeration(values),
                take: { object, settings, encoder in
                    guard let text = object as? NSString, values(encoder).contains("\(text)") else { return false }
                    take("\(text)", &settings)
                    return true
                }, reset: reset, value: { value($0).map { $0 as NSString } })
        }

        /// A value that is only read.
        static func readOnly(
            _ key: CFString, _ kind: Kind, value: @escaping @Sendable (PropertyView) -> AnyObject?
        ) -> PropertyRow {
            PropertyRow(key: "\(key)", setting: nil, kind: kind, take: nil, reset: { _ in }, value: value)
        }

        /// A value that is kept and changes nothing.
        static func hint(
            _ key: CFString, _ kind: Kind, otherwise: NSObject?, isLegal: @escaping @Sendable (AnyObject) -> Bool
        ) -> PropertyRow {
            let name = "\(key)"
            let other = otherwise.map { SessionSettings.Hint(value: $0) }
            return PropertyRow(
                key: name, setting: nil, kind: kind,
                take: { object, settings, _ in
                    guard isLegal(object), let value = (object as? NSObject)?.copy() as? NSObject else { return false }
                    settings.hints[name] = SessionSettings.Hint(value: value)
                    return true
                }, reset: { $0.hints[name] = nil }, value: { ($0.settings.hints[name] ?? other)?.value })
        }
    }

    /// Values as clients give them.
    enum PropertyValue {
        /// A boolean, or the number 0 or 1; nil for other objects.
        static func boolean(_ object: AnyObject) -> Bool? {
            guard let number = object as? NSNumber, [0, 1].contains(number.doubleValue) else { return nil }
            return number.boolValue
        }

        /// A finite number; nil for a boolean and for other objects.
        static func number(_ object: AnyObject) -> Double? {
            guard let number = object as? NSNumber, !number.isBoolean, number.doubleValue.isFinite else { return nil }
            return number.doubleValue
        }
    }
#endif
