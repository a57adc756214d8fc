import GuardRules
import Guidance
import OperationCore
import ReadModels
import ShiftDomain

struct Fact {
  var label: String
  var words: String
}

extension CheckAnswer {
  var facts: [Fact] {
    let name = "\(check.employee.rawValue) \(check.name.showable), team \(check.teamName.showable)"
    let employee = Fact(label: "Employee", words: name)
    guard let snapshot = check.snapshot else {
      return [employee, Fact(label: "Device", words: "none")] + planned
    }
    return [
      employee,
      Fact(label: "Device", words: device(snapshot)),
      Fact(label: "Report", words: report(snapshot)),
      Fact(label: "Contact", words: check.lastContactAt.map(time) ?? "none yet"),
      Fact(label: "Shift", words: shift(snapshot)),
    ] + planned + tracking + place(snapshot)
      + snapshot.incidents.map { Fact(label: "Incident", words: incident($0)) }
      + [Fact(label: "Policy", words: policy(snapshot))]
      + (snapshot.availableOverride.map { [Fact(label: "Override", words: override($0))] } ?? [])
  }

  /// The tracking state of the open shift and the clock-in readiness. Off shift only the readiness
  /// applies, and the headline shows it.
  private var tracking: [Fact] {
    guard check.trackingState.value != .offShift else { return [] }
    return [
      Fact(label: "Tracking", words: check.trackingState.text),
      Fact(label: "Readiness", words: readiness),
    ]
  }

  private func place(_ snapshot: Snapshot) -> [Fact] {
    snapshot.leavesOutPlace ? [Fact(label: "Position", words: "checked at clock-in")] : []
  }

  /// The planned shift that is missed.
  private var planned: [Fact] {
    check.missed.map { missed in
      let (start, end) = (missed.planned.start, missed.planned.end)
      return missed.isNoShow
        ? "no-show, planned from \(start.text) to \(end.text)"
        : "late \(start.since(at: check.asOf)), planned until \(end.text)"
    }.map { [Fact(label: "Planned", words: $0)] } ?? []
  }

  /// Ages are relative to the time of the check, not of the output.
  private func time(_ instant: Instant) -> String { instant.text(at: check.asOf) }

  private func device(_ snapshot: Snapshot) -> String {
    let platform = snapshot.platform.name
    let version = snapshot.osVersion ?? ""
    // Some phones name the system within its version: `Android 14`.
    let system =
      version.isEmpty
      ? platform
      : version.lowercased().hasPrefix(platform.lowercased()) ? version : "\(platform) \(version)"
    return [snapshot.device.text, system, snapshot.model].compactMap(\.self)
      .joined(separator: ", ").showable
  }

  private func report(_ snapshot: Snapshot) -> String {
    guard let report = snapshot.report else { return "none yet" }
    return "\(report.state.words), \(time(report.effectiveAt))"
  }

  private func shift(_ snapshot: Snapshot) -> String {
    guard let shift = snapshot.shift else { return "none open" }
    let number = ShiftID(employee: check.employee, number: shift.number).text
    let head = "\(number), open \(shift.startedAt.since(at: check.asOf))"
    guard let device = shift.device else {
      return head + ", opened by a \(shift.openedBy.code), waits for the employee's confirmation"
    }
    let other = DeviceID(employee: check.employee, number: device).text
    let revoked = snapshot.otherTracker?.isRevoked == true ? ", which is revoked" : ""
    return head + (snapshot.isTracking ? "" : ", tracked by device \(other)\(revoked)")
  }

  private func incident(_ incident: OpenIncident) -> String {
    let number = IncidentID(employee: check.employee, number: incident.number).text
    let accepted = incident.isAccepted ? ", accepted at clock-in" : ""
    return "\(number), \(incident.kind.label), open \(incident.openedAt.since(at: check.asOf))"
      + accepted
  }

  private func override(_ availableOverride: OverrideRow) -> String {
    "\(availableOverride.words), allows one clock-in until \(time(availableOverride.expiresAt))"
  }

  private func policy(_ snapshot: Snapshot) -> String {
    if let tried { return "\(tried.code), tried with --policy instead of the team's" }
    return "\(snapshot.policy.preset.code), version \(snapshot.policyVersion)"
  }
}
