import Cryptography
import Lifecycle
import ReadModels
import ShiftDomain
import ShiftStore

/// A cache from earlier rounds. It may be outdated: pings are stored only under its versions, and
/// no version of an employee occurs twice, not even for the next one with the number.
final class KnownWorkplaces: Sendable {
  /// More than any installation has at work; above it the cache is cleared and read again.
  private static let capacity = 20_000
  /// Settings are not covered by the employee's version, and may be this old.
  private static let settingsAgeMax = Duration.seconds(5)

  private struct State: Sendable {
    var workplaces: [EmployeeID: Workplace] = [:]
    var settings: [TeamID: (row: PolicyRow, readAt: ContinuousClock.Instant)] = [:]
  }

  private let state = Lock(State())

  /// The cached facts about the employees in `needed`, if they reach back far enough.
  func recall(_ needed: [EmployeeID: Instant]) -> [EmployeeID: Workplace] {
    state.withLock { state in
      var found: [EmployeeID: Workplace] = [:]
      found.reserveCapacity(needed.count)
      for (employee, since) in needed {
        guard let workplace = state.workplaces[employee], workplace.since <= since else { continue }
        found[employee] = workplace
      }
      return found
    }
  }

  func has(_ device: DeviceID, tokenHash: [UInt8]) -> Bool {
    let known = state.withLock { $0.workplaces[device.employee]?.tokenHashes[device.number] }
    return known.map { constantTimeEqual($0, tokenHash) } ?? false
  }

  func settings(of teams: Set<TeamID>) -> [TeamID: PolicyRow] {
    let oldest = ContinuousClock.now - Self.settingsAgeMax
    return state.withLock { state in
      var found: [TeamID: PolicyRow] = [:]
      for team in teams {
        if let known = state.settings[team], known.readAt >= oldest { found[team] = known.row }
      }
      return found
    }
  }

  func remember(_ workplaces: [EmployeeID: Workplace]) {
    state.withLock { state in
      if state.workplaces.count + workplaces.count > Self.capacity { state.workplaces.removeAll() }
      state.workplaces.merge(workplaces) { $1 }
    }
  }

  func remember(_ settings: [TeamID: PolicyRow]) {
    let now = ContinuousClock.now
    state.withLock { state in
      for (team, row) in settings { state.settings[team] = (row, now) }
    }
  }

  func forget(_ employees: Set<EmployeeID>) {
    guard !employees.isEmpty else { return }
    state.withLock { state in
      for employee in employees { state.workplaces[employee] = nil }
    }
  }
}
