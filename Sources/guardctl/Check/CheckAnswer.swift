import GuardRules
import Guidance
import InsightOperations
import ShiftDomain

struct CheckAnswer: Answer {
  var check: EmployeeCheck
  /// The preset that was tried instead of the policy in force.
  var tried: Preset?
  /// The language of the remedies; everything else is English.
  var language = Language.english

  /// On shift it goes by tracking, as the headline does, unless another policy is tried.
  var exitStatus: ExitStatus {
    guard goesByTracking else {
      return switch check.decision.verdict {
      case .allow: .done
      case .warn: .warn
      case .block: .block
      }
    }
    return switch (check.trackingState.value, check.trackingState.reason) {
    case (.tracked, _), (.onBreak, _), (.offShift, _): .done
    case (.atRisk, _), (.notTracked, .waitingFirstFix), (.notTracked, .resuming): .warn
    case (.notTracked, _): .block
    }
  }

  var goesByTracking: Bool { tried == nil && check.trackingState.value != .offShift }

  /// Whether a phone's permission check is due, and nothing else is wrong.
  var isCheckDue: Bool { check.snapshot != nil && check.decision.isCheckDue }

  /// The remedies that the employee sees on the phone, in order.
  var remedies: [Remedy] { advice.remedies }

  /// What the employee reads on the phone.
  var advice: Guidance {
    let snapshot = check.snapshot
    let device = snapshot.map { DeviceDescription($0) } ?? DeviceDescription(platform: .unknown)
    let severities = snapshot?.policy.severities ?? .table(of: tried ?? .initial)
    return guidance(
      for: check.decision, report: snapshot?.report?.state, on: device, under: severities,
      naming: snapshot?.named, in: language)
  }

  func lines(on surface: Surface) -> [String] {
    headline(on: surface) + [""] + factLines + [""]
      + (check.snapshot == nil ? enrolmentLines : remedyLines(on: surface))
  }
}
