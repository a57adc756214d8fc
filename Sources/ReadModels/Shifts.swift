import GuardRules
import ShiftDomain

/// A shift as stored and listed.
package struct ShiftRow: Hashable, Sendable {
  package var shift: ShiftID
  /// The employee's name.
  package var name: String
  /// The number of the device that it began on, or was confirmed on; `nil`: no phone tracks it yet.
  package var device: Int16?
  package var startedAt: Instant
  /// When it ended; `nil` while open.
  package var endedAt: Instant?
  package var verdict: Verdict
  package var settings: TrackingSettings
  /// Its maximum length, from the policy at clock-in.
  package var shiftMax: TimeSpan
  /// The fix sent with the clock-in; `nil` without one.
  package var startFix: ActionFix?
  /// The fix sent with the clock-out; `nil` without one.
  package var endFix: ActionFix?
  /// When the clock-in was received, if it was made offline.
  package var offlineReceipt: Instant?
  /// When no phone had been asked to track: before the acceptance of a shift that was accepted in
  /// review, before the employee's confirmation, and in time added by corrections.
  package var notAsked: IntervalSet
  /// The time that corrections brought into working time, within `notAsked`.
  package var added = IntervalSet()
  /// Who or what ended it; `nil` while open, and for shifts that ended before this was stored.
  package var ending: ShiftEnding?
  /// Whether it needs review: it ended automatically, was declined, or the employee objects.
  package var needsReview: Bool
  package var openedBy: ShiftOpening
  /// Who opened it, and why, if a manager did.
  package var openedBecause: OpeningReason?
  /// When it ends unless the employee confirms it before; `nil`: at its limit.
  package var confirmBy: Instant?
  /// When the employee confirmed a shift that a manager or a plan had opened.
  package var confirmedAt: Instant?
  /// When its first phone began, at the clock-in, the acceptance or the confirmation.
  package var begunAt: Instant
  /// The report that this was decided on; `nil` without one.
  package var evidence: ReportID?
  /// Whether its policy ignores simulated positions.
  package var isMockIgnored = false
  /// Whether the employee clocked in, or confirmed, with a simulated position.
  package var isMockAccepted = false
  /// `nil`: its times are not approved.
  package var approval: ShiftApproval?
  /// When the employee confirmed its times; `nil`: not, or they have changed since.
  package var timesConfirmedAt: Instant?
  /// To its present times. While `needsReview`, it waits for a manager's decision.
  package var objection: Objection?

  package init(
    shift: ShiftID, name: String, device: Int16?, startedAt: Instant, endedAt: Instant? = nil,
    verdict: Verdict, settings: TrackingSettings, shiftMax: TimeSpan, startFix: ActionFix? = nil,
    endFix: ActionFix? = nil, offlineReceipt: Instant? = nil, notAsked: IntervalSet,
    ending: ShiftEnding? = nil, needsReview: Bool, openedBy: ShiftOpening = .employee,
    openedBecause: OpeningReason? = nil, confirmBy: Instant? = nil, confirmedAt: Instant? = nil,
    approval: ShiftApproval? = nil, timesConfirmedAt: Instant? = nil, objection: Objection? = nil
  ) {
    self.shift = shift
    self.name = name
    self.device = device
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.verdict = verdict
    self.settings = settings
    self.shiftMax = shiftMax
    self.startFix = startFix
    self.endFix = endFix
    self.offlineReceipt = offlineReceipt
    self.notAsked = notAsked
    self.ending = ending
    self.needsReview = needsReview
    self.openedBy = openedBy
    self.openedBecause = openedBecause
    self.confirmBy = confirmBy
    self.confirmedAt = confirmedAt
    begunAt = startedAt
    self.approval = approval
    self.timesConfirmedAt = timesConfirmedAt
    self.objection = objection
  }

  package var waitsForConfirmation: Bool { device == nil && endedAt == nil }

  /// Whether only managers say that it was worked.
  package var isAdded: Bool { device == nil && ending == .manager }
}

/// A shift with its breaks: what a correction is about.
package struct ShiftTimes: Hashable, Sendable {
  package var row: ShiftRow
  /// In order.
  package var breaks: [ShiftSpan]

  package init(_ row: ShiftRow, breaks: [ShiftSpan]) { (self.row, self.breaks) = (row, breaks) }

  /// Differs when the times differ, or what the employee says of them.
  package var tag: String {
    let instants = [row.startedAt, row.endedAt, row.objection?.at]
    return contentTag(
      (instants + breaks.flatMap { [$0.start, $0.end] }).map {
        $0.map { String($0.milliseconds) } ?? ""
      })
  }
}

/// Why an employee disagrees with the recorded times of an own shift.
package struct Objection: Hashable, Sendable {
  package var at: Instant
  /// 1…500 characters.
  package var reason: String

  package init(at: Instant, reason: String) { (self.at, self.reason) = (at, reason) }
}

