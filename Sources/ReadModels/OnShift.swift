import ShiftDomain

/// An employee on shift, with their last position.
package struct EmployeeOnShift: Hashable, Sendable {
  /// Why no position is shown.
  package enum Absence: Hashable, Sendable {
    /// Nothing is recorded on a break, and nothing from before it is shown.
    case onBreak(since: Instant)
    /// A shift that the employee did not begin; nothing is recorded until they confirm it.
    case waitsForConfirmation
    /// None has arrived yet.
    case notYet

    /// Its code in JSON.
    package var code: String {
      switch self {
      case .onBreak: "on_break"
      case .waitsForConfirmation: "waits_for_confirmation"
      case .notYet: "no_position"
      }
    }
  }

  package enum LastPosition: Hashable, Sendable {
    case known(TrackFix)
    case absent(Absence)
  }

  package var shift: ShiftID
  package var name: String
  package var team: TeamID
  package var startedAt: Instant
  /// How long a position counts as tracked.
  package var fixAgeMax: TimeSpan
  /// The newest one, by the phone's clock.
  package var position: LastPosition

  package init(
    shift: ShiftID, name: String, team: TeamID, startedAt: Instant, fixAgeMax: TimeSpan,
    position: LastPosition
  ) {
    self.shift = shift
    self.name = name
    self.team = team
    self.startedAt = startedAt
    self.fixAgeMax = fixAgeMax
    self.position = position
  }
}
