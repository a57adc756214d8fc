import GuardRules
import Guidance
import ShiftDomain
import ShiftOperations

/// What `guardctl check` answers: what the guard would say now, and what would change its mind.
struct CheckAnswer: Answer {
  /// What is known of the employee. Holds no coordinates.
  var check: EmployeeCheck
  /// The preset that was tried in place of the policy in force.
  var tried: Preset?
  /// What the remedies are written in; all else is English.
  var language = Language.english

  /// It follows the readiness, also of somebody on shift.
  var exitStatus: ExitStatus {
    switch check.decision.verdict {
    case .allow: .done
    case .warn: .warn
    case .block: .block
    }
  }

  /// What the employee is told on the phone, in the order of remedy.
  var remedies: [Remedy] {
    let snapshot = check.snapshot
    let device = DeviceDescription(
      platform: snapshot?.platform ?? .unknown, osVersion: snapshot?.osVersion,
      maker: snapshot?.model)
    let severities = snapshot?.policy.severities ?? .table(of: tried ?? .standard)
    return guidance(
      for: check.decision, report: snapshot?.report?.state, on: device, under: severities,
      in: language
    ).remedies
  }

  func lines(on surface: Surface) -> [String] {
    headline(on: surface) + [""] + factLines + [""]
      + (check.snapshot == nil ? enrolmentLines : remedyLines(on: surface))
  }
}
