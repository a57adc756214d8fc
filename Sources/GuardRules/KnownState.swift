public import ShiftDomain

/// The known values from a device's reports, by dimension of impairment. A value that a report
/// leaves unknown stays as reported before, so that a denial reported on a break is not forgotten
/// because the next report could not read the permission.
public struct KnownState: Hashable, Sendable {
  /// The known values as one state; whatever is no dimension is unknown.
  public private(set) var state = PermissionState(authorization: .unknown)

  public init() {}

  public init(_ state: PermissionState) { learn(from: state) }

  init(_ report: PermissionReport?) {
    if let report { learn(from: report.state) }
  }

  /// From the reports of the device that tracks last in `frame`, in order.
  public init(from frame: CoverageFrame) {
    guard let own = LastTurn(of: frame, StateTimeline(frame)) else { return }
    self = own.known
    for report in own.reports { learn(from: report.state) }
  }

  public mutating func learn(from state: PermissionState) { self.state.learn(from: state) }
}

extension Evidence {
  /// What is judged at `now`: what the report leaves unknown is as those of `reports` say that come
  /// before it and were fresh then. All are of one device.
  public func completed(by reports: [ReceivedReport], under policy: Policy, at now: Instant)
    -> Evidence
  {
    guard case .report(let report, let platform) = self else { return self }
    let fresh = now - policy.freshFor...now
    return .report(
      report.overlaid(on: reports.filter { fresh.contains($0.report.effectiveAt) }), platform)
  }
}

/// Those of a device's reports, in order, that say something that all later ones leave unknown.
public func stillKnown(in reports: [PermissionReport]) -> [PermissionReport] {
  var (known, said) = (KnownState(), [PermissionReport]())
  for report in reports.reversed() {
    var both = KnownState(report.state)
    both.learn(from: known.state)
    if both != known { said.append(report) }
    known = both
  }
  return said.reversed()
}

extension PermissionReport {
  /// This report, with each unknown value replaced by the last known value in those of `others`
  /// that come before it. All are reports of one device.
  public func overlaid(on others: [ReceivedReport]) -> PermissionReport {
    var known = KnownState()
    for other in inOrder(others).map({ $0.report }) {
      guard other.id != id, !isLate(after: other) else { break }
      known.learn(from: other.state)
    }
    known.learn(from: state)
    var report = self
    report.state.learn(from: known.state)
    return report
  }
}
