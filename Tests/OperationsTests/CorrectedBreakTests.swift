import DeviceOperations
import GuardRules
import InsightOperations
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain
import ShiftTestKit
import Testing

private let first = ShiftID(employee: EmployeeID(7), number: 1)

/// In minutes after the beginning of the test.
private func span(_ from: Int64, _ to: Int64?) -> ShiftSpan {
  ShiftSpan(from: morning + .minutes(from), to: to.map { morning + .minutes($0) })
}

extension OperationsWorld {
  fileprivate func correctBreaks(
    _ breaks: [ShiftSpan], matching tags: Set<String>? = nil, reason: String = "forgot"
  ) async throws -> CorrectionOutcome {
    try await operations.reviews.correct(
      first, CorrectionRequest(breaks: breaks, reason: reason), matching: tags, by: actor)
  }

  @discardableResult
  fileprivate func correctedBreaks(_ breaks: [ShiftSpan]) async throws -> CorrectionRow {
    let outcome = try await correctBreaks(breaks)
    guard case .corrected(let row) = outcome else { throw Unexpected("\(outcome)") }
    return row
  }

  fileprivate func undo(_ correction: Int16) async throws -> UndoOutcome {
    try await operations.reviews.undo(
      correction: correction, of: first, reason: "mistake", by: actor)
  }

  fileprivate func details() async throws -> ShiftDetails {
    try await operations.insight.shiftDetails(of: first)
  }

  /// `tracked 0–20`: reasons with their minutes.
  fileprivate func minutes() async throws -> [String] {
    try await details().coverage.segments.map { segment in
      let times = [segment.interval.start, segment.interval.end].map {
        String(($0 - morning).seconds / 60)
      }
      return "\(segment.reason.code) \(times.joined(separator: "–"))"
    }
  }

  /// Ada's phone tracks from 8:00 on; at 8:20 her break begins, and it is 9:00.
  fileprivate func forgetBreakEnd() async throws -> Phone {
    let phone = try await Phone.enrolled(in: self)
    try await phone.beginShift()
    wait(.minutes(20))
    _ = try await phone.ping((0..<20).map { fix(at: morning + .minutes($0)) }, sentAt: now)
    _ = try await phone.startBreak("pause")
    wait(.minutes(40))
    return phone
  }
}

@Suite("A correction of breaks") struct CorrectedBreakTests {
  // R: W21
  @Test("gives a forgotten break its end: what follows is working time without positions")
  func forgottenEnd() async throws {
    try await withWorld { world in
      let phone = try await world.forgetBreakEnd()
      _ = try await phone.clockOut("out")
      #expect(try await world.times().worked == .minutes(20))
      let before = try await world.minutes()
      let row = try await world.correctedBreaks([span(20, 30)])
      #expect(row.breaks == CorrectedBreaks(from: [span(20, 60)], to: [span(20, 30)]))
      #expect(try await world.details().history.corrections == [row])
      #expect(try await world.times().worked == .minutes(50))
      #expect(try await world.minutes() == ["tracked 0–20", "on_break 20–30", "not_asked 30–60"])
      #expect(try await phone.ping([fix(at: morning + .minutes(25))]) == [.refused(.onBreak)])
      #expect(try await phone.ping([fix(at: morning + .minutes(40))]) == [.refused(.noShift)])
      // The same again changes nothing.
      #expect(try await world.correctBreaks([span(20, 30)]) == .unchanged(row))
      guard case .undone = try await world.undo(row.number) else { throw Unexpected("kept") }
      #expect(try await world.minutes() == before)
      #expect(try await world.times().worked == .minutes(20))
      #expect(try await phone.ping([fix(at: morning + .minutes(40))]) == [.refused(.onBreak)])
    }
  }