/// Who opened a shift for an employee, and why.
package struct OpeningReason: Hashable, Sendable {
  /// The manager's name; 1…100 characters.
  package var by: String
  /// The reason, which the employee can read; 1…500 characters.
  package var reason: String

  package init(by: String, reason: String) { (self.by, self.reason) = (by, reason) }
}

/// A fix that was sent with a clock action.
package struct ActionFix: Hashable, Sendable {
  /// When it was taken.
  package var at: Instant
  /// What it proves.
  package var proof: FixProof

  package init(at: Instant, proof: FixProof) {
    (self.at, self.proof) = (at, proof)
  }
}

/// A correction as stored and listed.
package struct CorrectionRow: Hashable, Sendable {
  /// The shift corrected.
  package var shift: ShiftID
  /// Its number within the shift, from 1.
  package var number: Int16
  /// The shift's previous span.
  package var old: ShiftSpan
  /// The new span.
  package var new: ShiftSpan
  /// `nil`: breaks stay as they are, but those outside the new span are clipped.
  package var breaks: CorrectedBreaks?
  /// The author's name; 1…100 characters.
  package var correctedBy: String
  /// The time of the correction.
  package var correctedAt: Instant
  /// The reason; 1…500 characters.
  package var reason: String
  /// The number of the correction that this one undoes, if any.
  package var undoes: Int16?
  /// When it was undone; `nil` if it was not.
  package var undoneAt: Instant?
  /// How the shift had ended before it; `nil` if it was open.
  package var oldEnding: ShiftEnding?
  /// Whether the shift needed review before it.
  package var oldReview: Bool
  /// The objection that it answers.
  package var oldObjection: Objection?

  package init(
    shift: ShiftID, number: Int16, old: ShiftSpan, new: ShiftSpan,
    breaks: CorrectedBreaks? = nil, correctedBy: String, correctedAt: Instant, reason: String,
    undoes: Int16? = nil, undoneAt: Instant? = nil,
    oldEnding: ShiftEnding? = nil, oldReview: Bool = false, oldObjection: Objection? = nil
  ) {
    self.shift = shift
    self.number = number
    self.old = old
    self.new = new
    self.breaks = breaks
    self.correctedBy = correctedBy
    self.correctedAt = correctedAt
    self.reason = reason
    self.undoes = undoes
    self.undoneAt = undoneAt
    self.oldEnding = oldEnding
    self.oldReview = oldReview
    self.oldObjection = oldObjection
  }
}

extension [CorrectionRow] {
  /// What those in force took out of breaks. Time that one removed and another adds again counts as
  /// added, unless an undo restores it.
  package var addedTime: IntervalSet {
    let undone = Set(compactMap(\.undoes))
    let standing = filter { $0.undoes == nil && !undone.contains($0.number) }
    return IntervalSet(
      standing.flatMap { $0.breaks?.removed(at: $0.correctedAt).intervals ?? [] })
  }
}

/// A note as stored and listed.
package struct ShiftNote: Hashable, Sendable {
  /// Its number within the shift, from 1.
  package var number: Int16
  package var from: Instant
  package var to: Instant
  /// The text; 1…500 characters.
  package var text: String
  package var createdAt: Instant

  package init(number: Int16, from: Instant, to: Instant, text: String, createdAt: Instant) {
    self.number = number
    self.from = from
    self.to = to
    self.text = text
    self.createdAt = createdAt
  }
}

/// A fix of a shift.
package struct TrackFix: Hashable, Sendable {
  /// Its time, by the server's clock.
  package var at: Instant
  /// The phone's clock at that time: with `at` and `device`, its position in the order.
  package var recordedAt: Instant
  package var device: Int16
  /// The position, with the quality values that the table stores.
  package var fix: Fix
  /// Whether another app mocked the position.
  package var isMock: Bool

  package init(
    at: Instant, recordedAt: Instant, device: Int16, fix: Fix, isMock: Bool = false
  ) {
    self.at = at
    self.recordedAt = recordedAt
    self.device = device
    self.fix = fix
    self.isMock = isMock
  }
}

/// A position of an employee.
package struct FixRow: Hashable, Sendable {
  /// The shift's number.
  package var shift: Int32
  package var at: Instant
  package var place: Coordinate

  package init(shift: Int32, at: Instant, place: Coordinate) {
    (self.shift, self.at, self.place) = (shift, at, place)
  }
}

/// The filter of a list.
package struct ListFilter: Hashable, Sendable {
  /// The employees that may be shown.
  package var scope: TeamScope
  /// Only this employee; `nil`: all.
  package var employee: EmployeeID?
  /// `true`: only open entries; `false`: only closed ones.
  package var isOpen: Bool?
  /// Only entries that began at this time or later.
  package var from: Instant?
  /// Only entries that began before this time.
  package var to: Instant?
  /// Only entries after this position.
  package var after: ListPlace?

  /// Everything in `scope`.
  package init(in scope: TeamScope) { self.scope = scope }
}
