import DeviceAPI
import EmployeePage
import Foundation
import HTTPServing
import Lifecycle
import ManagerOperations
import NotificationQueue
import Postgres
import ShiftDomain
import ShiftTestKit
import Telemetry
import TestKit
import TestPrograms
import Testing

/// A team with one employee, Ana, behind the page and the device API, by the machine's clock: a
/// browser has no other.
struct PageWorld: TestWorld {
  static let employee = EmployeeID(7)

  let operations: TestOperations

  static func run(_ body: (PageWorld, _ address: String) async throws -> Void) async throws {
    try await withDatabase { pool in
      let operations = TestOperations(pool: pool, now: wallClock)
      let team = try await operations.manager.addTeam(name: "Coast", timeZone: "Europe/Zagreb")
      _ = try await operations.manager.addEmployee(employee, name: "Ana Horvat", team: team)
      let world = PageWorld(operations: operations)
      try await world.serve { try await body(world, $0) }
    }
  }

  func code() async throws -> String {
    try await operations.manager.createEnrolmentCode(for: Self.employee, validFor: .hours(1)).code
  }

  /// The rules as WebAssembly, if `deploy/checks/wasm` has built them.
  static var rules: [UInt8]? {
    let path = Browser.root.appending(path: ".build/wasm/GuardRules.wasm").path
    return FileManager.default.contents(atPath: path).map { Array($0) }
  }

  /// What a story makes others do.
  private var orders: [Route] {
    func order(_ name: String, _ body: @escaping @Sendable () async throws -> String) -> Route {
      Route(.post, "/test/\(name)") { _ in
        do { return .text(try await body()) } catch { return .text("\(error)", status: 500) }
      }
    }
    return [
      order("code") { try await code() },
      order("notice") {
        _ = try await operations.manager.setPrivacyNotice(
          "Positions are stored for 60 days.\n\nYour managers see coverage.", by: .arranger)
        return "done"
      },
      order("look") {
        _ = try await operations.manager.openTrack(
          of: ShiftID(employee: Self.employee, number: 1), by: .arranger, purpose: "Lost keys",
          isExport: false)
        return "done"
      },
      order("notify") {
        let notification = ShiftNotification(
          .incident, subject: 1, kind: .denied, dueAt: wallClock(), isUrgent: true)
        try await pool.write(deliver(notification, to: Self.employee, at: wallClock()))
        return "done"
      },
    ]
  }

  /// Serves on loopback for as long as `body` runs.
  private func serve(_ body: (_ address: String) async throws -> Void) async throws {
    let streams = NotificationStreams(operations: operations.device, monitor: .unread)
    let routes =
      employeePageRoutes(rules: Self.rules)
      + deviceRoutes(operations.device, now: wallClock, streams: streams)
    var configuration = ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))
    configuration.drainGrace = .milliseconds(500)
    let server = try HTTPServer(configuration, router: Router(routes.map(\.route) + orders))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask { await streams.run() }
      do {
        try await body("http://\(server.address)")
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
    }
  }
}

/// Debian's Chromium, driven by Python from `.build/browser`.
enum Browser {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The lines that `Browser/SCRIPT.py` prints, without its remarks.
  static func run(_ script: String, _ arguments: String...) async throws -> [Substring] {
    let python = root.appending(path: ".build/browser/bin/python").path
    try #require(
      FileManager.default.fileExists(atPath: python),
      "there is no .build/browser; run deploy/checks/peers first")
    let file = try #require(
      Bundle.module.url(forResource: script, withExtension: "py", subdirectory: "Browser"))
    // One browser at a time: several on two cores would slow each other down.
    let turn = root.appending(path: ".build/browser/turn").path
    let text = try await ChildProgram(
      ["flock", turn, "timeout", "240", python, "-B", file.path] + arguments
    ).output()
    let lines = text.split(separator: "\n")
    for remark in lines where remark.hasPrefix("#") { print(remark) }
    return lines.filter { !$0.hasPrefix("#") }
  }

  /// The folder for screenshots; empty if none are wanted.
  static var pictures: String {
    ProcessInfo.processInfo.environment["SHIFTGUARD_PICTURES"] ?? ""
  }
}
