import Lifecycle
import ReadModels
import ShiftDomain
import Telemetry

/// The open shifts and incidents of the whole installation, in the metrics of each instance.
final class OpenShiftGauges: Sendable {
  private typealias PhoneGroup = OpenShiftCounts.PhoneGroup

  /// Phones name their version themselves; from this on it is shown as `other`. By number and not
  /// by count, so that one phone with invented versions hides no real one.
  static let versionsEnd = 200

  private struct Shown {
    var shifts: [PhoneGroup: Gauge] = [:]
    var incidents: [OpenShiftCounts.Incidents: Gauge] = [:]
  }

  private let metrics: Metrics
  private let massSilence: Gauge
  private let shown = Lock(Shown())

  init(_ metrics: Metrics) {
    self.metrics = metrics
    massSilence = metrics.gauge(
      "shiftguard_mass_silence",
      "1 while most phones on shift fell silent at the same time, else 0.")
    show(OpenShiftCounts(shifts: [:], incidents: [:]))
  }

  func show(massSilence isSilent: Bool) { massSilence.set(isSilent ? 1 : 0) }

  func show(_ counts: OpenShiftCounts) {
    shown.withLock { shown in
      var (shifts, incidents) = (counts.shifts, counts.incidents)
      // What nobody has any more is shown as zero, and so are the totals before the first shift.
      let unknown = PhoneGroup(platform: .unknown, version: nil)
      for group in Array(shown.shifts.keys) + [unknown] where shifts[group] == nil {
        shifts[group] = 0
      }
      let silent = OpenShiftCounts.Incidents(kind: .noContact, phones: unknown)
      for group in Array(shown.incidents.keys) + [silent] where incidents[group] == nil {
        incidents[group] = 0
      }
      for (phones, count) in totals(shifts, by: bounded) {
        gauge(of: phones, &shown).set(Double(count))
      }
      let bounds = { (group: OpenShiftCounts.Incidents) in
        OpenShiftCounts.Incidents(kind: group.kind, phones: self.bounded(group.phones))
      }
      for (group, count) in totals(incidents, by: bounds) {
        gauge(of: group, &shown).set(Double(count))
      }
    }
  }

  private func bounded(_ phones: PhoneGroup) -> PhoneGroup {
    guard let version = phones.version.map({ Int($0) ?? Self.versionsEnd }),
      version >= Self.versionsEnd
    else { return phones }
    return PhoneGroup(platform: phones.platform, version: "other")
  }

  private func gauge(of phones: PhoneGroup, _ shown: inout Shown) -> Gauge {
    if let gauge = shown.shifts[phones] { return gauge }
    let gauge = metrics.gauge(
      "shiftguard_open_shifts", "Open shifts, by the system of the phone.",
      ["platform": phones.platform.code, "version": phones.version ?? ""])
    shown.shifts[phones] = gauge
    return gauge
  }

  private func gauge(of group: OpenShiftCounts.Incidents, _ shown: inout Shown) -> Gauge {
    if let gauge = shown.incidents[group] { return gauge }
    let gauge = metrics.gauge(
      "shiftguard_open_incidents", "Open incidents, by kind and by the system of the phone.",
      [
        "kind": group.kind.code, "platform": group.phones.platform.code,
        "version": group.phones.version ?? "",
      ])
    shown.incidents[group] = gauge
    return gauge
  }
}

/// The counts of what is one group by `key`, added up.
private func totals<Group: Hashable>(
  _ counts: [Group: Int64], by key: (Group) -> Group
) -> [Group: Int64] {
  counts.reduce(into: [:]) { $0[key($1.key), default: 0] += $1.value }
}
