// SPDX-License-Identifier: MIT

#if os(Linux)
    import EKCoreFoundation
    import Foundation
    import Testing

    @Suite struct CFContainerTests {
        private func address(_ object: AnyObject) -> UnsafeRawPointer {
            UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }

        @Test("an element of a list is the object itself, whatever its class")
        func elements() {
            let inner = NSMutableDictionary()
            let objects: [AnyObject] = [inner, "text" as NSString, 7 as NSNumber, NSArray(), NSData()]
            let list = NSArray(array: objects)
            for (index, object) in objects.enumerated() {
                #expect(CFArrayGetValueAtIndex(list, index) == address(object))
            }
            #expect(CFArrayGetCount(list) == objects.count)
        }

        @Test("elements that are written by their address show in the list", arguments: 1...3)
        func writes(count: Int) {
            let list = (0..<count).map { _ in NSMutableDictionary() } as CFArray
            for index in 0..<count {
                let element = unsafeBitCast(CFArrayGetValueAtIndex(list, index), to: CFMutableDictionary.self)
                element["place"] = index
            }
            for index in 0..<count { #expect((list[index] as? NSDictionary)?["place"] as? Int == index) }
        }

        @Test("a place that is not in the list, and no list, give nil", arguments: [-1, 2, Int.max, Int.min])
        func places(index: Int) {
            #expect(CFArrayGetValueAtIndex([1, 2] as CFArray, index) == nil)
            #expect(CFArrayGetValueAtIndex(nil, index) == nil)
        }

        @Test("a dictionary's value is the object itself, for any key of the same characters")
        func values() {
            let value = NSMutableArray()
            let dictionary: CFDictionary = ["NotSync" as NSString: value] as CFDictionary
            let key = NSString(string: "Not" + "Sync")
            #expect(CFDictionaryGetValue(dictionary, address(key)) == address(value))
            #expect(CFDictionaryContainsKey(dictionary, address(key)))
            var found: UnsafeRawPointer?
            #expect(CFDictionaryGetValueIfPresent(dictionary, address(key), &found))
            #expect(found == address(value))
        }

        @Test("a key that is not there, no key and no dictionary give nil")
        func missing() {
            let other = "Sync" as NSString
            #expect(CFDictionaryGetValue(["a": 1] as CFDictionary, address(other)) == nil)
            #expect(CFDictionaryGetValue(["a": 1] as CFDictionary, nil) == nil)
            #expect(CFDictionaryGetValue(nil, address(other)) == nil)
            #expect(!CFDictionaryContainsKey([:] as CFDictionary, address(other)))
            var found: UnsafeRawPointer? = address(other)
            #expect(!CFDictionaryGetValueIfPresent([:] as CFDictionary, address(other), &found))
            #expect(found == address(other))
        }

        @Test("a boolean in a dictionary is one of the two constants by identity")
        func booleans() {
            let dictionary = ["yes": true, "no": false] as CFDictionary
            let (yes, no) = ("yes" as NSString, "no" as NSString)
            #expect(CFDictionaryGetValue(dictionary, address(yes)) == address(kCFBooleanTrue))
            #expect(CFDictionaryGetValue(dictionary, address(no)) == address(kCFBooleanFalse))
        }

        @Test("lists and dictionaries are made of addresses, and retain what is there")
        func creation() {
            var keys: [UnsafeRawPointer?] = [], values: [UnsafeRawPointer?] = []
            let texts = ["a", "b"].map { $0 as NSString }
            let objects = [NSObject(), NSObject()]
            keys = texts.map { address($0) }
            values = objects.map { address($0) }
            let dictionary = CFDictionaryCreate(nil, &keys, &values, 2, nil, nil)
            #expect(CFDictionaryGetCount(dictionary) == 2)
            #expect(CFDictionaryGetValue(dictionary, keys[1]) == values[1])
            let list = CFArrayCreate(nil, &values, 2, nil)
            #expect(CFArrayGetValueAtIndex(list, 1) == values[1])
            values[0] = nil
            #expect(CFArrayCreate(nil, &values, 2, nil) == nil)
            #expect(CFDictionaryCreate(nil, &keys, &values, 2, nil, nil) == nil)
            #expect(CFArrayCreate(nil, &values, -1, nil) == nil)
            withExtendedLifetime((texts, objects)) {}
        }

        @Test("what is set and removed by address is there and gone")
        func mutation() {
            let dictionary = CFDictionaryCreateMutable(nil, 0, nil, nil)
            let (key, value) = ("k" as NSString, NSObject())
            CFDictionarySetValue(dictionary, address(key), address(value))
            #expect(CFDictionaryGetValue(dictionary, address(key)) == address(value))
            CFDictionaryRemoveValue(dictionary, address(key))
            #expect(CFDictionaryGetCount(dictionary) == 0)
            let list = CFArrayCreateMutable(nil, 0, nil)
            CFArrayAppendValue(list, address(value))
            CFArrayAppendValue(list, nil)
            #expect(CFArrayGetCount(list) == 1)
        }
    }
#endif
