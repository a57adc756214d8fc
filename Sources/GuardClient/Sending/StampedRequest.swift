import JSONText
import ShiftDomain

/// A request that a phone repeats until it is answered. Each attempt says in `sentAt` when it was
/// made, and is otherwise the same.
package struct StampedRequest: Sendable {
  private let path: String
  /// A JSON object without `sentAt`.
  private let body: [UInt8]

  private init(_ path: String, _ body: [UInt8]) {
    self.path = path
    self.body = body
  }

  package static func pings(_ pings: [RecordedPing], installation: String? = nil) -> Self {
    list("pings", pings, installation, at: "/v1/pings") { $1.write(json: &$0) }
  }

  /// One report, whose answer is about it alone.
  package static func report(_ report: JSONObject) -> Self {
    Self(reportPath, JSONValue.object(report).bytes)
  }

  static func reports(_ reports: [[UInt8]], installation: String) -> Self {
    list("reports", reports, installation, at: reportPath) { $0 += $1 }
  }

  /// - Parameter body: A JSON object, which has its installation already.
  package static func clockAction(_ kind: ClockActionKind, _ body: [UInt8]) -> Self {
    Self(kind.path, body)
  }

  static func appEvents(_ events: [[UInt8]]) -> Self {
    list("events", events, nil, at: "/v1/me/app-events") { $0 += $1 }
  }

  package func attempt(at now: Instant, token: String, language: String? = nil) -> GuardRequest {
    var bytes = Array(#"{"sentAt":""#.utf8) + now.rfc3339.utf8 + #"","#.utf8
    bytes += body.dropFirst()
    return GuardRequest("POST", path, token: token, language: language, body: bytes)
  }

  private static let reportPath = "/v1/permission-reports"

  /// By hand: a backlog has many thousands.
  private static func list<Item>(
    _ name: String, _ items: [Item], _ installation: String?, at path: String,
    write: (inout [UInt8], Item) -> Void
  ) -> Self {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    if let installation {
      bytes += #""installation":"#.utf8
      bytes += JSONValue.string(installation).bytes
      bytes.append(UInt8(ascii: ","))
    }
    bytes += "\"\(name)\":[".utf8
    for (place, item) in items.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      write(&bytes, item)
    }
    bytes += "]}".utf8
    return StampedRequest(path, bytes)
  }
}
