import Foundation
import HTTPAPI
import HTTPServing
import InstallationOperations
import ManagerCore
import OperationCore
import ReadModels
import ShiftDomain
import TestKit
import TestPrograms
import Testing
import WebPages

/// The pages of a day, with a manager who logs in with one password.
struct PageServer: Sendable {
  static let principal = Principal(
    actor: AuditActor(name: "Mira Lončar"), role: .administrator, teams: [:])

  let day: DemoDay
  let router: Router
  private let principal: Principal

  /// - Parameter session: The session of Mira's browser.
  init(
    _ day: DemoDay, principal: Principal = PageServer.principal, session: SessionID? = SessionID(1),
    tiles: MapTiles? = nil, mapLibrary: MapLibrary? = nil, boardEvents: String? = nil,
    hasDownloads: Bool = false, reportPatience: Duration = .seconds(60), others: [Route] = []
  ) {
    self.day = day
    self.principal = principal
    var settings = PageSettings(
      now: { day.now },
      authenticate: { request in
        guard request.headers["Cookie"]?.contains("session=mira") == true else {
          throw OperationError.unauthorized
        }
        var authenticated = principal
        authenticated.session = session
        return authenticated
      },
      logIn: { email, password, _ in
        switch (email, password) {
        case ("mira@example.com", "correct horse battery"):
          return "session=mira; Path=/; HttpOnly; SameSite=Strict"
        case ("flood@example.com", _): return try LoginOutcome.throttled(.seconds(30)).get().secret
        default: return try LoginOutcome.refused.get().secret
        }
      },
      logOut: { _ in "session=; Path=/; Max-Age=0" }, boardEvents: boardEvents,
      openTrack: { shifts, purpose, principal in
        day.opened.withLock { $0.append("\(principal.actor.name): \(purpose)") }
        return shifts.map { day.walked(by: $0.employee.rawValue) }
      }, tiles: tiles)
    settings.hasDownloads = hasDownloads
    // No worker sends anything here, so nothing is worth waiting for.
    settings.testPatience = .zero
    settings.reportPatience = reportPatience
    settings.setUpChannels = { [.email, .webhook] }
    settings.mapLibrary = mapLibrary
    settings.pushKey =
      "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    router = Router(
      pageRoutes(day.operations.manager, settings).map(\.route) + others,
      fallback: missingPage(for:above:))
  }

  /// The pages with these settings.
  init(_ day: DemoDay, _ settings: PageSettings) {
    self.day = day
    principal = Self.principal
    router = Router(
      pageRoutes(day.operations.manager, settings).map(\.route), fallback: missingPage(for:above:))
  }

  /// Sends a request as Mira's browser would.
  func get(_ path: String, isLoggedIn: Bool = true) async throws -> (HTTPResponse, String) {
    var headers: HTTPHeaders = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]
    if isLoggedIn { headers["Cookie"] = "session=mira" }
    return text(await router.respond(to: try HTTPRequest(.get, path, headers: headers)))
  }

  /// The tag in the page's form, which names the version that was read.
  func tag(on path: String) async throws -> String {
    let text = try await get(path).1
    return String(try #require(text.firstMatch(of: /name="tag" value="([^"]*)"/), "\(path)").1)
  }

  /// Sends a form as one of our pages would.
  func post(
    _ path: String, _ form: String, site: String? = "same-origin", isLoggedIn: Bool = true
  ) async throws -> (HTTPResponse, String) {
    try await post(
      path, bytes: Array(form.utf8), type: "application/x-www-form-urlencoded", site: site,
      isLoggedIn: isLoggedIn)
  }

  /// The same with a body of any type.
  func post(
    _ path: String, bytes: [UInt8], type: String, site: String? = "same-origin",
    isLoggedIn: Bool = true
  ) async throws -> (HTTPResponse, String) {
    var headers: HTTPHeaders = ["Content-Type": type]
    headers["Sec-Fetch-Site"] = site
    if isLoggedIn { headers["Cookie"] = "session=mira" }
    return text(
      await router.respond(to: try HTTPRequest(.post, path, headers: headers, body: bytes)))
  }

  private func text(_ response: HTTPResponse) -> (HTTPResponse, String) {
    guard case .bytes(let bytes) = response.body else { return (response, "") }
    return (response, String(decoding: bytes, as: UTF8.self))
  }

  /// Serves on loopback for as long as `body` runs.
  func serve(_ body: (_ address: String) async throws -> Void) async throws {
    try await HTTPServer(.patient, router: router).serving(body)
  }
}

/// Debian's Chromium, controlled by the scripts in `Browser`.
enum Browser {
  /// The lines that `Browser/SCRIPT.py` prints, without its remarks.
  static func run(_ script: String, _ arguments: String...) async throws -> [Substring] {
    try await BrowserScript(script, of: "WebPagesTests").lines(arguments)
  }

  /// The folder for screenshots; empty if none are wanted.
  static var pictures: String {
    ProcessInfo.processInfo.environment["SHIFTGUARD_PICTURES"] ?? ""
  }
}
