import DeviceOperations
import GuardRules
import Postgres
import ShiftDomain
import TestKit
import Testing

/// Every pointer to a report must point to one that is there: a device whose newest report is
/// missing counts as one that never reported.
@Suite("A report that is held already") struct HeldReportTests {
  private let always = PermissionState(authorization: .always, accuracy: .full, services: .on)

  // R: W2
  @Test("and comes again with a clock-out stays the device's newest")
  func withClockOut() async throws {
    try await withPhoneOnShift(sequence: 1) { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.always, sequence: 2)
      _ = try await phone.clockOut("out") {
        $0.report = IncomingReport(.state(always), sequence: 2)
      }
      #expect(try await dangling(world) == 0)
      world.wait(.seconds(1))
      guard case .clockedIn = try await phone.clockIn("next") else {
        throw Unexpected("the newest report was lost")
      }
    }
  }

  // R: M2, W2
  @Test("is the same one if a clock action with it overtakes its own upload")
  func crossing() async throws {
    try await withPhone { world, phone in
      for round in 0..<40 {
        let sequence = Int64(round)
        async let posted = phone.report(.always, sequence: sequence)
        async let acted = phone.clockIn("in-\(round)") {
          $0.report = IncomingReport(.state(always), sequence: sequence)
        }
        _ = (try await posted, try await acted)
        #expect(try await dangling(world) == 0, "round \(round)")
        world.wait(.seconds(1))
        _ = try await phone.clockOut("out-\(round)")
        world.wait(.seconds(1))
      }
    }
  }

  // R: M3, W1, W2
  @Test("does not undo a denial that came later without a number")
  func afterUnnumbered() async throws {
    try await withPhoneOnShift(sequence: 1) { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.always, sequence: 5)
      world.wait(.minutes(1))
      try await phone.report(.denied)
      let again = try await phone.report(.always, sequence: 5)
      #expect(again.disposition == .duplicate)
      #expect(again.snapshot.incidents.map(\.kind) == [.denied])
      #expect(try await dangling(world) == 0)
    }
  }

  /// How many pointers lead to no report.
  private func dangling(_ world: OperationsWorld) async throws -> Int64 {
    try await world.count(
      """
      SELECT count(*) FROM (
        SELECT employee_id, newest_report_id AS report_id FROM device
        UNION ALL SELECT employee_id, report_id FROM guard_state
        UNION ALL SELECT employee_id, evidence_report_id FROM shift) AS pointer
      WHERE report_id IS NOT NULL
        AND NOT EXISTS (
          SELECT FROM permission_report AS report
          WHERE report.employee_id = pointer.employee_id AND report.report_id = pointer.report_id)
      """)
  }
}
