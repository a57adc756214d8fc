import PhoneProtocols
import ReadModels
import ShiftDomain

// The records of an app from a store as those of our own apps.

extension PhoneReading {
  package var incomingPings: [IncomingPing] { pings.map { IncomingPing($0) } }

  /// With those that say how the app ended.
  package func incomingReports(from app: PhoneApp) -> [IncomingReport] {
    reports.map { IncomingReport($0) }
      + events.compactMap { IncomingReport(exitIn: $0, in: self, of: app) }
  }
}

extension IncomingPing {
  /// A sign of life is dated a millisecond later: some apps have whole seconds, and a rest must
  /// follow the position of the same second.
  package init(_ ping: PhonePing) {
    self.init(
      recordedAt: ping.fix == nil ? ping.recordedAt + .milliseconds(1) : ping.recordedAt,
      writtenAt: ping.writtenAt, fix: ping.fix, isStationary: ping.isStationary,
      isMock: ping.isMock, rest: ping.isResting ? Rest() : nil,
      batteryPercent: ping.batteryPercent)
  }
}

extension IncomingReport {
  fileprivate init(_ report: PhoneReport) {
    self.init(
      .raw(report.permission, report.conditions),
      recordedAt: report.recordedAt, trigger: report.trigger, source: report.source,
      raw: report.raw,
      device: ReportedDevice(osVersion: report.osVersion, model: report.model, app: report.app))
  }

  /// The end of the app, which says nothing about its permission. As apps of ours do, it is told
  /// when the app runs again: with the next position, or else now. The silence up to then is known
  /// to be due to it.
  fileprivate init?(exitIn event: PhoneEvent, in reading: PhoneReading, of app: PhoneApp) {
    guard let exit = event.appExit else { return nil }
    self.init(
      .state(PermissionState(authorization: .unknown)),
      recordedAt: reading.pings.first { $0.recordedAt > event.recordedAt }?.recordedAt,
      trigger: event.kind.code, source: app.code, lastExit: exit)
  }
}
