import BackgroundOperations
import DeviceOperations
import Foundation
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import Testing

/// A migrated database with one employee, seen by `guardctl` and by the use cases at once.
struct CommandWorld: TestWorld {
  let url: String
  let operations: TestOperations

  func guardctl(_ arguments: String...) async throws -> Run { try await guardctl(arguments) }

  func guardctl(_ arguments: [String]) async throws -> Run {
    try await guardctlTests.guardctl(arguments, database: url)
  }

  /// Enrols a phone with a code that `guardctl` made.
  func enrol(_ platform: Platform = .ios) async throws -> TestPhone {
    let code = try await guardctl("enrol", "--employee", "7")
    let enrolment = try await operations.device.enrol(
      code: code.output.trimmingCharacters(in: .whitespacesAndNewlines),
      NewDevice(platform: platform, osVersion: "17.5", model: "iPhone15,2"), receipt: receipt)
    return try TestPhone(token: enrolment.token, in: self)
  }

  func report(_ authorization: Authorization, from device: TestPhone) async throws {
    let state = PermissionState(
      authorization: authorization, grantPath: .settings, accuracy: .full, services: .on)
    _ = try await operations.device.report(
      IncomingReport(.state(state)), sentAt: nil, from: device.credential, receipt: receipt)
  }

  func clockIn(_ device: TestPhone) async throws {
    _ = try await device.clockIn("action")
  }

  /// Decides on the messages of employee 7 as the delivery will in ten seconds; every way that is
  /// set up refuses them.
  func decideDeliveries() async throws {
    let later = TestOperations(
      pool: pool, now: wallClock, deadlines: { wallClock() + .seconds(10) })
    let refused = try await later.background.decideDeliveries(EmployeeID(7)).map {
      SendingResult(of: $0, .refused, reason: "too large")
    }
    if !refused.isEmpty {
      _ = try await later.background.decideDeliveries(EmployeeID(7), after: refused)
    }
  }

  /// Has pushes sent to `device`.
  func registerPush(of device: TestPhone) async throws {
    try await operations.device.setPushTarget(
      PushTarget(.fcm, address: "token", registeredAt: wallClock()), from: device.credential,
      receipt: receipt)
  }
}

/// Lends `body` a database whose team 1 has employee 7.
func withWorld(_ body: (CommandWorld) async throws -> Void) async throws {
  try await withTestDatabase { database in
    let url = try url(of: database)
    try #require(try await guardctl("migrate", database: url).status == 0)
    try await withPool(database.configuration, size: 2) { pool in
      let world = CommandWorld(url: url, operations: TestOperations(pool: pool, now: wallClock))
      #expect(try await world.guardctl("team", "add", "--name", "North").output == "1\n")
      let added = try await world.guardctl(
        "employee", "add", "--name", "Anna Kowalska", "--team", "1", "--employee", "7")
      #expect(added.output == "7\n")
      try await body(world)
    }
  }
}

/// Lends `body` such a database, and a phone of employee 7 that is on shift.
func withPhoneOnShift(
  _ body: (CommandWorld, TestPhone) async throws -> Void
) async throws {
  try await withWorld { world in
    let phone = try await world.enrol()
    try await world.report(.always, from: phone)
    try await world.clockIn(phone)
    try await body(world, phone)
  }
}

/// The URL that the tests' cluster was named by, with this database in it.
func url(of database: TestDatabase) throws -> String {
  let named = try #require(ProcessInfo.processInfo.environment["SHIFTGUARD_TEST_POSTGRES"])
  var components = try #require(URLComponents(string: named))
  components.path = "/\(database.name)"
  return try #require(components.string)
}