  // R: W21, W15
  @Test("adds, moves and removes breaks, and seals the positions in them for a week")
  func sealed() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      let row = try await world.correctedBreaks([span(30, 40), span(10, 15)])
      #expect(row.breaks?.new == [span(10, 15), span(30, 40)])
      #expect(
        try await world.track() == Array(0...9) + Array(15...29) + Array(40...59))
      #expect(try await world.storedPings == 60)
      #expect(try await world.times().worked == .minutes(45))
      _ = try await world.undo(row.number)
      #expect(try await world.track() == Array(0...59))
      #expect(try await world.times().worked == .minutes(60))
      try await world.correctedBreaks([span(10, 15)])
      try await world.correctedBreaks([span(12, 20)])
      // What was a break for a moment counts again only by an undo.
      #expect(try await world.track() == Array(0...9) + Array(20...59))
      #expect(
        try await world.minutes() == [
          "tracked 0–12", "on_break 12–20", "tracked 20–60",
        ])
      try await world.correctedBreaks([])
      #expect(try await world.times().worked == .minutes(60))
      #expect(try await world.track() == Array(0...9) + Array(20...59))
      try await world.deleteSealed()
      #expect(try await world.storedPings == 50)
      #expect(try await world.minutes() == ["tracked 0–12", "not_asked 12–20", "tracked 20–60"])
    }
  }

  // R: W21
  @Test("ends a break that lasts: the phone goes on, and the next break gets a number of its own")
  func lasting() async throws {
    try await withWorld { world in
      let phone = try await world.forgetBreakEnd()
      #expect(try await !phone.present.isTracking)
      let row = try await world.correctedBreaks([span(5, 10), span(20, 30)])
      #expect(try await phone.present.isTracking)
      world.wait(.minutes(1))
      #expect(
        try await phone.ping(
          [40, 61].map { fix(at: morning + .minutes($0)) }, sentAt: world.now)
          == [.refused(.noShift), .stored])
      _ = try await phone.startBreak("again")
      world.wait(.minutes(4))
      _ = try await phone.endBreak("back")
      #expect(
        try await world.details().times.breaks == [span(5, 10), span(20, 30), span(61, 65)])
      // The break that the correction ended would contain the one taken since.
      #expect(try await world.undo(row.number) == .outOfOrder)
    }
  }

  @Test("of a break that lasts is undone: the employee is on break again")
  func lastingAgain() async throws {
    try await withWorld { world in
      let phone = try await world.forgetBreakEnd()
      let row = try await world.correctedBreaks([])
      #expect(try await phone.present.isTracking)
      world.wait(.minutes(1))
      _ = try await world.undo(row.number)
      #expect(try await !phone.present.isTracking)
      #expect(try await world.details().times.breaks == [span(20, nil)])
      world.wait(.minutes(1))
      _ = try await phone.endBreak("back")
      #expect(try await world.details().times.breaks == [span(20, 62)])
    }
  }

  // R: W21, W15
  @Test("of an open shift is undone after the clock-out, which stays")
  func undoneLater() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(30))
      let row = try await world.correctedBreaks([span(5, 10)])
      world.wait(.minutes(30))
      _ = try await phone.clockOut("out")
      guard case .undone = try await world.undo(row.number) else { throw Unexpected("kept") }
      let details = try await world.details()
      #expect(details.row.endedAt == morning + .hours(1) && details.row.ending == .employee)
      #expect(details.times.breaks.isEmpty)
    }
  }

  // R: W21
  @Test("cuts incidents, and an undo brings them back")
  func incidents() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.minutes(10))
      try await phone.report(.denied)
      world.wait(.minutes(30))
      try await phone.report(.always)
      world.wait(.minutes(20))
      _ = try await phone.clockOut("out")
      func denied() async throws -> [[Int64]] {
        try await world.details().history.incidents.filter { $0.kind == .denied }.map { row in
          [row.openedAt, row.closedAt ?? world.now].map { ($0 - morning).seconds / 60 }
        }
      }
      #expect(try await denied() == [[10, 40]])
      let row = try await world.correctedBreaks([span(20, 30)])
      #expect(try await denied() == [[10, 20], [30, 40]])
      _ = try await world.undo(row.number)
      #expect(try await denied() == [[10, 40]])
    }
  }

  // R: W21
  @Test("that ends a break counts the phone's silence from then, not from the end it gives")
  func silence() async throws {
    try await withWorld { world in
      _ = try await world.forgetBreakEnd()
      try await world.correctedBreaks([span(20, 30)])
      world.wait(.minutes(2))
      #expect(try await world.silences() == 0)
      // In such steps the service runs.
      var found = 0
      for _ in 0..<24 {
        world.wait(.seconds(5))
        found += try await world.silences()
      }
      #expect(found == 1)
      let incidents = try await world.details().history.incidents
      #expect(incidents.map(\.kind) == [.noContact])
      #expect(incidents.map(\.openedAt) == [morning + .minutes(63)])
    }
  }

  // R: W21
  @Test("is refused outside the shift, overlapping, without an end, or not as it was read")
  func refused() async throws {
    try await withPhoneOnShift { world, phone in
      world.wait(.hours(1))
      for (breaks, fault) in [
        ([span(-1, 10)], .breakOutsideShift), ([span(50, 61)], .breakOutsideShift),
        ([span(10, 20), span(19, 30)], .breaksOverlap),
        ([span(10, 30), span(15, 20)], .breaksOverlap),
        ([span(10, 10)], .breakEndsBeforeStart), ([span(20, 10)], .breakEndsBeforeStart),
        ([span(50, nil)], .breakWithoutEnd),
        ((0..<21).map { span($0, $0 + 1) }, .tooManyBreaks), ([], .unchanged),
      ] as [([ShiftSpan], SpanFault)] {
        #expect(try await world.correctBreaks(breaks) == .impossible(fault), "\(breaks)")
      }
      let read = try await world.details().times
      _ = try await phone.startBreak("pause")
      let present = try await world.details().times
      #expect(
        try await world.correctBreaks([span(10, 20)], matching: [read.tag])
          == .changedMeanwhile(present))
      // The break that lasts may stay as it is.
      #expect(try await world.correctBreaks([span(10, 20)], matching: [present.tag]).isDone)
      #expect(
        try await world.correctBreaks([span(10, 20), span(60, nil)], matching: [present.tag])
          != .impossible(.breakWithoutEnd))
    }
  }

  // R: W21, W23
  @Test("and an approval at the same time never both win")
  func race() async throws {
    try await withWorld { world in
      _ = try await world.workAnHour()
      for round in 1...10 {
        let minute = Int64(10 + round)
        let seen = try await world.times()
        async let approved = world.approve(seen)
        async let corrected = world.correctBreaks([span(5, minute)])
        let (approval, correction) = (try await approved, try await corrected)
        let times = try await world.times()
        if case .corrected = correction {
          #expect(times.worked == .minutes(65 - minute))
          #expect(approval == .changed && times.approval == nil, "\(round)")
        } else {
          #expect(times.revision == seen.revision && times.approval != nil, "\(correction)")
          _ = try await world.operations.reviews.reopen(
            first, reason: "next", by: world.principal)
        }
      }
    }
  }

  // R: W10
  @Test("an end is now, or that of the planned shift, if there is one")
  func shortcuts() async throws {
    try await withPhoneOnShift { world, _ in
      var request = CorrectionRequest(reason: "forgot")
      request.end = .shortcut(.plannedEnd)
      let none = try await world.operations.reviews.correct(first, request, by: actor)
      #expect(none == .noPlannedEnd)
      _ = try await world.operations.people.planShift(
        EmployeeID(7), Interval(from: morning + .minutes(5), to: morning + .hours(8)),
        by: world.principal
      ).get()
      let early = try await world.operations.reviews.correct(first, request, by: actor)
      #expect(early == .impossible(.inFuture))
      world.wait(.hours(9))
      request.end = .shortcut(.now)
      _ = try await world.operations.reviews.correct(first, request, by: actor).get()
      #expect(try await world.shift(1).endedAt == morning + .hours(9))
      request.end = .shortcut(.plannedEnd)
      _ = try await world.operations.reviews.correct(first, request, by: actor).get()
      #expect(try await world.shift(1).endedAt == morning + .hours(8))
      #expect(try await world.details().history.plannedEnd == morning + .hours(8))
    }
  }
}

extension CorrectionOutcome {
  fileprivate var isDone: Bool {
    if case .corrected = self { true } else { false }
  }
}
