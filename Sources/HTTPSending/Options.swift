import CLibcurl

@safe struct Options {
  let handle: UnsafeMutableRawPointer

  func set(
    _ request: OutgoingRequest, _ ways: Ways, _ startedAt: ContinuousClock.Instant
  ) throws(SendingError) {
    for text in [request.method, request.url, request.unixSocket ?? ""] {
      guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
        throw .unsendable(detail: "method or URL contains a space or control character")
      }
    }
    try set(CURLOPT_URL, request.url)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // Sharing an HTTP/2 connection is better than opening another. In plain text there is none to
    // share, and a second request would wait for the first one's answer.
    try set(CURLOPT_PIPEWAIT, request.isEncrypted ? 1 : 0)
    if let path = request.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, path) }
    if request.asksForCertificate { try set(CURLOPT_CERTINFO, 1) }
    if request.method == "HEAD" { try set(CURLOPT_NOBODY, 1) }
    if let body = request.body {
      try unsafe check(sg_curl_set_body(handle, body, curl_off_t(body.count)))
    }
    try set(CURLOPT_CUSTOMREQUEST, request.method)
    try set(ways)
    try set(deadline: request.deadline, startedAt)
  }

  func set(
    _ mail: OutgoingMail, _ ways: Ways, _ startedAt: ContinuousClock.Instant
  ) throws(SendingError) {
    if let fault = mail.fault { throw .unsendable(detail: fault) }
    let server = mail.server
    let scheme = server.protection == .tls ? "smtps" : "smtp"
    try set(CURLOPT_URL, "\(scheme)://\(server.host):\(server.port)/\(server.ownName)")
    try set(CURLOPT_PROTOCOLS_STR, scheme)
    try set(CURLOPT_USE_SSL, server.protection == .none ? 0 : Int(CURLUSESSL_ALL.rawValue))
    if let login = server.login {
      try set(CURLOPT_USERNAME, login.name)
      try set(CURLOPT_PASSWORD, login.password)
    }
    if mail.isGreeting {
      try set(CURLOPT_CUSTOMREQUEST, "NOOP")
    } else {
      try set(CURLOPT_MAIL_FROM, "<\(mail.sender)>")
      try set(CURLOPT_UPLOAD, 1)
      try unsafe check(sg_curl_set_size(handle, curl_off_t(mail.content.count)))
    }
    // Also the time for quitting, which nobody waits for.
    try set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, Int(mail.deadline / .seconds(1))))
    try set(ways)
    try set(deadline: mail.deadline, startedAt)
  }

  private func set(_ ways: Ways) throws(SendingError) {
    // Otherwise libcurl uses signals to time out name look-ups.
    try set(CURLOPT_NOSIGNAL, 1)
    // Otherwise libcurl, when the deadline has passed, waits for the thread that looks up the name,
    // and all other transfers wait too: ten seconds if a name server is silent.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let path = ways.authorities { try set(CURLOPT_CAINFO, path) }
    if ways.reach != .anywhere { try set(CURLOPT_PROXY, "") }
  }

  private func set(
    deadline: Duration, _ startedAt: ContinuousClock.Instant
  ) throws(SendingError) {
    let left = deadline - startedAt.duration(to: .now)
    guard left > .zero else { throw .deadlineExceeded }
    let milliseconds = max(1, Int(left / .milliseconds(1)))
    try set(CURLOPT_TIMEOUT_MS, milliseconds)
    try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
  }

  private func set(_ option: CURLoption, _ value: Int) throws(SendingError) {
    try unsafe check(sg_curl_set_long(handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(SendingError) {
    try unsafe check(sg_curl_set_string(handle, option, value))
  }

  private func check(_ code: CURLcode) throws(SendingError) {
    guard code == CURLE_OK else {
      throw .unsendable(detail: unsafe String(cString: curl_easy_strerror(code)))
    }
  }
}

extension OutgoingRequest {
  var isEncrypted: Bool { url.prefix(6).lowercased() == "https:" }
}
