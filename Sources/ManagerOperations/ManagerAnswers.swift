import GuardRules
import OperationCore
import ReadModels
import ShiftDomain

/// The answer of `guardctl check` for one employee.
package struct EmployeeCheck: Hashable, Sendable {
  /// The employee.
  package var employee: EmployeeID
  /// Their name.
  package var name: String
  /// Their team's name.
  package var teamName: String
  /// When this was computed.
  package var asOf: Instant
  /// Whether they can be tracked now, as opposed to whether they may clock in.
  package var trackingState: TrackingState
  /// The device that was checked; `nil` when none is enrolled.
  package var snapshot: Snapshot?
  /// The decision; `.noReport` blocks under most policies if no device is enrolled.
  package var decision: Decision
  /// The last contact from this device.
  package var lastContactAt: Instant?
}

/// The outcome of a policy change.
package enum PolicyOutcome: Hashable, RefusableAnswer {
  case made(PolicyRow)
  /// The version in force is identical, possibly because the same request was sent before and its
  /// answer was lost.
  case unchanged(PolicyRow)
  /// This is the version in force.
  case changedMeanwhile(PolicyRow)

  /// The version in force.
  package func get() throws(Refusal) -> (row: PolicyRow, isNew: Bool) {
    switch self {
    case .made(let row): (row, true)
    case .unchanged(let row): (row, false)
    case .changedMeanwhile(let row): throw .changed("policy", .policy(row))
    }
  }
}

extension PolicyRow {
  /// Identifies this version, for `If-Match`.
  package var tag: String { String(version) }
}

/// A code that enrols one phone, shown only here.
package struct NewEnrolmentCode: Hashable, Sendable {
  /// The employee's number and four groups of four characters, separated by hyphens; 80 random
  /// bits.
  package var code: String
  /// When it expires.
  package var expiresAt: Instant

  /// The path of the page for employees on this server, with the code in the fragment, which no
  /// server and no log sees.
  package var link: String { "/app#\(code)" }

  package init(code: String, expiresAt: Instant) { (self.code, self.expiresAt) = (code, expiresAt) }
}

/// An API token, shown only here.
package struct NewAPIToken: Hashable, Sendable {
  /// `sga_<number>_<secret>`.
  package var token: String
  /// Its number, by which it is listed and revoked.
  package var number: Int32
  /// When it expires.
  package var expiresAt: Instant
}
