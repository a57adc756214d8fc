public import ShiftDomain

/// The known values from a device's reports, by dimension of impairment. A value that a report
/// leaves unknown stays as reported before, so that a denial reported on a break is not forgotten
/// because the next report could not read the permission.
public struct KnownState: Hashable, Sendable {
  /// The app's permission.
  public var authorization: Authorization
  /// The accuracy of positions.
  public var accuracy: LocationAccuracy
  /// The device's own location switch.
  public var services: Switch
  /// Whether another app mocks positions.
  public var mockLocation: Switch

  /// Known values; by default none.
  public init(
    authorization: Authorization = .unknown, accuracy: LocationAccuracy = .unknown,
    services: Switch = .unknown, mockLocation: Switch = .unknown
  ) {
    self.authorization = authorization
    self.accuracy = accuracy
    self.services = services
    self.mockLocation = mockLocation
  }

  /// The known values of a device whose newest report is `report`.
  init(_ report: PermissionReport?) {
    self.init()
    if let report { learn(from: report.state) }
  }

  /// Takes the known values of `state`.
  mutating func learn(from state: PermissionState) {
    if state.authorization != .unknown { authorization = state.authorization }
    if state.accuracy != .unknown { accuracy = state.accuracy }
    if state.services != .unknown { services = state.services }
    if state.conditions.mockLocation != .unknown { mockLocation = state.conditions.mockLocation }
  }

  /// The known values as one state.
  var state: PermissionState {
    PermissionState(
      authorization: authorization, accuracy: accuracy, services: services,
      conditions: DeviceConditions(mockLocation: mockLocation))
  }
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
    report.state.authorization = known.authorization
    report.state.accuracy = known.accuracy
    report.state.services = known.services
    report.state.conditions.mockLocation = known.mockLocation
    return report
  }
}
