import GuardRules
import ShiftDomain

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

/// SplitMix64: small, seeded, the same on every machine, so a failing row can be run again.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True with a probability of one in `count`.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

extension Array {
  /// A random element; the array must not be empty.
  func pick(_ random: inout SeededRandom) -> Element {
    self[Int.random(in: indices, using: &random)]
  }
}
