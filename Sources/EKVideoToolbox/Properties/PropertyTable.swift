// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import EncoderAPI
    import Foundation

    /// All keys of a compression session, and what becomes of them.
    enum PropertyTable {
        /// One row for each key that is offered; all others are answered with -12900.
        static let rows: [String: PropertyRow] = Dictionary(
            uniqueKeysWithValues: (rate + structure + coding + picture + session + hints).map { ($0.key, $0) })

        /// The row of a key that an encoder has.
        static func row(_ key: CFString, of encoder: EncoderDescription) -> PropertyRow? {
            rows["\(key)"].flatMap { $0.isSupported(by: encoder) ? $0 : nil }
        }

        /// What a key takes, in words.
        static func legalValues(of key: CFString, with encoder: EncoderDescription) -> String {
            let row = row(key, of: encoder)
            switch row?.kind {
            case .boolean: return "a boolean"
            case .number(let range):
                return range(encoder.capabilities).map { "a number of \($0.lowerBound)...\($0.upperBound)" }
                    ?? "a number"
            case .enumeration(let values): return "one of \(values(encoder).joined(separator: ", "))"
            case .other(let words): return words
            case nil: return "nothing"
            }
        }

        /// What an encoder supports: for each key a dictionary of its kind, access and values.
        static func supported(by encoder: EncoderDescription) -> NSDictionary {
            let all = NSMutableDictionary()
            for (key, row) in rows where row.isSupported(by: encoder) {
                let facts = NSMutableDictionary()
                facts[kVTPropertyReadWriteStatusKey] =
                    row.isReadOnly ? kVTPropertyReadWriteStatus_ReadOnly : kVTPropertyReadWriteStatus_ReadWrite
                facts[kVTPropertyShouldBeSerializedKey] = (!row.isReadOnly) as NSNumber
                switch row.kind {
                case .boolean: facts[kVTPropertyTypeKey] = kVTPropertyType_Boolean
                case .number(let range):
                    facts[kVTPropertyTypeKey] = kVTPropertyType_Number
                    if let range = range(encoder.capabilities) {
                        facts[kVTPropertySupportedValueMinimumKey] = range.lowerBound as NSNumber
                        facts[kVTPropertySupportedValueMaximumKey] = range.upperBound as NSNumber
                    }
                case .enumeration(let values):
                    facts[kVTPropertyTypeKey] = kVTPropertyType_Enumeration
                    facts[kVTPropertySupportedValueListKey] = NSArray(array: values(encoder).map { $0 as NSString })
                case .other: break
                }
                all[key as NSString] = facts
            }
            return all
        }
    }
#endif
