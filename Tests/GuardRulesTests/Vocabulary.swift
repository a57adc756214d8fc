import GuardRules
import ShiftDomain
import TestNumbers

// Short forms for the tables of this target.

/// The time from which every test counts.
let morning = Instant(milliseconds: 1_700_000_000_000)

/// `seconds` after `morning`, to the millisecond.
func at(_ seconds: Double) -> Instant {
  morning + .milliseconds(Int64((seconds * 1_000).rounded()))
}

/// A phone in good order except for the given values.
func phone(
  _ authorization: Authorization = .always, services: Switch = .on,
  accuracy: LocationAccuracy = .full, conditions: DeviceConditions = DeviceConditions()
) -> PermissionState {
  PermissionState(
    authorization: authorization, accuracy: accuracy, services: services, conditions: conditions)
}

/// A state of a phone, and since when it is reported.
struct ReportedState: Hashable, Sendable {
  var since: Instant
  var state: PermissionState
}

/// A report of `state`.
func report(
  _ state: PermissionState, at instant: Instant = morning, skew: TimeSpan? = nil,
  sequence: Int64? = nil, exit: AppExit? = nil
) -> PermissionReport {
  PermissionReport(
    id: ReportID(1), state: state, effectiveAt: instant, skew: skew, sequence: sequence,
    appExit: exit)
}

extension FindingSet {
  /// The set of `findings`.
  static func of(_ findings: Finding...) -> FindingSet {
    findings.reduce(into: []) { $0.insert($1) }
  }
}

func coordinate(_ north: Double, _ east: Double) -> Coordinate {
  guard let place = Coordinate(latitude: north, longitude: east) else {
    preconditionFailure("no such place")
  }
  return place
}

typealias SeededRandom = TestNumbers.SeededRandom

extension SeededRandom {
  /// True with a probability of one in `count`.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

extension Array {
  /// A random element; the array must not be empty.
  func pick(_ random: inout SeededRandom) -> Element {
    self[Int.random(in: indices, using: &random)]
  }
}
