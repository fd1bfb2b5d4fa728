// KinClient: see the one line about it in Package.swift.
