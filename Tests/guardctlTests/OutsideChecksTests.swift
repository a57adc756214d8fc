import CommandParsing
import Foundation
import HTTPServing
import ShiftDomain
import TestKit
import TestPrograms
import Testing

@testable import guardctl

@Suite("Examining the address of phones from outside", .timeLimit(.minutes(5)))
struct OutsideChecksTests {
  /// Not stored: a certificate of a later test would seem valid for longer.
  private static var now: Instant {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
  }

  private static func checks(
    _ url: String, authorities: String? = nil
  ) async -> [String: (level: HealthCheck.Level, detail: String)] {
    var outside = OutsideChecks(url: url, now: now, authorities: authorities)
    outside.patience = TestDatabase.patience
    let checks = await outside.checks()
    #expect(checks.allSatisfy { ($0.level == .ok) == ($0.remedy == nil) })
    return Dictionary(uniqueKeysWithValues: checks.map { ($0.subject, ($0.level, $0.detail)) })
  }

  /// Serves for as long as `body` runs; every path as `answer` says.
  private static func serving(
    _ answer: @escaping @Sendable (String) -> HTTPResponse, _ body: (String) async throws -> Void
  ) async throws {
    try await HTTPServer(.patient) { answer($0.path) }.serving(body)
  }

  // R: W26
  @Test("our answers are recognised; anything else in front is named")
  func answers() async throws {
    try await Self.serving({ path in
      switch path {
      case "/app": .text("<title>ShiftGuard</title>")
      case "/v1/me":
        HTTPResponse(status: 401, body: .bytes(Array(#"{"code":"unauthorized"}"#.utf8)))
      default: HTTPResponse(status: 404)
      }
    }) { url in
      let found = await Self.checks(url)
      #expect(found["page"]?.level == .ok && found["api"]?.level == .ok, "\(found)")
      #expect(found["metrics"]?.level == .ok && found["certificate"]?.level == .warn)
    }
    try await Self.serving({ _ in HTTPResponse(status: 502) }) { url in
      let found = await Self.checks(url)
      #expect(found["page"]?.detail == "the proxy answers 502: it does not reach guardd")
      #expect(found["page"]?.level == .fail && found["api"]?.level == .fail)
    }
    try await Self.serving({ _ in .text("Welcome to nginx!") }) { url in
      let found = await Self.checks(url)
      #expect(found["page"]?.level == .fail && found["metrics"]?.level == .warn, "\(found)")
    }
    try await Self.serving({ _ in HTTPResponse(status: 302, headers: ["Location": "/"]) }) { url in
      #expect(await Self.checks(url)["metrics"]?.level == .warn)
    }
    let closed = await Self.checks("http://127.0.0.1:1")
    #expect(closed["address"]?.level == .fail && closed.count == 1, "\(closed)")
  }

  @Test("nothing that a server says controls the terminal")
  func controls() {
    let check = HealthCheck.fail("page", "leads to \u{1B}]0;owned\u{7}", "see \u{1B}[2J")
    let screen = Surface(isTable: true, styling: Styling(isOn: false), now: Self.now)
    let lines = HealthReport(checks: [check]).lines(on: screen).joined()
    #expect(!lines.contains("\u{1B}") && !lines.contains("\u{7}"), "\(lines)")
  }

  typealias Row = (name: String, host: String, days: Int, level: HealthCheck.Level, says: String)

  static let rows: [Row] = [
    ("valid for long", "localhost", 90, .ok, "valid for 89 more days"),
    ("about to expire", "localhost", 5, .warn, "expires in 4 days"),
    ("expired", "localhost", -1, .fail, "the certificate has expired"),
    ("for another name", "127.0.0.1", 90, .fail, "the certificate is for another name"),
  ]

  // R: W26
  @Test(
    "the certificate is trusted, in time and for this name, or it says what is wrong",
    arguments: rows)
  func certificates(_ row: Row) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let peer = try RunningProgram(
      ["/bin/bash", "-c", Self.peer, "peer", folder.path, "\(row.days)"])
    defer { peer.terminate() }
    let line = try await peer.line(with: "ACCEPT")
    let port = try #require(line.split(separator: ":").last)
    let found = await Self.checks(
      "https://\(row.host):\(port)", authorities: folder.appending(path: "peer.crt").path)
    #expect(found["certificate"]?.level == row.level, "\(found)")
    #expect(found["certificate"]?.detail.contains(row.says) == true, "\(found)")
  }

  @Test("the address is the option's, or that of the settings")
  func address() async throws {
    let none = try await bash(
      "guardctl doctor --from-outside --json", variables: ["SHIFTGUARD_CONFIG": "/nowhere"])
    #expect(none.status == 2 && none.output.contains("public-url"), "\(none)")
    let closed = try await guardctl(
      "doctor", "--from-outside", "--json", "--server", "http://127.0.0.1:1")
    #expect(closed.status == 2 && closed.output.contains("127.0.0.1:1 cannot be reached"))
  }

  /// A server with a certificate for `localhost` that is valid for as many days.
  private static let peer = """
    set -euo pipefail
    cd "$1"
    touch index
    echo 01 > serial
    cat > ca.cnf << 'CONFIG'
    [ca]
    default_ca = peer
    [peer]
    database = index
    serial = serial
    new_certs_dir = .
    default_md = sha256
    policy = names
    copy_extensions = copy
    [names]
    commonName = supplied
    CONFIG
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout peer.key \
      -out request -subj /CN=localhost -addext subjectAltName=DNS:localhost
    openssl ca -batch -selfsign -config ca.cnf -in request -keyfile peer.key -notext \
      -out peer.crt -startdate "$(date -u -d '-9 days' +%Y%m%d%H%M%SZ)" \
      -enddate "$(date -u -d "$2 days" +%Y%m%d%H%M%SZ)"
    exec openssl s_server -accept 127.0.0.1:0 -cert peer.crt -key peer.key -www
    """
}
