import DeviceOperations
import Foundation
import PeopleOperations
import Postgres
import ReadModels
import ShiftDomain
import ShiftTestKit
import TestKit
import TestPrograms
import Testing

@Suite("Apps from a store, through guardd", .disabled(if: isUnderThreadSanitizer))
struct ScriptedAppTests {
  private static let scripts: [any ScriptedApp] = [
    OwnTracksOnIOS(), OverlandOnIOS(), TraccarClient(isInQuery: false),
    TraccarClient(isInQuery: true), TransistorsoftApp(batchMax: 1),
    TransistorsoftApp(batchMax: 25),
  ]
  /// How many records each phone has in one part of the test.
  private static let recordsInPart = 75

  // R: M1
  @Test(
    "lose nothing and store nothing twice, whatever becomes of network, database and service",
    .timeLimit(.minutes(5)))
  func nothingLost() async throws {
    try await withCluster { cluster in
      let pool = Pool(cluster.configuration, size: 2, waitersMax: 8)
      let arguments = ["--database", cluster.configuration.description, "--migrate", "--listen"]
      var guardd = try RunningProgram(guardd: arguments + ["127.0.0.1:0"])
      let address = try await guardd.address()
      let start = Instant(milliseconds: wallClock().milliseconds / 1_000 * 1_000 - 3_600_000)
      let operations = TestOperations(pool: pool, now: wallClock)
      let phones = try await enrol(from: start, operations, at: address)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for phone in phones { group.addTask { await phone.run() } }
        var part = 0
        func record() async {
          for phone in phones {
            await phone.record(records(of: part, from: start, for: phone.script.app))
          }
          part += 1
        }
        await record()
        try await until { try await all(phones) { await $0.waiting == 0 } }

        try await cluster.stop()
        await record()
        try await until { try await all(phones) { await $0.answers[503] ?? 0 >= 3 } }
        try await cluster.start()
        try await until { try await all(phones) { await $0.waiting < Self.recordsInPart } }

        guardd.kill()
        await record()
        #expect(await guardd.rest().status == 128 + 9)
        guardd = try RunningProgram(guardd: arguments + [address])
        try await until { try await all(phones) { await $0.waiting < Self.recordsInPart } }

        await record()
        guardd.terminate()
        #expect(await guardd.rest().status == 0)
        guardd = try RunningProgram(guardd: arguments + [address])
        try await until { try await all(phones) { await $0.waiting == 0 } }
        group.cancelAll()
      }
      for phone in phones { try await check(phone, from: start, in: pool) }
      await pool.close()
      guardd.terminate()
      #expect(await guardd.rest().status == 0)
    }
  }

  /// Phones on shift since `start`, whose apps track them. An app itself clocks in by crossing a
  /// region only, and takes over no shift an hour later; so the use case is asked.
  private func enrol(
    from start: Instant, _ operations: TestOperations, at address: String
  ) async throws -> [ScriptedPhone] {
    let team = try await operations.people.addTeam(name: "Field", timeZone: "UTC")
    var phones: [ScriptedPhone] = []
    for (index, script) in Self.scripts.enumerated() {
      let employee = try await operations.people.addEmployee(
        EmployeeID(Int32(index + 1)), name: "Ada", team: team)
      let new = try await operations.people.enrol(
        PhoneAppRequest(script.app, on: .ios), for: employee, by: .arranger)
      let credential = try #require(DeviceCredential(token: new.token, to: script.app))
      let clockIn = ClockAction("in") {
        ($0.occurredAt, $0.sentAt) = (start, wallClock())
        $0.report = .saying(.always)
        $0.report?.recordedAt = start
      }
      _ = try await operations.device.clockIn(
        clockIn, from: credential, receipt: operations.receipt)
      phones.append(ScriptedPhone(script, of: employee, token: new.token, at: address))
    }
    return phones
  }

  /// A record for each second; every tenth is not only a position, if the app knows such.
  private func records(of part: Int, from start: Instant, for app: PhoneApp) -> [AppRecord] {
    (0..<Self.recordsInPart).map { index in
      let number = part * Self.recordsInPart + index
      let kind: AppRecord.Kind =
        switch app {
        case .overland where number % 10 == 9: .end
        case .ownTracks where number % 10 == 9, .transistorsoft where number % 10 == 9:
          .permission(isAllowed: number % 20 == 19)
        default: .position
        }
      return AppRecord(kind: kind, time: start + .seconds(Int64(number + 1)))
    }
  }

  private func all(
    _ phones: [ScriptedPhone], _ holds: (ScriptedPhone) async throws -> Bool
  ) async throws -> Bool {
    for phone in phones where try await !holds(phone) { return false }
    return true
  }

  /// Every record is stored, once.
  private func check(_ phone: ScriptedPhone, from start: Instant, in pool: Pool) async throws {
    let app = phone.script.app
    let sent = (0..<4).flatMap { records(of: $0, from: start, for: app) }
    let answers = await phone.answers
    #expect(await phone.acknowledged == sent.count, "\(app)")
    #expect(!answers.keys.contains { (400..<500).contains($0) || $0 == 500 }, "\(app) \(answers)")
    // Otherwise nothing was lost on the way, and nothing proved.
    #expect(await phone.lost > 0, "\(app) \(answers)")

    let employee = phone.employee.rawValue
    let pings: [Instant] = try await pool.read { (session) throws(PostgresError) in
      try session.run(
        "SELECT recorded_at FROM ping WHERE employee_id = \(employee) ORDER BY recorded_at"
      ).values()
    }
    let untimed = app == .ownTracks
    // The end of an app has no position: it is a sign of life, dated a millisecond later.
    let recorded = sent.filter { $0.kind == .position || !untimed }
      .map { $0.kind == .end ? $0.time + .milliseconds(1) : $0.time }
    #expect(pings == recorded, "\(app)")

    // Beside the one of the clock-in.
    let reports: [Instant] = try await pool.read { (session) throws(PostgresError) in
      try session.run(
        """
        SELECT coalesce(exit_at, effective_at) FROM permission_report
        WHERE employee_id = \(employee) AND source IS NOT NULL ORDER BY 1
        """
      ).values()
    }
    let expected = sent.filter { $0.kind != .position }.map(\.time)
    #expect(reports.count == expected.count, "\(app)")
    if !untimed { #expect(reports == expected, "\(app)") }
  }
}
