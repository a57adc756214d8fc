import GuardRules
import Guidance
import ManagerOperations
import ShiftDomain

struct CheckAnswer: Answer {
  var check: EmployeeCheck
  /// The preset that was tried instead of the policy in force.
  var tried: Preset?
  /// The language of the remedies; everything else is English.
  var language = Language.english

  /// Depends on the clock-in readiness, for an employee on shift too.
  var exitStatus: ExitStatus {
    switch check.decision.verdict {
    case .allow: .done
    case .warn: .warn
    case .block: .block
    }
  }

  /// Whether nothing blocks but an old permission check or none yet: the app sends a new one when
  /// it is opened, so this is no denial. A clock-in without one is blocked all the same.
  var isCheckDue: Bool {
    let blocking = check.decision.blocking
    return check.snapshot != nil && !blocking.isEmpty && blocking.isSubset(of: Self.oldChecks)
  }

  private static let oldChecks = FindingSet(.noReport).union(FindingSet(.staleReport))

  /// The remedies that the employee sees on the phone, in order.
  var remedies: [Remedy] { advice.remedies }

  /// What the employee reads on the phone.
  var advice: Guidance {
    let snapshot = check.snapshot
    let device = snapshot.map { DeviceDescription($0) } ?? DeviceDescription(platform: .unknown)
    let severities = snapshot?.policy.severities ?? .table(of: tried ?? .initial)
    return guidance(
      for: check.decision, report: snapshot?.report?.state, on: device, under: severities,
      in: language)
  }

  func lines(on surface: Surface) -> [String] {
    headline(on: surface) + [""] + factLines + [""]
      + (check.snapshot == nil ? enrolmentLines : remedyLines(on: surface))
  }
}
