import JSONText
public import ShiftDomain

/// One of the employee's own shifts.
public struct OwnShift: Hashable, Sendable {
  public let number: Int64
  public let startedAt: Instant
  /// `nil` while it is open.
  public let endedAt: Instant?
  /// Whether it ended at its time limit, so that the employee should say when it really did.
  public let needsReview: Bool
}

/// One of the employee's own shifts as their managers see it.
public struct OwnShiftDetails: Hashable, Sendable {
  /// A span in which the same holds; the segments fill the shift.
  public struct Segment: Hashable, Sendable {
    public let start: Instant
    public let end: Instant
    /// `tracked`, `on_break`, or why it was not tracked, such as `no_contact`; more may be added.
    public let reason: String
  }

  public let shift: OwnShift
  /// In percent; `nil` if no time counts.
  public let trackingRate: Double?
  public let segments: [Segment]
  public let times: ShiftTimes
}

/// The times of a shift as they are paid.
public struct ShiftTimes: Hashable, Sendable {
  public let startedAt: Instant
  /// `nil` while the shift is open.
  public let endedAt: Instant?
  public let breakMinutes: Int64
  /// Without breaks, to the nearest minute; `nil` while the shift is open.
  public let workedMinutes: Int64?
  /// By the team's rule for rounding and breaks; `nil` while the shift is open.
  public let paidMinutes: Int64?
  /// `open`, `in_review`, `ready` or `approved`.
  public let state: String
  /// When the employee confirmed these times; `nil`: not, or they have changed since.
  public let confirmedAt: Instant?
  /// Differs whenever the times differ.
  public let revision: String
}

/// What somebody did about the employee, such as looking at positions.
public struct AuditEntry: Hashable, Sendable {
  public let at: Instant
  public let by: String
  /// Such as `track_viewed`; more may be added.
  public let action: String
  /// The shift that it is about; `nil`: none.
  public let shift: Int64?
  /// The stated purpose, the reason or the change.
  public let reason: String?
}

extension GuardSession {
  /// The employee's newest shifts, newest first.
  /// - Parameter limit: 1…100.
  public func ownShifts(limit: Int = 20) async throws(AskingError) -> [OwnShift] {
    let fields = try await ask("GET", "/v1/me/shifts?limit=\(limit)")
    do throws(BodyFault) {
      return try fields.objects("shifts").map { (shift) throws(BodyFault) in
        try OwnShift(number: shift.required("number", shift.integer("number")), shift)
      }
    } catch { throw .unreadable }
  }

  public func ownShift(_ number: Int64) async throws(AskingError) -> OwnShiftDetails {
    let fields = try await ask("GET", "/v1/me/shifts/\(number)")
    do throws(BodyFault) {
      let coverage = try fields.required("coverage", fields.object("coverage"))
      return OwnShiftDetails(
        shift: try OwnShift(number: number, fields),
        trackingRate: try coverage.number("trackingRate"),
        segments: try coverage.objects("segments").map { (segment) throws(BodyFault) in
          OwnShiftDetails.Segment(
            start: try segment.required("from", segment.instant("from")),
            end: try segment.required("to", segment.instant("to")),
            reason: try segment.shown("reason"))
        },
        times: try ShiftTimes(fields.required("times", fields.object("times"))))
    } catch { throw .unreadable }
  }

  /// The employee confirms the times of a shift as they saw them.
  /// - Throws: `changed_meanwhile` if they have changed since.
  public func confirmTimes(of shift: Int64, _ times: ShiftTimes) async throws(AskingError)
    -> ShiftTimes
  {
    try await answer("confirm-times", about: shift, ["revision": .string(times.revision)])
  }

  /// The employee objects to the times of a shift as they saw them; a manager decides.
  /// - Parameter reason: 1 to 500 characters.
  public func objectToTimes(of shift: Int64, _ times: ShiftTimes, reason: String)
    async throws(AskingError) -> ShiftTimes
  {
    try await answer(
      "object-to-times", about: shift,
      ["revision": .string(times.revision), "reason": .string(reason)])
  }

  /// Who looked at the employee's positions, and what else was done about them, newest first.
  /// - Parameter limit: 1…100.
  public func audit(limit: Int = 20) async throws(AskingError) -> [AuditEntry] {
    let fields = try await ask("GET", "/v1/me/audit?limit=\(limit)")
    do throws(BodyFault) {
      return try fields.objects("entries").map { (entry) throws(BodyFault) in
        AuditEntry(
          at: try entry.required("at", entry.instant("at")), by: try entry.shown("by"),
          action: try entry.shown("action"), shift: try entry.integer("shift"),
          reason: try entry.text("reason", max: 100_000))
      }
    } catch { throw .unreadable }
  }

  private func answer(_ name: String, about shift: Int64, _ object: JSONObject)
    async throws(AskingError) -> ShiftTimes
  {
    let fields = try await ask("POST", "/v1/me/shifts/\(shift)/\(name)", object)
    guard let times = try? ShiftTimes(fields) else { throw .unreadable }
    return times
  }
}

extension OwnShift {
  fileprivate init(number: Int64, _ fields: JSONFields) throws(BodyFault) {
    self.init(
      number: number, startedAt: try fields.required("startedAt", fields.instant("startedAt")),
      endedAt: try fields.instant("endedAt"), needsReview: try fields.asksForEnd())
  }
}

extension ShiftTimes {
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    startedAt = try fields.required("startedAt", fields.instant("startedAt"))
    endedAt = try fields.instant("endedAt")
    breakMinutes = try fields.required("breakMinutes", fields.integer("breakMinutes"))
    workedMinutes = try fields.integer("workedMinutes")
    paidMinutes = try fields.integer("paidMinutes")
    state = try fields.shown("state")
    confirmedAt = try fields.instant("timesConfirmedAt")
    revision = try fields.shown("revision")
  }
}

extension JSONFields {
  /// Zero or more.
  fileprivate func integer(_ name: String) throws(BodyFault) -> Int64? {
    try integer(name, in: 0...Int64.max)
  }

  /// Whether a shift ended at its limit and nobody has said yet when it really ended.
  fileprivate func asksForEnd() throws(BodyFault) -> Bool {
    let (isToReview, ending) = (try flag("review"), try text("endedBy", max: 32))
    let objection = try object("objection")
    return isToReview == true && ending == "limit" && objection == nil
  }
}
