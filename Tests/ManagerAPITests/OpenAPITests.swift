import APIMessages
import DeviceAPI
import Foundation
import Guidance
import HTTPServing
import ManagerAPI
import Postgres
import ShiftDomain
import ShiftOperations
import Testing

/// openapi.yaml and the router, held together in both directions.
@Suite("The API's description") struct OpenAPITests {
  private static let file = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../openapi.yaml").standardized

  /// The lines of the block called `name`.
  private func block(_ name: String) throws -> [Substring] {
    let lines = try String(contentsOf: Self.file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "\(name):")) + 1
    return lines[start...].prefix { $0.isEmpty || $0.hasPrefix(" ") }.map { $0 }
  }

  /// Every `METHOD /path` in the file. Paths stand two spaces in, methods four.
  private func described() throws -> Set<String> {
    var path = ""
    var calls: Set<String> = []
    for line in try block("paths") where line.hasSuffix(":") {
      if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
      let word = line.dropFirst(4).dropLast()
      if line.hasPrefix("    "), let method = HTTPMethod(rawValue: word.uppercased()) {
        calls.insert("\(method.rawValue) \(path)")
      }
    }
    return calls
  }

  private func routes() throws -> [Route] {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    let now: @Sendable () -> Instant = { Instant(milliseconds: 0) }
    let operations = Operations(pool: pool, now: now)
    return deviceRoutes(operations, now: now) + managerRoutes(operations, now: now)
      + machineRoutes(isReady: { true }, metrics: { "" })
  }

  @Test("names every route, and no other")
  func routesMatch() throws {
    let served = Set(
      Router(try routes()).routes.map { "\($0.method.rawValue) \($0.pattern)" })
    #expect(try described() == served)
    #expect(served.count == 75)
    #expect(Set(Access.table.keys) == served, "every route says whom it lets in, and no other")
  }

  // R: W11
  @Test("says of every call by what it is let in, as the table of access does")
  func security() throws {
    var path = ""
    var call = ""
    var told: [String: String] = [:]
    for line in try block("paths") {
      if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
      let word = line.dropFirst(4).dropLast()
      if line.hasPrefix("    "), let method = HTTPMethod(rawValue: word.uppercased()) {
        call = "\(method.rawValue) \(path)"
        told[call] = "device"
      }
      if line.hasPrefix("      security: ") { told[call] = String(line.dropFirst(16)) }
    }
    let both = "[{ accessToken: [] }, { session: [] }]"
    for (route, access) in Access.table {
      let wanted =
        switch access {
        case .anybody: "[]"
        case .device: "device"
        case .account: "[{ session: [] }]"
        case .office, .employee, .team, .listing, .administrator: both
        }
      #expect(told[route] == wanted, "\(route)")
    }
  }

  @Test("lists every problem code that the sources know")
  func codesMatch() throws {
    let sources = Self.file.deletingLastPathComponent().appendingPathComponent("Sources")
    let listed = try String(contentsOf: Self.file, encoding: .utf8)
    for module in ["APIMessages", "DeviceAPI", "ManagerAPI", "HTTPServing"] {
      let folder = sources.appendingPathComponent(module)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        for match in text.matches(of: /(?:code: |conflict\()"([a-z_]+)"/) {
          let isListed = listed.contains("`\(match.1)`")
          #expect(isListed, "\(match.1) of \(name)")
        }
      }
    }
  }

  @Test(
    "says of every call that answers with guidance, and of no other, how to choose its language")
  func languages() throws {
    let calls = try block("paths").joined(separator: "\n").split(separator: /\n(?=    [a-z]+:\n)/)
    var guiding = 0
    for call in calls {
      let guides = call.contains(/schemas\/(ReportAnswer|Present|ShiftAnswer|Me)'/)
      if guides { guiding += 1 }
      for part in ["parameters/Accept-Language", "headers/Content-Language", "headers/Vary"] {
        #expect(call.contains(part) == guides, "\(part): \(call.prefix(120))")
      }
    }
    #expect(guiding == 10)
  }

  @Test("lists every language that there is")
  func languagesMatch() throws {
    let codes = Language.allCases.map(\.code)
    let components = try block("components").joined(separator: "\n")
    #expect(components.contains("schema: { enum: [\(codes.joined(separator: ", "))] }"))
  }

  @Test("refers to nothing that is not there")
  func references() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let components = try block("components").joined(separator: "\n")
    for match in text.matches(of: /#\/components\/\w+\/([\w-]+)/) {
      let isThere = components.contains("\n    \(match.1):")
      #expect(isThere, "\(match.1)")
    }
  }
}
