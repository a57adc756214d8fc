import DeviceOperations
import GuardRules
import InsightOperations
import Postgres
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

// R: A11, M3, W17

/// RULES 4: an upload or a late report that changes the past adds, splits or moves incidents, and
/// only what holds then is told.
@Suite("What comes late") struct LateRecordTests {
  private func incidents(_ world: OperationsWorld) async throws -> [IncidentRow] {
    try await world.operations.insight.incidents(of: EmployeeID(7), openOnly: false, limit: 20)
      .sorted { ($0.openedAt, $0.incident.number) < ($1.openedAt, $1.incident.number) }
  }

  private func told(_ world: OperationsWorld) async throws -> Int {
    try await world.operations.notifications.notifications(of: EmployeeID(7), limit: 20).count
  }

  /// Runs `body` half an hour after the start of a shift.
  private func during(
    _ body: (OperationsWorld, Phone, _ start: Instant) async throws -> Void
  ) async throws {
    try await withPhoneOnShift(sequence: 1) { world, phone in
      let start = world.now
      world.wait(.minutes(30))
      try await body(world, phone, start)
    }
  }

  @Test("and still holds opens its incident in the past, and is told now")
  func denialBeforeUnknown() async throws {
    try await during { world, phone, start in
      try await phone.report(.unknown, sequence: 9, recordedAt: world.now, sentAt: world.now)
      #expect(try await incidents(world).isEmpty)
      let late = try await phone.report(
        .denied, sequence: 8, recordedAt: start + .minutes(20), sentAt: world.now)
      #expect(late.disposition == .late && late.snapshot.incidents.map(\.kind) == [.denied])
      let incident = try #require(try await incidents(world).first)
      #expect(incident.openedAt == start + .minutes(20) && incident.isRecomputed)
      #expect(incident.closedAt == nil && incident.origin == .midShift)
      #expect(try await told(world) == 1)
      #expect(try await phone.present.trackingState.reason == .denied)
      // Its end is told like any other.
      world.wait(.minutes(1))
      try await phone.report(.always, sequence: 10, recordedAt: world.now, sentAt: world.now)
      #expect(try await told(world) == 2)
    }
  }

