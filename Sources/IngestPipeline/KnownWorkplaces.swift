import Lifecycle
import ShiftDomain
import ShiftStore

/// What is known of employees from rounds before. A memory that may be wrong: each round asks for
/// the versions, and reads again what has moved on.
final class KnownWorkplaces: Sendable {
  /// More than any installation has at work; beyond it everything is forgotten and read again.
  private static let most = 20_000
  /// Settings have no version among the employee's, and may be this old.
  private static let settingsAgeMax = Duration.seconds(5)

  private struct Entry: Sendable {
    let workplace: Workplace
    let readAt: ContinuousClock.Instant
  }

  private let entries = Lock<[EmployeeID: Entry]>([:])

  /// What is still true of those in `versions`, and reaches back as far as is `needed`.
  func current(
    _ versions: [EmployeeID: Int64], since needed: [EmployeeID: Instant]
  ) -> [EmployeeID: Workplace] {
    let oldest = ContinuousClock.now - Self.settingsAgeMax
    return entries.withLock { entries in
      var found: [EmployeeID: Workplace] = [:]
      for (employee, version) in versions {
        guard let entry = entries[employee], entry.workplace.version == version,
          entry.readAt >= oldest, let since = needed[employee], entry.workplace.since <= since
        else { continue }
        found[employee] = entry.workplace
      }
      return found
    }
  }

  /// Remembers what was just read.
  func remember(_ workplaces: [EmployeeID: Workplace]) {
    let now = ContinuousClock.now
    entries.withLock { entries in
      if entries.count + workplaces.count > Self.most { entries.removeAll(keepingCapacity: true) }
      for (employee, workplace) in workplaces {
        entries[employee] = Entry(workplace: workplace, readAt: now)
      }
    }
  }
}
