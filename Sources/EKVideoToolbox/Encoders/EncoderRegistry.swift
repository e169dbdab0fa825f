// SPDX-License-Identifier: MIT

#if os(Linux)
    public import EncoderAPI
    import Synchronization

    #if OpenH264
        import OpenH264Backend
    #endif
    #if VAAPI
        import VAAPIBackend
    #endif
    #if X264
        import X264Backend
    #endif
    #if X265
        import X265Backend
    #endif

    /// Adds a back end, whose encoders come before those of the ones added earlier and of the package's traits.
    ///
    /// Devices come before all others, whoever has them. On any thread; sessions that are made from then on may take
    /// its encoders.
    ///
    /// - Parameter backend: Asked for its encoders whenever a session is made or encoders are listed, on a thread of
    ///   its own while the caller's waits. One with the identifier of another takes its place.
    public func VTRegisterEncoderBackend(_ backend: any EncoderBackend) {
        EncoderRegistry.added.withLock { added in
            added.removeAll { $0.identifier == backend.identifier }
            added.insert(backend, at: 0)
        }
    }

    /// The back ends that sessions choose from.
    enum EncoderRegistry {
        fileprivate static let added = Mutex<[any EncoderBackend]>([])

        /// Those of the traits that the package was built with: devices first.
        private static var linked: [any EncoderBackend] {
            var backends: [any EncoderBackend] = []
            #if VAAPI
                backends.append(VAAPIBackend())
            #endif
            #if X264
                backends.append(X264Backend())
            #endif
            #if X265
                backends.append(X265Backend())
            #endif
            #if OpenH264
                backends.append(OpenH264Backend())
            #endif
            return backends
        }

        /// All, in the order in which their encoders are tried.
        static var backends: [any EncoderBackend] {
            let added = added.withLock { $0 }
            return added + linked.filter { one in !added.contains { $0.identifier == one.identifier } }
        }

        /// What to do where there is none.
        static let howToLink =
            "no encoder is linked: add traits to the dependency in Package.swift, such as .package(url: \"...\", "
            + "from: \"...\", traits: [\"X264\", \"X265\"]), of X264, X265 (both GPL), OpenH264 and VAAPI, or call "
            + "VTRegisterEncoderBackend"
    }
#endif
