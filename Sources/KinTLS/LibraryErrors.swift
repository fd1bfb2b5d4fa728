import COpenSSL

/// libssl's error queue of this thread, emptied and put in words. Call `ERR_clear_error` before the call whose errors are
/// wanted: the queue is shared by all sessions of the thread.
func libraryReason() -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0, let text = unsafe ERR_reason_error_string(code) else { return "no reason given" }
    return unsafe String(cString: text)
}

/// What made a session fail, for a person.
func sessionFailureSentence(verification: Int, pinned: Bool) -> String {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return "The connection ended in the middle of a TLS record." }
    switch CInt(truncatingIfNeeded: code & 0x7F_FFFF) {
    case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
        return "Plain HTTP came where TLS was expected: use https."
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_UNEXPECTED_MESSAGE, SSL_R_BAD_RECORD_TYPE:
        return "The other side does not speak TLS here."
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
        if pinned, verification == Int(X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT) {
            return
                "The server's certificate does not come from the pinned root: it is another machine, or somebody is in between."
        }
        let reason = unsafe String(cString: X509_verify_cert_error_string(verification))
        return "The server's certificate is not trusted: \(reason)."
    case SSL_R_TLSV1_ALERT_UNKNOWN_CA, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE:
        return "The other side does not trust this certificate: its root is missing there."
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
        return "The other side is too old: TLS 1.2 is the least."
    case SSL_R_NO_SHARED_CIPHER: return "Both sides have no cipher in common."
    case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
        return "Both sides have no application protocol in common: only http/1.1 is spoken here."
    default:
        guard let text = unsafe ERR_reason_error_string(code) else { return "TLS failed (\(code))." }
        return unsafe "TLS failed: \(String(cString: text))."
    }
}
