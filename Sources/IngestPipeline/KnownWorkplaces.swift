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

  /// Gives the pending of `employees` their cached facts, or none if these do not reach back far
  /// enough.
  func recall(for employees: inout [EmployeeOfRound]) {
    state.withLock { state in
      for index in employees.indices where employees[index].isPending {
        let since = employees[index].since
        let workplace = state.workplaces[employees[index].id]
        employees[index].workplace = workplace.flatMap { $0.since <= since ? $0 : nil }
      }
    }
  }

  func has(_ device: DeviceID, tokenHash: [UInt8]) -> Bool {
    let known = state.withLock { $0.workplaces[device.employee]?.device(device.number) }
    return known.map { constantTimeEqual($0.tokenHash, tokenHash) } ?? false
  }

  /// Of those of `teams` whose settings are cached.
  func settings(of teams: [TeamID]) -> [PolicyRow] {
    let oldest = ContinuousClock.now - Self.settingsAgeMax
    return state.withLock { state in
      teams.compactMap { team in
        state.settings[team].flatMap { $0.readAt >= oldest ? $0.row : nil }
      }
    }
  }

  func remember(_ workplaces: [EmployeeID: Workplace]) {
    state.withLock { state in
      if state.workplaces.count + workplaces.count > Self.capacity { state.workplaces.removeAll() }
      state.workplaces.merge(workplaces) { $1 }
    }
  }

  func remember(_ settings: [PolicyRow]) {
    guard !settings.isEmpty else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      for row in settings { state.settings[row.team] = (row, now) }
    }
  }

  func forget(_ employees: Set<EmployeeID>) {
    guard !employees.isEmpty else { return }
    state.withLock { state in
      for employee in employees { state.workplaces[employee] = nil }
    }
  }
}
