import GuardRules
import OperationCore
import ReadModels
import ShiftDomain
import ShiftStore

extension GuardStep {
  /// The restoration by a report, after which the phone can be located again. A break, take-over or
  /// shift end in between leaves it out.
  func restoration(by timedReport: TimedReport, before: GuardState) -> RestorationRow? {
    guard let was = before.shift, let shift = state.shift, was.number == shift.number,
      was.device == shift.device, timedReport.device.number == shift.device,
      let lostAt = was.unlocatableSince, !state.cannotLocate, !shift.isOnBreak
    else { return nil }
    return RestorationRow(
      of: timedReport.device, shift: shift.number, by: timedReport.report.id, lostAt: lostAt,
      restoredAt: max(timedReport.report.effectiveAt, lostAt), receivedAt: timedReport.receivedAt,
      skew: timedReport.report.skew)
  }

  /// The detections by a report: each incident that it opens for the worse and leaves open.
  func detections(by timedReport: TimedReport) -> [DetectionRow] {
    let open = Set(state.incidents.map(\.number))
    return effects.compactMap { effect in
      switch effect {
      case .incidentOpened(let incident, _) where !open.contains(incident.number): nil
      case .incidentOpened(let incident, after: nil) where incident.origin == .midShift:
        DetectionRow(incident, worsened: false, by: timedReport)
      case .incidentOpened(let incident, after: let kind?) where incident.kind.isWorse(than: kind):
        DetectionRow(incident, worsened: true, by: timedReport)
      default: nil
      }
    }
  }
}

extension DetectionRow {
  fileprivate init(_ incident: OpenIncident, worsened: Bool, by timedReport: TimedReport) {
    self.init(
      IncidentID(employee: timedReport.device.employee, number: incident.number),
      by: timedReport.report.id, kind: incident.kind, worsened: worsened,
      receivedAt: timedReport.receivedAt)
  }
}
