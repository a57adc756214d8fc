import DeviceAPI
import Foundation
import Guidance
import HTTPAPI
import HTTPServing
import ManagerAPI
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestPrograms
import Testing
import WebPages

/// openapi.yaml and the router, held together in both directions.
@Suite("The API's description") struct OpenAPITests {
  private static let file = projectFolder.appending(path: "openapi.yaml")

  /// The lines of the block called `name`.
  private func block(_ name: String) throws -> [Substring] {
    let lines = try String(contentsOf: Self.file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "\(name):")) + 1
    return lines[start...].prefix { $0.isEmpty || $0.hasPrefix(" ") }.map { $0 }
  }

  /// Every `METHOD /path` in the file. Paths stand two spaces in, methods four.
  func described() throws -> Set<String> {
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

  private func routes() throws -> [AccessRoute] {
    let operations = try operations()
    // An app's address may end with a slash, which needs no description of its own.
    return deviceRoutes(operations.device, now: Self.now).filter { !$0.name.hasSuffix("/") }
      + managerRoutes(operations.manager, now: Self.now)
      + machineRoutes(version: "1", troubles: { [] }, metrics: { "" })
  }

  private func pages() throws -> [AccessRoute] {
    let operations = try operations()
    var settings = PageSettings(authenticatingBy: operations.manager, now: Self.now)
    settings.mapLibrary = MapLibrary(script: [], styles: [])
    return pageRoutes(operations.manager, settings)
  }

  @Test("names every route, and no other")
  func routesMatch() throws {
    let served = Set(try routes().map(\.name))
    #expect(try described() == served)
    #expect(served.count > 100, "the routes were not found")
  }

  /// Every page and form that is not only for administrators.
  private static let pagesOfOthers: [Access: Set<String>] = [
    .anybody: [
      "GET /login", "POST /login", "POST /logout", "GET /assets/pages.css", "GET /assets/pages.js",
      "GET /assets/icon.svg", "GET /assets/leaflet.css", "GET /assets/leaflet.js",
      "GET /assets/board.js", "GET /assets/board-worker.js", "GET /assets/manifest.webmanifest",
    ],
    .account: [
      "GET /account", "POST /account/password", "POST /account/sessions/end",
      "POST /account/sessions/{session}/end", "POST /account/contacts/{team}",
      "POST /account/contacts/{team}/digest", "POST /account/browsers",
      "POST /account/browsers/{browser}/remove",
    ],
    .listing(.coverage): [
      "GET /", "GET /coverage", "GET /notifications", "GET /reviews",
      "POST /reviews/decisions", "GET /settings",
      "GET /plan", "POST /plan/copy", "GET /statistics", "GET /time-sheets",
      "POST /time-sheets/approve", "POST /time-sheets/approvals",
      "GET /time-sheets/reopen", "POST /time-sheets/reopenings",
    ],
    .team(.coverage): [
      "GET /settings/teams/{team}", "GET /settings/teams/{team}/contacts",
      "GET /settings/teams/{team}/sites", "GET /settings/teams/{team}/digest",
    ],
    .employee(.coverage): [
      "GET /employees/{employee}", "GET /employees/{employee}/shifts",
      "GET /employees/{employee}/devices", "GET /employees/{employee}/data",
      "POST /employees/{employee}/shifts",
      "POST /employees/{employee}/planned-shifts",
      "POST /employees/{employee}/planned-shifts/{plannedShift}/change",
      "POST /employees/{employee}/planned-shifts/{plannedShift}/remove",
      "POST /employees/{employee}/absences",
      "POST /employees/{employee}/absences/{absence}/remove",
      "GET /plan/{employee}/{date}", "POST /plan/{employee}/{date}/planned-shifts",
      "POST /plan/{employee}/{date}/planned-shifts/{plannedShift}/change",
      "POST /plan/{employee}/{date}/planned-shifts/{plannedShift}/remove",
      "POST /plan/{employee}/{date}/absences",
      "POST /plan/{employee}/{date}/absences/{absence}/remove",
      "POST /employees/{employee}/overrides",
      "POST /employees/{employee}/shift",
      "POST /employees/{employee}/reminders",
      "POST /employees/{employee}/overrides/{override}/withdraw",
      "POST /employees/{employee}/clock-actions/{clockAction}/accept",
      "POST /employees/{employee}/clock-actions/{clockAction}/dismiss",
      "POST /employees/{employee}/clock-actions/{clockAction}/undo-dismissal",
      "GET /employees/{employee}/shifts/{shift}",
      "POST /employees/{employee}/shifts/{shift}/accept",
      "POST /employees/{employee}/shifts/{shift}/corrections",
      "POST /employees/{employee}/shifts/{shift}/corrections/{correction}/undo",
      "POST /employees/{employee}/shifts/{shift}/reopen",
    ],
    .listing(.track): ["GET /map", "POST /map"],
    .employee(.all): [
      "POST /employees/{employee}/shifts/{shift}/track", "GET /employees/{employee}/days/{date}",
      "POST /employees/{employee}/days/{date}/track",
    ],
  ]

  // R: W11
  @Test("leaves out the pages, which are for administrators, except those of this list")
  func pagesMatch() throws {
    var found: [Access: Set<String>] = [:]
    // What pages are dressed with is served in a folder named after its contents.
    for page in try pages() {
      found[page.access, default: []].insert(
        page.name.replacing(#//assets/\w+//#, with: "/assets/"))
    }
    let administrators = found.removeValue(forKey: .administrator)
    #expect(found == Self.pagesOfOthers)
    #expect((administrators?.count ?? 0) > 40, "the pages were not found")
    let pages = Set(try pages().map(\.name))
    let routes = try routes().map(\.name)
    #expect(pages.isDisjoint(with: routes))
  }

  // R: W11
  @Test("says of every call who may make it, as its route does")
  func security() throws {
    var path = ""
    var call = ""
    var told: [String: String] = [:]
    var administrators: Set<String> = []
    for line in try block("paths") {
      if line.hasPrefix("  /") { path = String(line.dropFirst(2).dropLast()) }
      let word = line.dropFirst(4).dropLast()
      if line.hasPrefix("    "), let method = HTTPMethod(rawValue: word.uppercased()) {
        call = "\(method.rawValue) \(path)"
        told[call] = "device"
      }
      if line.hasPrefix("      security: ") { told[call] = String(line.dropFirst(16)) }
      if line.hasPrefix("      summary: "), line.hasSuffix(" (administrators)") {
        administrators.insert(call)
      }
    }
    // The audit log about employees says where managers looked.
    let tracks: Set<String> = [
      "GET /v1/employees/{employee}/audit", "GET /v1/employees/{employee}/shifts/{shift}/track",
    ]
    let forAnyManager: Set<String> = ["GET /v1/account", "GET /v1/payroll-settings"]
    for route in try routes() {
      let name = route.name
      let wanted: Access? =
        switch told[name] {
        case "[]": .anybody
        case "device", "[{ deviceToken: [] }, { appPassword: [] }]": .device
        case "[{ session: [] }]": .account
        case "[{ apiToken: [] }, { session: [] }]":
          if administrators.contains(name) {
            .administrator
          } else if name.contains("{employee}") {
            .employee(tracks.contains(name) ? .track : .coverage)
          } else if name.contains("{team}") {
            .team(.coverage)
          } else {
            forAnyManager.contains(name)
              ? .anyManager : .listing(name == "GET /v1/map" ? .track : .coverage)
          }
        default: nil
        }
      #expect(route.access == wanted, "\(name)")
    }
  }

  @Test("says for every route, except those for machines, how a wrong request is answered")
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
    let router = Router(try routes().map(\.route))
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

  @Test("lists every problem code that the sources know")
  func codesMatch() throws {
    let sources = projectFolder.appending(path: "Sources")
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
    "says of every call that answers with guidance, and of no other, how to choose its language")
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
    #expect(guiding == 11)
  }

  @Test("lists every language that there is")
  func languagesMatch() throws {
    let codes = Language.allCases.map(\.code)
    let components = try block("components").joined(separator: "\n")
    #expect(components.contains("schema: { enum: [\(codes.joined(separator: ", "))] }"))
  }

  @Test("lists every action of the audit log that there is")
  func auditActionsMatch() throws {
    let components = try block("components").joined(separator: "\n")
    for action in AuditAction.allCases {
      #expect(components.contains("\n        - \(action.code)\n"), "\(action.code)")
    }
  }

  // Generators of clients name an object within a schema after both, and drop every call that uses
  // either of two with one name.
  @Test("has no object within a schema whose name a generator would give to another schema")
  func inlineNames() throws {
    let lines = try block("components")
    let start = try #require(lines.firstIndex(of: "  schemas:"))
    let schemas = lines[start...].compactMap { $0.wholeMatch(of: #/    (\w+):/#)?.1 }
    #expect(schemas.count > 100)
    var schema = Substring()
    for (line, next) in zip(lines[start...], lines[(start + 1)...]) {
      schema = line.wholeMatch(of: #/    (\w+):/#)?.1 ?? schema
      guard let property = line.firstMatch(of: /^ {6,}(\w+):/)?.1,
        !line.contains("$ref"), !(line.hasSuffix(":") && next.contains("$ref"))
      else { continue }
      let name = schema + property.prefix(1).uppercased() + property.dropFirst()
      #expect(!schemas.contains(name[...]), "\(schema).\(property)")
    }
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
