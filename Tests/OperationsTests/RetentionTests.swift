import BackgroundOperations
import DeviceOperations
import InstallationOperations
import ManagerCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftStore
import Testing

// R: W11
/// A life of one morning, and what `guardd` does once a day ever after. Positions are kept for 10
/// days, coverage for 20, the log for 40 and shifts for 80.
@Suite("What grows old") struct RetentionTests {
  private static let boss = Principal(actor: AuditActor(name: "Boss"), role: .administrator)

  /// The day on which rows went, and how many were left.
  private static let goes: [String: [String]] = [
    // By itself on the day; with its week when that is over for all.
    "ping": ["10: 1", "17: 0"], "site_visit": ["10: 0"], "quarantined_message": ["10: 0"],
    "sites_in_force": ["10: 0"], "away_span": ["10: 0"],
    // One of each is from the year before.
    "delivery_attempt": ["0: 1", "27: 0"], "notification_history": ["0: 1", "27: 0"],
    "shift": ["20: 0"], "shift_break": ["20: 0"], "shift_correction": ["20: 0"],
    "shift_correction_break": ["20: 0"], "shift_note": ["20: 0"], "coverage_rollup": ["20: 0"],
    "take_over": ["20: 0"],
    "incident": ["20: 0"], "clock_action": ["20: 0"], "guard_override": ["20: 0"],
    "detection": ["20: 0"], "restoration": ["20: 0"],
    // What is sealed goes after a week.
    "purge": ["7: 0"],
    // What apps tell of themselves goes with coverage, where that is kept for less than a month.
    "app_event": ["20: 0"],
    // What the phone said last is how it is.
    "permission_report": ["20: 1"],
    "audit_entry": ["40: 0"],
    // One was good for an hour, one for a day.
    "enrolment_code": ["20: 1", "21: 0"],
    // Of a shift its times are left, and then nothing. The plan is for the day after.
    "past_shift": ["20: 2", "80: 0"], "planned_shift": ["81: 0"],
    "absence": ["81: 0"],
    // These are of the present, and go with the employee.
    "account": [], "acknowledgement": [], "device": [], "device_contact": [], "employee": [],
    "guard_state": [], "inbox": [], "live_stream": [], "notification": [],
    "privacy_acknowledgement": [], "push_target": [],
  ]

  @Test("goes on its day, from every table, and not before") func goesOnItsDay() async throws {
    try await withWorld { world in
      let operations = world.operations
      _ = try await operations.installation.setRetention(
        [.fixes: 10, .coverage: 20, .auditLog: 40, .shifts: 80], by: Self.boss)
      let phone = try await planted(7, in: world, by: Self.boss)
      guard case .done = try await phone.clockOut("out") else { throw Unexpected("no end") }
      // What the end of the shift changed is rolled up, which finds neither a visit nor a time away
      // without positions.
      let arrival = world.now
      _ = try await operations.background.rollUpPings()
      try await world.write(siteVisit(of: 7, at: arrival))
      try await world.write(awaySpan(of: 7, from: arrival))
      let tables = try await world.tables(having: "employee_id")
      var (left, went) = (try await world.rows(of: 7), [String: [String]]())
      // In the evening, when all of the day is past.
      world.wait(.hours(13))
      for day in 0...85 {
        _ = try await operations.background.maintainPings()
        _ = try await operations.background.deleteOldData()
        _ = try await operations.background.maintainNotifications()
        let now = try await world.rows(of: 7)
        for table in tables {
          if went[table] == nil { went[table] = [] }
          if now[table] != left[table] { went[table]?.append("\(day): \(now[table] ?? 0)") }
        }
        left = now
        world.wait(.hours(24))
      }
      for table in Set(tables).union(Self.goes.keys) {
        #expect(went[table] == Self.goes[table], "\(table)")
      }
    }
  }

  // R: W21
  @Test("is not payable if it waited for a review, when only its times are left")
  func unreviewed() async throws {
    try await withWorld { world in
      let (operations, ada) = (world.operations, EmployeeID(7))
      _ = try await operations.installation.setRetention(
        [.fixes: 10, .coverage: 20], by: Self.boss)
      let phone = try await Phone.enrolled(in: world)
      // The first ends at its limit, the second is declined, the third is objected to.
      try await phone.beginShift()
      world.wait(.hours(17))
      _ = try await operations.background.processDueTime(of: ada)
      _ = try await operations.reviews.openShift(
        for: ada, OpeningRequest(reason: "forgot"), by: Self.boss
      ).get()
      world.wait(.hours(1))
      #expect(try await phone.decline("no") == .done(ShiftID(employee: ada, number: 2)))
      world.wait(.minutes(1))
      try await phone.beginShift("third")
      world.wait(.hours(1))
      _ = try await phone.clockOut("home")
      _ = try await operations.device.objectToTimes(
        ofShift: 3, seen: world.times(3).revision, because: "Until nine", from: phone.credential,
        receipt: world.receipt)
      // The fourth leaves a question that the employee can still answer.
      world.wait(.minutes(1))
      try await phone.beginShift("fourth")
      world.wait(.hours(17))
      _ = try await operations.background.processDueTime(of: ada)
      world.wait(.hours(24 * 21))
      _ = try await operations.background.deleteOldData()
      let sheet = try await world.timeSheet()
      let times = sheet.lines.flatMap(\.entries).map(\.times)
      #expect(times.map(\.isPast) == [true, true, true, false])
      #expect(sheet.totals[state: .inReview] == 4 && sheet.totals.worked == .zero)
      for times in times { #expect(try await world.approve(times) == .inReview) }
    }
  }
}
