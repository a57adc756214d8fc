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
