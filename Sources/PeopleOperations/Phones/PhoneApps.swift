import Cryptography
import ManagerCore
import OperationCore
import PhoneProtocols
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// A phone app to be set up for an employee.
package struct PhoneAppRequest: Hashable, Sendable {
  /// Of the interval between two positions.
  package static let intervals = TimeSpan.seconds(1)...TimeSpan.hours(1)

  package var app: PhoneApp
  /// iOS or Android.
  package var platform: Platform
  /// The interval that the app is set up with, if it is longer than the team's: the app counts as
  /// silent only after three of them. `nil`: as the team's.
  package var interval: TimeSpan?

  package init(_ app: PhoneApp, on platform: Platform, interval: TimeSpan? = nil) {
    self.app = app
    self.platform = platform
    self.interval = interval
  }
}

/// A device for a phone app, with its token, which is shown only here.
package struct NewPhoneApp: Hashable, Sendable {
  package var device: DeviceID
  package var app: PhoneApp
  package var platform: Platform
  /// `sg_<employee>_<device>_<secret>`.
  package var token: String
  /// Between two positions: as it was wanted, or else the team's.
  package var interval: TimeSpan
}

extension PeopleOperations {
  /// Enrols a device for a phone app. Such an app knows no codes: whoever sets it up enters the
  /// token.
  package func enrol(
    _ request: PhoneAppRequest, for employee: EmployeeID, by principal: Principal
  ) async throws(OperationError) -> NewPhoneApp {
    guard request.platform == .ios || request.platform == .android else {
      throw .invalid("must be `ios` or `android`", at: "/platform")
    }
    guard !request.app.isForIOSOnly || request.platform == .ios else {
      throw .invalid("must be `ios`: \(request.app.name) is an app for iOS", at: "/platform")
    }
    if let interval = request.interval, !PhoneAppRequest.intervals.contains(interval) {
      throw .invalid("must be 1 to 3600", at: "/interval")
    }
    let secret = randomBytes(DeviceToken.secretBytes)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      // The employee is neither erased nor deactivated before the device is stored, and several at
      // once take turns: each takes a number.
      guard try hold(employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      guard try isActive(employee, on: &session) else { return .refused(.inactive(employee)) }
      let policy = try policyInForce(at: at, for: employee, on: &session)
      let new = DeviceToInsert(
        platform: request.platform, osVersion: nil, model: nil,
        canReport: request.app.language.permissionReports != .never,
        tokenHash: sha256(secret), phoneApp: request.app, appInterval: request.interval)
      guard let device = try add(new, to: employee, on: &session) else {
        return .refused(.employeeNotFound(employee))
      }
      try audit(
        .phoneAppEnrolled, by: principal, at: at, about: employee, target: Int32(device.number),
        reason: request.app.code, on: &session)
      return .done(
        NewPhoneApp(
          device: device, app: request.app, platform: request.platform,
          token: DeviceToken.text(of: device, secret: secret),
          interval: request.interval ?? policy?.policy.pingInterval ?? .minutes(1)))
    }
  }
}
