import DeviceAPI
import Foundation
import Guidance
import HTTPAPI
import HTTPServing
import ManagerAPI
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing
import WebPages

/// openapi.yaml and the router, compared in both directions.
@Suite("The API description") struct OpenAPITests {
  private static let file = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../openapi.yaml").standardized

  /// The lines of the block called `name`.
  private func block(_ name: String) throws -> [Substring] {
    let lines = try String(contentsOf: Self.file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "\(name):")) + 1
    return lines[start...].prefix { $0.isEmpty || $0.hasPrefix(" ") }.map { $0 }
  }

  /// Every `METHOD /path` in the file. Paths are indented by two spaces, methods by four.
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

  private static let now: @Sendable () -> Instant = { Instant(milliseconds: 0) }

  private func operations() throws -> TestOperations {
    let pool = Pool(try ConnectionConfiguration("host=/nonexistent"), size: 1, waitersMax: 0)
    return TestOperations(pool: pool, now: Self.now)
  }

  private func routes() throws -> [Route] {
    let operations = try operations()
    return deviceRoutes(operations.device, now: Self.now)
      + managerRoutes(operations.manager, now: Self.now)
      + machineRoutes(troubles: { [] }, metrics: { "" })
  }

  private func pages() throws -> [Route] {
    let operations = try operations()
    var settings = PageSettings(authenticatingBy: operations.manager, now: Self.now)
    settings.mapLibrary = MapLibrary(script: [], styles: [])
    return pageRoutes(operations.manager, settings)
  }

  @Test("lists every route, and no other")
  func routesMatch() throws {
    let served = Set(
      Router(try routes()).routes.map { "\($0.method.rawValue) \($0.pattern)" })
    #expect(try described() == served)
    #expect(served.count == 78)
  }

  // R: W11
  @Test("and the pages match the rows of the access table exactly")
  func rowsMatch() throws {
    let served = Set(try routes().map { "\($0.method.rawValue) \($0.pattern)" })
    let pages = Set(try pages().map { "\($0.method.rawValue) \($0.pattern)" })
    #expect(pages.count > 20 && pages.isDisjoint(with: served))
    // Assets are served under the hash of their contents.
    let rows = pages.map {
      $0.replacing(#/^GET /assets/[0-9a-f]{12}//#, with: "GET /assets/{version}/")
    }
    #expect(Set(Access.table.keys) == served.union(rows))
  }

  // R: W11
  @Test("names the credentials of every operation as the access table does")
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
    let both = "[{ apiToken: [] }, { session: [] }]"
    for route in try described() {
      let wanted =
        switch Access.table[route] {
        case .anybody: "[]"
        case .device: "device"
        case .account: "[{ session: [] }]"
        case .anyManager, .employee, .team, .listing, .administrator: both
        case nil: "of the table"
        }
      #expect(told[route] == wanted, "\(route)")
    }
  }

  @Test("says how errors are answered for every route, except routes for machines")
  func problems() throws {
    var path = ""
    var call = ""
    var told: [String: [Substring]] = [:]
    for line in try block("paths") {
      if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
      let word = line.dropFirst(4).dropLast()
      if line.hasPrefix("    "), let method = HTTPMethod(rawValue: word.uppercased()) {
        call = "\(method.rawValue) \(path)"
      }
      told[call, default: []].append(line)
    }
    var files: Set<String> = []
    for call in try described() {
      let lines = try #require(told[call])
      let isForMachines = lines.contains("      tags: [machine]")
      let hasDefault = lines.contains("        default: { $ref: '#/components/responses/Problem' }")
      #expect(hasDefault != isForMachines, "\(call)")
      guard lines.contains("          text/csv:") else { continue }
      files.insert(call)
      #expect(lines.contains("        '422':"), "\(call)")
    }
    #expect(files == ["POST /v1/employees/import", "POST /v1/planned-shifts/import"])
  }

  @Test("says that every 405 has `Allow`, and the router sends it")
  func methods() async throws {
    let lines = try block("components")
    let start = try #require(lines.firstIndex(of: "    Problem:")) + 1
    let problem = lines[start...].prefix { $0.hasPrefix("     ") }
    #expect(problem.contains { $0.hasPrefix("        Allow: ") && $0.contains("every 405") })
    let router = Router(try routes())
    for (pattern, routes) in Dictionary(grouping: router.routes, by: \.pattern) {
      var allowed = Set(routes.map(\.method))
      if allowed.contains(.get) { allowed.insert(.head) }
      let path = pattern.replacing(/\{\w+\}/, with: "1")
      for method in HTTPMethod.allCases where !allowed.contains(method) {
        let answer = await router.respond(to: try HTTPRequest(method, path))
        #expect(answer.status == 405, "\(method.rawValue) \(path)")
        #expect(
          answer.headers["Allow"] == allowed.map(\.rawValue).sorted().joined(separator: ", "),
          "\(method.rawValue) \(path)")
      }
    }
  }

  @Test("lists every problem code that the sources use")
  func codesMatch() throws {
    let sources = Self.file.deletingLastPathComponent().appendingPathComponent("Sources")
    let listed = try String(contentsOf: Self.file, encoding: .utf8)
    for module in ["HTTPAPI", "DeviceAPI", "ManagerAPI", "HTTPServing"] {
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
    "says how to choose the language for exactly those operations that answer with guidance")
  func languages() throws {
    let calls = try block("paths").joined(separator: "\n").split(separator: /\n(?=    [a-z]+:\n)/)
    var guiding = 0
    for call in calls {
      let guides = call.contains(/schemas\/(ReportResponse|CurrentStatus|ClockActionResponse|Me)'/)
      if guides { guiding += 1 }
      for part in ["parameters/Accept-Language", "headers/Content-Language", "headers/Vary"] {
        #expect(call.contains(part) == guides, "\(part): \(call.prefix(120))")
      }
    }
    #expect(guiding == 10)
  }

  @Test("lists every language that exists")
  func languagesMatch() throws {
    let codes = Language.allCases.map(\.code)
    let components = try block("components").joined(separator: "\n")
    #expect(components.contains("schema: { enum: [\(codes.joined(separator: ", "))] }"))
  }

  @Test("refers only to components that exist")
  func references() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let components = try block("components").joined(separator: "\n")
    for match in text.matches(of: /#\/components\/\w+\/([\w-]+)/) {
      let isThere = components.contains("\n    \(match.1):")
      #expect(isThere, "\(match.1)")
    }
  }
}
