import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package enum PayrollOutcome: Hashable, RefusableAnswer {
  /// The new settings hold, now or before.
  case kept(PayrollSettings)
  /// These are the current settings.
  case changedMeanwhile(PayrollSettings)

  package func get() throws(Refusal) -> PayrollSettings {
    switch self {
    case .kept(let settings): settings
    case .changedMeanwhile(let settings):
      throw .changed("payroll configuration", .payroll(settings))
    }
  }
}

extension PayrollSettings {
  /// For `If-Match`.
  package var tag: String {
    contentTag([period.code, String(startsOn), hoursFormat.code] + columns.map(\.code))
  }
}

extension ReviewOperations {
  package func payrollSettings() async throws(OperationError) -> PayrollSettings {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.payrollSettings(on: &session) ?? .standard
    }
  }

  /// - Parameter tags: The tags that the caller may have read; `nil`: no check.
  /// - Throws: `.invalid` without a column, or if one is named twice.
  package func setPayroll(
    _ settings: PayrollSettings, matching tags: Set<String>? = nil, by principal: Principal
  ) async throws(OperationError) -> PayrollOutcome {
    guard !settings.columns.isEmpty, Set(settings.columns).count == settings.columns.count else {
      throw .invalid("a time sheet needs at least one column, and none twice")
    }
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdPayrollSettings)
      let old = try ShiftStore.payrollSettings(on: &session) ?? .standard
      if let tags, !tags.contains(old.tag) { return .done(.changedMeanwhile(old)) }
      guard old != settings else { return .done(.kept(settings)) }
      try session.execute(put(settings))
      try audit(
        .payrollChanged, by: principal, at: at,
        reason: """
          \(settings.period.code) from \(settings.firstDay.text), \(settings.hoursFormat.code), \
          \(settings.columns.map(\.code).joined(separator: ", "))
          """,
        on: &session)
      return .done(.kept(settings))
    }
  }
}