  @Test("splits an incident that had healed in between, and tells nobody")
  func healedBetween() async throws {
    try await during { world, phone, start in
      try await phone.report(
        .denied, sequence: 2, recordedAt: start + .minutes(5), sentAt: world.now)
      try await phone.report(
        .denied, sequence: 4, recordedAt: start + .minutes(15), sentAt: world.now)
      world.wait(.minutes(1))
      #expect(try await told(world) == 1)
      let late = try await phone.report(
        .always, sequence: 3, recordedAt: start + .minutes(10), sentAt: world.now)
      #expect(late.snapshot.incidents.map(\.kind) == [.denied])
      let found = try await incidents(world)
      #expect(found.map(\.kind) == [.denied, .denied])
      #expect(found.map(\.openedAt) == [start + .minutes(5), start + .minutes(15)])
      #expect(found.map(\.closedAt) == [start + .minutes(10), nil])
      #expect(
        found.map(\.closing) == [.restored, nil] && found.map(\.isRecomputed) == [true, true])
      #expect(try await told(world) == 1)
      // What holds keeps its number, and so its notification goes on.
      #expect(found.map(\.incident.number) == [2, 1] && found[1].notifiedAt != nil)
    }
  }

  @Test("after the shift is on its record, and is told to nobody")
  func afterShift() async throws {
    try await during { world, phone, start in
      try await phone.clockOut()
      world.wait(.minutes(5))
      try await phone.report(.always, sequence: 4, recordedAt: world.now, sentAt: world.now)
      try await phone.report(
        .whenInUse, sequence: 3, recordedAt: start + .minutes(20), sentAt: world.now)
      try await phone.report(
        .denied, sequence: 2, recordedAt: start + .minutes(10), sentAt: world.now)
      let found = try await incidents(world)
      #expect(found.map(\.kind) == [.denied, .whenInUse])
      #expect(found.map(\.openedAt) == [start + .minutes(10), start + .minutes(20)])
      #expect(found.map(\.closedAt) == [start + .minutes(20), start + .minutes(30)])
      #expect(found.map(\.closing) == [.changed, .shiftEnded])
      #expect(Set(found.map(\.episode)).count == 1)
      #expect(try await told(world) == 0)
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      let coverage = try await world.operations.insight.coverage(of: shift)
      let denied = coverage.segments.filter { $0.reason == .denied }
      #expect(denied.first?.interval.start == start + .minutes(10))
      #expect(denied.last?.interval.end == start + .minutes(20))
    }
  }

  @Test("by an app from a store after the shift is on its record, too")
  func appAfterShift() async throws {
    try await during { world, phone, start in
      try await phone.clockOut()
      world.wait(.minutes(5))
      var message = AppMessage(from: .transistorsoft)
      message.reports = [.saying(.denied)]
      message.reports[0].recordedAt = start + .minutes(10)
      _ = try await world.operations.device.receive(
        message, from: phone.credential, receipt: phone.receipt)
      let found = try await incidents(world)
      #expect(found.map(\.openedAt) == [start + .minutes(10)])
      #expect(found.map(\.closedAt) == [start + .minutes(30)])
      #expect(try await told(world) == 0)
    }
  }

  @Test("of a break cuts what was recorded in it, and withdraws what lies wholly inside")
  func breaks() async throws {
    try await during { world, phone, start in
      for (sequence, authorization, minute) in [
        (2 as Int64, Authorization.denied, 5 as Int64), (3, .always, 12), (4, .denied, 15),
        (5, .always, 18), (6, .denied, 25),
      ] {
        try await phone.report(
          authorization, sequence: sequence, recordedAt: start + .minutes(minute),
          sentAt: world.now)
      }
      #expect(try await incidents(world).count == 3)
      let sentAt = world.now
      try await phone.startBreak("b") { $0.happened(at: start + .minutes(10), sentAt: sentAt) }
      try await phone.endBreak("e") { $0.happened(at: start + .minutes(20), sentAt: sentAt) }
      let found = try await incidents(world)
      #expect(found.map(\.openedAt) == [start + .minutes(5), start + .minutes(25)])
      #expect(found.map(\.closedAt) == [start + .minutes(10), nil])
      #expect(found.map(\.closing) == [.breakStarted, nil])
      #expect(
        try await world.count("SELECT count(*) FROM incident WHERE close_reason = 7") >= 1)
      #expect(try await phone.present.incidents.map(\.kind) == [.denied])
    }
  }

  @Test("does not make what was accepted at the clock-in news")
  func accepted() async throws {
    try await withPhone { world, phone in
      try await phone.report(.whenInUse, sequence: 1)
      // By its own delay the report is from after the tap.
      let (tapped, sentAt) = (world.now - .milliseconds(300), world.now)
      _ = try await phone.clockIn("in") { $0.happened(at: tapped, sentAt: sentAt) }
      world.wait(.minutes(30))
      let before = try await incidents(world)
      #expect(before.map(\.isAccepted) == [true])
      try await phone.report(.whenInUse, sequence: 5, recordedAt: world.now, sentAt: world.now)
      try await phone.report(
        .denied, sequence: 3, recordedAt: world.now - .minutes(10), sentAt: world.now)
      let found = try await incidents(world)
      #expect(found.map(\.kind) == [.whenInUse, .denied, .whenInUse])
      #expect(found.map(\.isAccepted) == [true, false, true])
      #expect(found.first?.origin == .atClockIn && found.first?.openedAt == before[0].openedAt)
      #expect(try await told(world) == 0)
    }
  }

  @Test("and is worse than what was told in its episode is the episode's next alarm")
  func worseInEpisode() async throws {
    try await during { world, phone, start in
      try await phone.report(
        .whenInUse, sequence: 2, recordedAt: start + .minutes(25), sentAt: world.now)
      world.wait(.minutes(1))
      try await phone.report(.unknown, sequence: 9, recordedAt: world.now, sentAt: world.now)
      try await phone.report(
        .denied, sequence: 8, recordedAt: start + .minutes(28), sentAt: world.now)
      let found = try await incidents(world)
      #expect(found.map(\.kind) == [.whenInUse, .denied])
      #expect(found.map(\.closing) == [.changed, nil] && Set(found.map(\.episode)) == [1])
      let ordinals = try await world.operations.notifications.notifications(
        of: EmployeeID(7), limit: 20
      ).map(\.notification.ordinal)
      #expect(ordinals.sorted() == [1, 2])
      // What comes in time is the next one again.
      world.wait(.minutes(1))
      try await phone.report(.restricted, sequence: 10, recordedAt: world.now, sentAt: world.now)
      #expect(try await told(world) == 3)
    }
  }

  @Test("and ends what was accepted makes what holds news, and the other way round")
  func acceptance() async throws {
    for (first, sequences) in [
      (Authorization.whenInUse, [(3, .whenInUse, 20), (2, .always, 10)]),
      (.whenInUse, [(2, .always, 10), (4, .whenInUse, 12), (3, .whenInUse, 10)]),
    ] as [(Authorization, [(Int64, Authorization, Int64)])] {
      try await withPhone { world, phone in
        try await phone.report(first, sequence: 1)
        _ = try await phone.clockIn("in")
        let start = world.now
        world.wait(.minutes(30))
        var isAccepted: [Bool] = []
        for (sequence, authorization, minute) in sequences {
          try await phone.report(
            authorization, sequence: sequence,
            recordedAt: start + .minutes(minute) + .seconds(sequence == 3 ? 30 : 0),
            sentAt: world.now)
          isAccepted += try await incidents(world).filter { $0.closedAt == nil }.map(\.isAccepted)
          world.wait(.minutes(1))
        }
        let topics = try await world.operations.notifications.notifications(
          of: EmployeeID(7), limit: 20
        ).map(\.notification.topic)
        if sequences.count == 2 {
          #expect(isAccepted == [true, false] && topics == [.incident])
        } else {
          #expect(isAccepted == [false, true])
          #expect(Set(topics) == [.incident, .restored] && topics.count == 2)
        }
      }
    }
  }

  @Test("in a break holds from its end on")
  func inBreak() async throws {
    try await during { world, phone, _ in
      try await phone.startBreak("b")
      world.wait(.minutes(10))
      try await phone.report(.unknown, sequence: 9, recordedAt: world.now, sentAt: world.now)
      try await phone.report(
        .denied, sequence: 8, recordedAt: world.now - .minutes(5), sentAt: world.now)
      world.wait(.minutes(1))
      try await phone.endBreak("e")
      #expect(try await phone.present.incidents.map(\.kind) == [.denied])
      #expect(try await told(world) == 1)
    }
  }

  @Test("with a clock action counts, too")
  func sentWithAction() async throws {
    try await during { world, phone, start in
      try await phone.report(.always, sequence: 9, recordedAt: world.now, sentAt: world.now)
      let sentAt = world.now
      _ = try await phone.clockIn("again") { action in
        action.happened(at: start + .minutes(10), sentAt: sentAt)
        action.report = .saying(.denied)
        action.report?.recordedAt = start + .minutes(10)
        action.report?.sequence = 5
      }
      let found = try await incidents(world)
      #expect(found.map(\.openedAt) == [start + .minutes(10)])
      #expect(found.map(\.closedAt) == [start + .minutes(30)])
    }
  }

  @Test("counts in a corrected shift as far as that lasts, and after its undo")
  func corrected() async throws {
    try await during { world, phone, start in
      try await phone.report(
        .denied, sequence: 3, recordedAt: start + .minutes(20), sentAt: world.now)
      try await phone.clockOut()
      let shift = ShiftID(employee: EmployeeID(7), number: 1)
      _ = try await world.operations.reviews.correct(
        shift, CorrectionRequest(endedAt: start + .minutes(15), reason: "went home"), by: .arranger)
      try await phone.report(
        .whenInUse, sequence: 2, recordedAt: start + .minutes(10), sentAt: world.now)
      let cut = try await incidents(world)
      #expect(cut.map(\.kind) == [.whenInUse])
      #expect(cut.map(\.openedAt) == [start + .minutes(10)])
      #expect(cut.map(\.closedAt) == [start + .minutes(15)])
      _ = try await world.operations.reviews.undo(
        correction: 1, of: shift, reason: "stayed", by: .arranger)
      let found = try await incidents(world)
      #expect(found.map(\.kind) == [.whenInUse, .denied])
      #expect(found.map(\.openedAt) == [start + .minutes(10), start + .minutes(20)])
    }
  }

  @Test("changes nothing if it says what was known")
  func nothingNew() async throws {
    try await during { world, phone, start in
      try await phone.report(
        .denied, sequence: 2, recordedAt: start + .minutes(5), sentAt: world.now)
      try await phone.report(
        .denied, sequence: 4, recordedAt: start + .minutes(15), sentAt: world.now)
      let before = try await incidents(world)
      try await phone.report(
        .denied, sequence: 3, recordedAt: start + .minutes(10), sentAt: world.now)
      #expect(try await incidents(world) == before)
    }
  }
}
