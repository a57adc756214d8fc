import Foundation
import HTTPSending
import ShiftDomain

/// Whether phones can reach guardd at its public address, as far as that shows from this machine.
struct OutsideChecks {
  /// Without a slash at the end.
  var url: String
  var now: Instant
  /// A file of certificates to trust instead of the system's.
  var authorities: String?
  var patience = Duration.seconds(10)

  func checks() async -> [HealthCheck] {
    let sender = HTTPSender(connectionsMax: 1, authorities: authorities)
    var request = OutgoingRequest("GET", "\(url)/app", deadline: patience)
    request.asksForCertificate = true
    do throws(SendingError) {
      let page = try await sender.send(request)
      return certificate(page.certificateEnd) + [
        self.page(page),
        interface(await answer(to: "/v1/me", by: sender)),
        machines(await answer(to: "/metrics", by: sender)),
      ]
    } catch {
      return [unreachable(error)]
    }
  }

  private func answer(to path: String, by sender: HTTPSender) async -> IncomingResponse? {
    try? await sender.send(OutgoingRequest("GET", url + path, deadline: patience))
  }

  private func unreachable(_ error: SendingError) -> HealthCheck {
    let detail = "\(url) cannot be reached: \(error)"
    return switch error {
    case .unreachable(let reason) where reason.contains("resolve"):
      .fail("address", detail, "check the name in `public-url`, and its DNS entry")
    case .unreachable(let reason) where reason.contains("certificate"):
      .fail("certificate", detail, "renew or correct the certificate of the proxy, and reload it")
    case .unreachable(let reason) where reason.contains("SSL"):
      .fail("certificate", detail, "the proxy must speak TLS 1.2 or 1.3 at this port")
    default:
      .fail("address", detail, "check that the proxy runs, its port, and the firewalls between")
    }
  }

  /// - Parameter end: `nil` without TLS.
  private func certificate(_ end: String?) -> [HealthCheck] {
    guard url.lowercased().hasPrefix("https:") else {
      return [
        .warn(
          "certificate", "phones would send positions without encryption",
          "set up HTTPS at the proxy; without it browsers give the page no position")
      ]
    }
    guard let end = end.flatMap(Instant.init(ofCertificate:)) else {
      return [.warn("certificate", "its end cannot be read", "look at it in a browser")]
    }
    let days = (end - now).milliseconds / 86_400_000
    guard days < 14 else { return [.ok("certificate", "valid for \(days) more days")] }
    return [.warn("certificate", "expires in \(days) days", "see why it was not renewed")]
  }

  private func page(_ response: IncomingResponse) -> HealthCheck {
    switch response.status {
    case 200 where contains(response, "<title>ShiftGuard</title>"):
      return .ok("page", "\(url)/app is the page for employees")
    case 503 where contains(response, "\"code\":"):
      return .fail(
        "page", "guardd answers 503: it is not ready, or overloaded",
        "look at `guardctl doctor` on its machine, and at its log")
    case 502, 503, 504:
      return .fail(
        "page", "the proxy answers \(response.status): it does not reach guardd",
        "check that guardd runs, and the address in the settings of the proxy")
    case 300..<400:
      return .fail(
        "page", "\(url)/app leads to \(response.header("Location") ?? "another address")",
        "set `public-url` to the address at which guardd answers itself")
    default:
      return .fail(
        "page", "\(url)/app answers \(response.status), and not with our page",
        "another site has this name: correct `public-url`, or the settings of the proxy")
    }
  }

  /// A request without a token must be refused by guardd, not by something before it.
  private func interface(_ response: IncomingResponse?) -> HealthCheck {
    if let response, response.status == 401, contains(response, "\"unauthorized\"") {
      return .ok("api", "guardd itself answers")
    }
    let found = response.map { "answers \($0.status), and not as guardd does" } ?? "does not answer"
    return .fail(
      "api", "\(url)/v1 \(found)", "the proxy must pass every path on, but those for machines")
  }

  private func machines(_ response: IncomingResponse?) -> HealthCheck {
    guard let response, !(300..<400).contains(response.status) else {
      return .warn("metrics", "\(url)/metrics may be hidden or not", "look at it in a browser")
    }
    guard response.status == 200 else { return .ok("metrics", "hidden from outside") }
    return .warn(
      "metrics", "everybody can read \(url)/metrics",
      "let the proxy refuse it, as the files in deploy/proxy do, or set `metrics-listen`")
  }

  private func contains(_ response: IncomingResponse, _ text: String) -> Bool {
    String(decoding: response.body, as: UTF8.self).contains(text)
  }
}

extension Instant {
  /// A time as OpenSSL writes it: `Nov  6 12:00:00 2027 GMT`.
  init?(ofCertificate text: String) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "MMM d HH:mm:ss yyyy"
    let words = text.split(separator: " ").prefix(4).joined(separator: " ")
    guard let date = formatter.date(from: words) else { return nil }
    self.init(milliseconds: Int64(date.timeIntervalSince1970 * 1_000))
  }
}
