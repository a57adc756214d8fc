import Postgres
public import ShiftDomain
public import ShiftStore

/// The text that tells employees what data about them is stored.
public typealias PrivacyNotice = ShiftStore.PrivacyNotice

/// The newest privacy notice, as an employee sees it.
public struct OwnPrivacyNotice: Hashable, Sendable {
  /// The notice.
  public var privacyNotice: PrivacyNotice
  /// When the employee confirmed having read it; `nil`: not yet.
  public var readAt: Instant?
}

extension Operations {
  /// The newest privacy notice; `nil` before the first.
  /// - Throws: `.unavailable`, `.broken`.
  public func privacyNotice() async throws(OperationError) -> PrivacyNotice? {
    try await read { (session) throws(PostgresError) in try newestPrivacyNotice(on: &session) }
  }

  /// Adds a version of the privacy notice; an identical text adds none.
  /// - Parameter text: 1…20,000 characters, not blank.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func setPrivacyNotice(_ text: String, by principal: Principal)
    async throws(OperationError) -> PrivacyNotice
  {
    let isBlank = text.allSatisfy(\.isWhitespace)
    guard !isBlank, !text.contains("\0"), text.unicodeScalars.count <= 20_000 else {
      throw .invalid("a privacy notice must have 1 to 20,000 characters and must not be blank")
    }
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      let newest = try newestPrivacyNotice(on: &session)
      if let newest, newest.text == text { return .done(newest) }
      let privacyNotice = PrivacyNotice(
        version: (newest?.version ?? 0) + 1, text: text, createdAt: at)
      try session.execute(insert(privacyNotice))
      try audit(
        .privacyNoticeChanged, by: principal, at: at, target: privacyNotice.version, on: &session)
      return .done(privacyNotice)
    }
  }

  /// The newest privacy notice, and whether the employee has read it; `nil` before the first.
  /// - Throws: `.unauthorized`, `.unavailable`, `.broken`.
  public func ownPrivacyNotice(for credential: DeviceCredential)
    async throws(OperationError) -> OwnPrivacyNotice?
  {
    try await authorize(credential)
    return try await read { (session) throws(PostgresError) in
      guard let privacyNotice = try newestPrivacyNotice(on: &session) else { return nil }
      return OwnPrivacyNotice(
        privacyNotice: privacyNotice,
        readAt: try ShiftStore.readAt(
          privacyNotice.version, by: credential.device.employee, on: &session))
    }
  }

  /// Stores that the employee has read a version of the notice, with the time of the first
  /// confirmation.
  /// - Throws: `.notFound` for a version that there is not; `.unauthorized`, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func acknowledgePrivacyNotice(_ version: Int32, for credential: DeviceCredential)
    async throws(OperationError)
  {
    try await authorize(credential)
    let at = now()
    let _: Bool = try await transact { (session) throws(PostgresError) in
      guard try session.run(lockAgainstErasure(of: credential.device.employee)).count == 1 else {
        return .refused(.unauthorized)
      }
      let read = keepRead(version, on: credential.device, at: at)
      guard try session.execute(read) == 1 else {
        return .refused(.notFound("version \(version) of the privacy notice"))
      }
      return .done(true)
    }
  }
}
