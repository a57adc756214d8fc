import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ShiftDomain
import ShiftTestKit
import Testing

@Suite("A take-over") struct TakeOverTests {
  // R: W2, W7
  @Test("makes the other phone the one that tracks, and never blocks")
  func takesOver() async throws {
    try await withWorld { world in
      let (old, new) = try await phones(world)
      let shift = try await old.beginShift()
      world.wait(.minutes(1))
      try await old.report(.denied)
      world.wait(.minutes(1))
      #expect(try await new.takeOver("take") == .done(shift))
      let incidents = try await world.operations.insight.incidents(
        of: EmployeeID(7), openOnly: false, limit: 10)
      #expect(incidents.map(\.closing) == [.deviceChanged])
      #expect(try await new.present.isTracking)
      #expect(try await !old.present.isTracking)
      #expect(try await new.takeOver("again") == .done(shift), "it tracks already")
      #expect(try await new.takeOver("take") == .done(shift), "a repeat")
      #expect(try await world.count("SELECT count(*) FROM take_over") == 1)
      world.wait(.minutes(1))
      #expect(try await new.ping([fix(at: world.now)]) == [.stored])
      #expect(try await old.ping([fix(at: world.now)]) == [.refused(.notTrackingDevice)])
      try await old.report(.restricted)
      #expect(try await new.present.incidents.isEmpty, "the old phone's reports are history")
    }
  }

  // R: W7, M3
  @Test("is judged on the phone's newest report, or on the one sent along")
  func evidence() async throws {
    try await withWorld { world in
      let (old, new) = try await phones(world)
      try await new.report(.denied)
      try await old.beginShift()
      world.wait(.minutes(1))
      _ = try await new.takeOver("take")
      #expect(try await new.present.incidents.map(\.kind) == [.denied])
      #expect(
        try await world.count(
          "SELECT count(*) FROM permission_report WHERE device_no = 2 AND shift_no = 1") == 1,
        "the report it took over with stays with the shift")
      world.wait(.minutes(1))
      _ = try await old.takeOver("back") {
        $0.report = IncomingReport(
          .state(PermissionState(authorization: .whenInUse, services: .on)))
      }
      #expect(try await new.present.incidents.map(\.kind) == [.whenInUse])
      #expect(
        try await world.count("SELECT count(*) FROM take_over WHERE report_id IS NULL") == 0)
    }
  }

  // R: W7, W8
  @Test("begins with what the phone reported at most five minutes before, else with unknown")
  func freshness() async throws {
    for (age, kinds): (TimeSpan, [IncidentKind]) in [
      (.seconds(300), [.denied]), (.milliseconds(300_001), []),
    ] {
      try await withWorld { world in
        let (old, new) = try await phones(world)
        try await old.beginShift()
        try await new.report(.denied)
        world.wait(age)
        _ = try await new.takeOver("take")
        #expect(try await new.present.incidents.map(\.kind) == kinds)
        #expect(
          try await world.count("SELECT count(*) FROM take_over WHERE report_id IS NOT NULL")
            == Int64(kinds.count))
      }
      // The report that comes with it is no younger for that.
      try await withWorld { world in
        let (old, new) = try await phones(world)
        try await old.beginShift()
        world.wait(.minutes(10))
        let told = IncomingReport(
          .state(PermissionState(authorization: .denied, services: .on)),
          recordedAt: world.now - age)
        _ = try await new.takeOver("take") { $0.report = told }
        #expect(try await new.present.incidents.map(\.kind) == kinds)
        // Nor is it when it comes again.
        world.wait(.seconds(1))
        _ = try await new.takeOver("again") { $0.report = told }
        #expect(try await new.present.incidents.map(\.kind) == kinds)
      }
    }
  }

  // R: W7, W4
  @Test("leaves the old phone its fixes from before, in whichever order they arrive")
  func orders() async throws {
    for uploadsFirst in [true, false] {
      try await withWorld { world in
        let (old, new) = try await phones(world)
        try await old.beginShift()
        let begin = world.now
        world.wait(.minutes(10))
        let backlog = (1...9).map { fix(at: begin + .minutes($0)) }
        if uploadsFirst { _ = try await old.ping(backlog, sentAt: world.now) }
        _ = try await new.takeOver("take") {
          $0.happened(at: begin + .minutes(5), sentAt: world.now)
        }
        let answers = try await old.ping(backlog, sentAt: world.now)
        #expect(
          answers == Array(repeating: uploadsFirst ? .duplicate : .stored, count: 4)
            + Array(repeating: .refused(.notTrackingDevice), count: 5))
        let others = try await new.ping(backlog, sentAt: world.now)
        #expect(
          others == Array(repeating: .refused(.notTrackingDevice), count: 4)
            + Array(repeating: .stored, count: 5))
        #expect(try await world.track() == Array(1...9))
        // What the old phone had sent from after it is sealed, and goes a week later.
        #expect(try await world.storedPings == (uploadsFirst ? 14 : 9))
        try await world.deleteSealed()
        #expect(try await world.storedPings == 9)
      }
    }
  }

  // R: W2, W7
  @Test("without a shift, or from before it, is answered truthfully")
  func refusals() async throws {
    try await withWorld { world in
      let (old, new) = try await phones(world)
      #expect(try await new.takeOver("none") == .noOpenShift)
      let before = world.now
      world.wait(.minutes(1))
      let shift = try await old.beginShift()
      world.wait(.minutes(1))
      let early = try await new.takeOver("early") { $0.happened(at: before, sentAt: world.now) }
      guard case .kept(let action) = early else { throw Unexpected("\(early)") }
      #expect(action.reason == .noOpenShift && action.shift == shift)
      #expect(try await world.count("SELECT count(*) FROM clock_action WHERE needs_review") == 1)
    }
  }

  // R: W5, W7
  @Test("on a break waits for its end to track")
  func onBreak() async throws {
    try await withWorld { world in
      let (old, new) = try await phones(world)
      try await old.beginShift()
      world.wait(.minutes(1))
      _ = try await old.startBreak("pause")
      world.wait(.minutes(1))
      _ = try await new.takeOver("take")
      #expect(try await !new.present.isTracking)
      _ = try await old.endBreak("resume")
      #expect(try await new.present.isTracking)
    }
  }

  // R: W7
  @Test("comes by itself with a code that is used again, and is missing after a revocation")
  func sameCode() async throws {
    try await withWorld { world in
      let code = try await world.operations.people.createEnrolmentCode(
        for: EmployeeID(7), validFor: .hours(24)
      ).code
      func enrolled() async throws -> Phone {
        let enrolment = try await world.operations.device.enrol(
          code: code, NewDevice(platform: .web), receipt: world.receipt)
        return try Phone(token: enrolment.token, in: world)
      }
      let browser = try await enrolled()
      try await browser.beginShift()
      try await browser.report(.denied)
      let other = try await Phone.enrolled(in: world)
      world.wait(.minutes(1))
      let installed = try await enrolled()
      #expect(try await installed.present.isTracking)
      #expect(try await installed.present.incidents.isEmpty, "what the browser said is over")
      #expect(try await other.present.otherTracker?.isRevoked == false)
      world.wait(.minutes(1))
      #expect(try await installed.ping([fix(at: world.now)]) == [.stored])
      try await world.operations.people.revoke(device: installed.device)
      #expect(try await other.present.otherTracker?.isRevoked == true)
    }
  }

  private func phones(_ world: OperationsWorld) async throws -> (old: Phone, new: Phone) {
    (try await Phone.enrolled(in: world), try await Phone.enrolled(in: world))
  }
}
