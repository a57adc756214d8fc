import DeviceOperations
import GuardRules
import OperationCore
import PeopleOperations
import ReadModels
import ShiftDomain

/// A phone that calls the use cases as one would over HTTP.
package struct TestPhone: Sendable {
  package let operations: TestOperations
  package let token: String
  package let credential: DeviceCredential

  package init(token: String, in world: some TestWorld) throws {
    guard let credential = DeviceCredential(token: token) else {
      throw OperationError.unauthorized
    }
    (self.token, self.credential, operations) = (token, credential, world.operations)
  }

  /// Enrols a phone of `employee`.
  package static func enrolled(
    in world: some TestWorld, employee: Int32 = 7,
    _ device: NewDevice = NewDevice(platform: .android)
  ) async throws -> TestPhone {
    let code = try await world.operations.manager.people.createEnrolmentCode(
      for: EmployeeID(employee), validFor: .hours(24))
    let enrolment = try await world.operations.device.enrol(
      code: code.code, device, receipt: world.receipt)
    return try TestPhone(token: enrolment.token, in: world)
  }

  /// The same phone, talking to another instance of the service.
  package func talking(to world: some TestWorld) throws -> TestPhone {
    try TestPhone(token: token, in: world)
  }

  package var device: DeviceID { credential.device }

  /// A receipt of this moment.
  package var receipt: Receipt { operations.receipt }

  /// What the phone would be told now.
  package var present: Snapshot {
    get async throws { try await operations.device.snapshot(for: credential) }
  }

  @discardableResult
  package func report(
    _ authorization: Authorization, services: Switch = .on, accuracy: LocationAccuracy = .full,
    sequence: Int64? = nil, recordedAt: Instant? = nil, sentAt: Instant? = nil
  ) async throws -> ReportOutcome {
    try await operations.device.report(
      IncomingReport(
        .state(
          PermissionState(
            authorization: authorization, accuracy: accuracy, services: services)),
        recordedAt: recordedAt, sequence: sequence),
      sentAt: sentAt, from: credential, receipt: receipt)
  }

  package func ping(_ pings: [IncomingPing], sentAt: Instant? = nil) async throws -> [PingResult] {
    try await operations.device.ping(pings, sentAt: sentAt, from: credential, receipt: receipt)
      .results
  }
}

// MARK: Clock actions

extension TestPhone {
  package func clockIn(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) async throws
    -> ClockInOutcome
  {
    try await operations.device.clockIn(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }

  /// Clocks in with a report of `authorization`.
  @discardableResult
  package func clockIn(_ id: String = "in", reporting authorization: Authorization) async throws
    -> ClockInOutcome
  {
    try await clockIn(id) { $0.report = .saying(authorization) }
  }

  @discardableResult
  package func clockOut(
    _ id: String = "out", _ edit: (inout ClockAction) -> Void = { _ in }
  ) async throws -> ClockActionOutcome {
    try await operations.device.clockOut(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }

  @discardableResult
  package func startBreak(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in })
    async throws -> ClockActionOutcome
  {
    try await operations.device.startBreak(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }

  @discardableResult
  package func endBreak(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in })
    async throws -> ClockActionOutcome
  {
    try await operations.device.endBreak(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }

  package func decline(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in })
    async throws -> ClockActionOutcome
  {
    try await operations.device.decline(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }

  @discardableResult
  package func takeOver(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in })
    async throws -> ClockActionOutcome
  {
    try await operations.device.takeOver(
      ClockAction(id, edit), from: credential, receipt: receipt
    ).0
  }
}

extension ClockAction {
  package init(_ id: String, _ edit: (inout ClockAction) -> Void = { _ in }) {
    self.init(actionID: id, bodyHash: Array(repeating: 1, count: 32))
    edit(&self)
  }
}

extension IncomingReport {
  /// Full accuracy and location services that are on, with this authorization.
  package static func saying(_ authorization: Authorization) -> IncomingReport {
    IncomingReport(
      .state(PermissionState(authorization: authorization, accuracy: .full, services: .on)))
  }
}

extension IncomingPing {
  /// A fix in Istria.
  package static func fix(at instant: Instant, accuracyMeters: Double? = 10) -> IncomingPing {
    IncomingPing(
      recordedAt: instant,
      fix: Coordinate(latitude: 45.3, longitude: 13.7).map {
        Fix(coordinate: $0, accuracyMeters: accuracyMeters)
      })
  }
}
