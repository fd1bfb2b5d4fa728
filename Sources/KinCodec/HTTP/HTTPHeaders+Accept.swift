extension HTTPHeaders {
    /// The offer that suits the field `Accept` best (RFC 9110 §12.5.1): highest quality, then the earliest offer.
    /// Without the field it is the first offer; `nil` when none is acceptable. Offers are like `text/event-stream`.
    public func bestAccepted(of offers: [String]) -> String? {
        nil
    }
}
