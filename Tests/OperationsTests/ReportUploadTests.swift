import BackgroundOperations
import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import Testing

@Suite("Reports in one upload") struct ReportUploadTests {
  private func report(
    _ authorization: Authorization, _ sequence: Int64? = nil, at instant: Instant? = nil,
    exit: AppExit? = nil
  ) -> IncomingReport {
    IncomingReport(
      .state(PermissionState(authorization: authorization, accuracy: .full, services: .on)),
      recordedAt: instant, sequence: sequence, trigger: "foreground", lastExit: exit)
  }

  // R: W8, M3
  @Test("alarm nobody of a denial that has healed, and all go into history")
  func healed() async throws {
    try await withPhoneOnShift { world, phone in
      let begin = world.now
      world.wait(.minutes(10))
      for sequences: [Int64?] in [[1, 2, 3], [nil, nil, nil]] {
        let outcome = try await phone.upload([
          report(.denied, sequences[1], at: begin + .minutes(6)),
          report(.always, sequences[2], at: begin + .minutes(8)),
          report(.whenInUse, sequences[0], at: begin + .minutes(4)),
        ])
        #expect(outcome.items.map(\.disposition) == [.late, .inForce, .late])
        #expect(outcome.snapshot.incidents.isEmpty && outcome.detection == nil)
      }
      #expect(try await world.count("SELECT count(*) FROM notification") == 0)
      // What was true then is on record, each kind with its time; the second upload, without an
      // order of its own, counts from its last report on and adds nothing.
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: false, limit: 10
      ).sorted { $0.openedAt < $1.openedAt }
      #expect(incidents.map(\.kind) == [.whenInUse, .denied])
      #expect(incidents.map(\.openedAt) == [begin + .minutes(4), begin + .minutes(6)])
      #expect(incidents.map(\.closedAt) == [begin + .minutes(6), begin + .minutes(8)])
      #expect(incidents.map(\.closing) == [.changed, .restored])
      #expect(incidents.map(\.episode) == [1, 1])
      #expect(
        try await world.count("SELECT count(*) FROM permission_report WHERE shift_no = 1") == 7)
      // What was true then still shows in coverage.
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      let reasons = try await world.operations.insight.coverage(of: shift).segments.map(\.reason)
      #expect(reasons.contains(.denied))
    }
  }

  // R: A12, M3
  @Test("alarm again of what came back, for the ways that do not know it yet")
  func heldAgain() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      try await phone.report(.denied)
      world.wait(.minutes(10))
      let now = world.now
      _ = try await phone.upload(
        [
          report(.always, 1, at: now - .minutes(5)), report(.denied, 2, at: now - .minutes(4)),
        ], sentAt: now)
      #expect(try await world.count("SELECT count(*) FROM notification") == 2)
      let better = try await phone.upload(
        [
          report(.always, 3, at: now - .minutes(3)), report(.whenInUse, 4, at: now - .minutes(2)),
        ], sentAt: now)
      #expect(better.snapshot.incidents.map(\.kind) == [.whenInUse])
      // The end of the denial, with what is left, is all that is new.
      let notifications = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 10)
      #expect(
        Set(notifications.map(\.notification.topic)) == [.incident, .restored]
          && notifications.count == 2)
    }
  }

  // R: M3, W17
  @Test("that end in an unknown value say what the upload knew last")
  func unknownLast() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let denied = try await phone.upload([report(.denied, 1), report(.unknown, 2)])
      #expect(denied.snapshot.incidents.map(\.kind) == [.denied] && denied.detection != nil)
      world.wait(.minutes(1))
      #expect(try await phone.present.trackingState.reason == .denied)
      // What is late says nothing about the present, in whatever upload it comes.
      let late = try await phone.upload([report(.always, 0), report(.unknown, 3)])
      #expect(late.snapshot.incidents.map(\.kind) == [.denied])
      let healed = try await phone.upload([report(.always, 4), report(.unknown, 5)])
      #expect(healed.snapshot.incidents.isEmpty)
      #expect(try await phone.present.trackingState.reason != .denied)
    }
  }

  // R: M3
  @Test("are judged by the newest, which opens an incident and is measured")
  func newest() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(1))
      let outcome = try await phone.upload([report(.always, 1), report(.denied, 2)])
      #expect(outcome.snapshot.incidents.map(\.kind) == [.denied])
      #expect(outcome.detection != nil)
      #expect(try await world.count("SELECT count(*) FROM notification") == 1)
    }
  }

  // R: W1, W2
  @Test("that are stored already, also from the same upload, are answered as duplicates")
  func duplicates() async throws {
    try await withPhoneOnShift { world, phone in
      let first = try await phone.upload([report(.always, 1), report(.denied, 2)])
      world.wait(.seconds(5))
      let again = try await phone.upload([
        report(.always, 1), report(.denied, 2), report(.always, 3), report(.always, 3),
      ])
      #expect(again.items.map(\.disposition) == [.duplicate, .duplicate, .inForce, .duplicate])
      #expect(again.items.prefix(2).map(\.report) == first.items.map(\.report))
      #expect(again.items[2].report == again.items[3].report)
      #expect(again.snapshot.incidents.isEmpty)
      let third = try await phone.upload([report(.always, 3), report(.denied, 2)])
      #expect(third.items.map(\.disposition) == [.duplicate, .duplicate])
      #expect(third.snapshot.incidents.isEmpty)
    }
  }

  // R: M1
  @Test("off shift leave only the newest")
  func offShift() async throws {
    try await withPhone { world, phone in
      let outcome = try await phone.upload([report(.denied, 1), report(.always, 2)])
      #expect(outcome.items.map(\.disposition) == [.late, .noted])
      #expect(try await world.count("SELECT count(*) FROM permission_report") == 1)
      #expect(try await phone.present.report?.state.authorization == .always)
    }
  }

  // R: A10
  @Test("carry what triggered them")
  func trigger() async throws {
    try await withPhone { world, phone in
      _ = try await phone.upload([report(.always, 1)])
      #expect(
        try await world.count(
          "SELECT count(*) FROM permission_report WHERE trigger = 'foreground'") == 1)
    }
  }

  // R: W8, W9
  @Test("say when a permission taken away ended the app, by the phone's corrected clock")
  func exit() async throws {
    try await withPhoneOnShift { world, phone in
      let begin = world.now
      world.wait(.minutes(30))
      // The phone is an hour behind.
      let theirs = { (instant: Instant) in instant - .hours(1) }
      let outcome = try await phone.upload(
        [
          report(
            .denied, 1, at: theirs(world.now),
            exit: AppExit(.permissionChange, at: theirs(begin + .minutes(10))))
        ], sentAt: theirs(world.now))
      #expect(outcome.snapshot.incidents.map(\.openedAt) == [begin + .minutes(10)])
      #expect(outcome.snapshot.incidents.map(\.evidence) == [.inferred])
      #expect(outcome.snapshot.report?.appExit?.at == begin + .minutes(10))
      #expect(outcome.snapshot.clock?.trust == .wrong)
      #expect(outcome.snapshot.clock?.skew == .hours(1))
      // An end that lies behind its own report, or before all that is known, is bounded.
      for (sequence, hours) in [(Int64(2), Int64(5)), (3, -999_999_999)] {
        let odd = try await phone.upload(
          [
            report(
              .denied, sequence, at: world.now,
              exit: AppExit(.other, at: world.now + .hours(hours)))
          ], sentAt: world.now)
        let at = try #require(odd.snapshot.report?.appExit?.at)
        #expect(at <= world.now && at >= world.now - .hours(7 * 24))
      }
    }
  }

  // R: W8
  @Test("an end of the app sent again is stored once, though the second request overtook the first")
  func overtaken() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      let first = phone.receipt
      let end = report(.always, exit: AppExit(.userRequested, at: world.now - .minutes(20)))
      world.wait(.seconds(2))
      for (receipt, disposition) in [
        (phone.receipt, ReportOutcome.Disposition.inForce), (first, .duplicate),
      ] {
        let outcome = try await world.operations.device.report(
          [end], sentAt: nil, mayRepeat: true, from: phone.credential, receipt: receipt)
        #expect(outcome.items.map(\.disposition) == [disposition])
      }
    }
  }

  // R: W1
  @Test("without any are a sign of life, and no more")
  func empty() async throws {
    try await withPhone { world, phone in
      let outcome = try await phone.upload([])
      #expect(outcome.items.isEmpty && outcome.snapshot.clock == nil)
      try await world.operations.background.storeLastSeen()
      #expect(try await world.count("SELECT count(*) FROM device_contact") == 1)
    }
  }

  // R: M1
  @Test("from before the shift are not kept, but for the one in force")
  func beforeTheShift() async throws {
    for sequences: [Int64?] in [[nil, nil], [10, 11]] {
      try await withPhone { world, phone in
        world.wait(.hours(1))
        try await phone.report(.always, sequence: sequences[0].map { $0 - 1 })
        guard case .clockedIn = try await phone.clockIn("in") else { throw Unexpected("refused") }
        let begin = world.now
        world.wait(.minutes(1))
        let outcome = try await phone.upload([
          report(.denied, sequences[0], at: begin - .minutes(30)),
          report(.whenInUse, sequences[1], at: begin - .milliseconds(5)),
        ])
        #expect(outcome.items.map(\.disposition) == [.late, .inForce])
        #expect(
          try await world.count(
            "SELECT count(*) FROM permission_report WHERE authorization_code = 3") == 0)
        #expect(
          try await world.count("SELECT count(*) FROM permission_report WHERE shift_no = 1") == 2)
      }
    }
  }
}

extension Phone {
  fileprivate func upload(_ reports: [IncomingReport], sentAt: Instant? = nil) async throws
    -> ReportUploadOutcome
  {
    try await operations.device.report(
      reports, sentAt: sentAt, from: credential, receipt: receipt)
  }
}
