import Postgres
public import ShiftDomain
public import ShiftStore

/// What employees are told of what is kept of them.
public typealias PrivacyNotice = ShiftStore.PrivacyNotice

/// The newest notice, as an employee sees it.
public struct OwnNotice: Hashable, Sendable {
  /// What it says.
  public var notice: PrivacyNotice
  /// When the employee said that they read it; `nil`: not yet.
  public var readAt: Instant?
}

extension Operations {
  /// The newest notice; `nil` before the first.
  /// - Throws: `.unavailable`, `.broken`.
  public func privacyNotice() async throws(OperationError) -> PrivacyNotice? {
    try await read { (session) throws(PostgresError) in try newestNotice(on: &session) }
  }

  /// Adds a version of the notice; the same text again adds none.
  /// - Parameter text: 1…20,000 characters, not only spaces.
  /// - Throws: `.invalid`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func setPrivacyNotice(_ text: String, by viewer: Viewer)
    async throws(OperationError) -> PrivacyNotice
  {
    let isBlank = text.allSatisfy(\.isWhitespace)
    guard !isBlank, !text.contains("\0"), text.unicodeScalars.count <= 20_000 else {
      throw .invalid("a notice has 1 to 20,000 characters, and not only spaces")
    }
    let at = now()
    return try await transact { (session) throws(PostgresError) in
      let newest = try newestNotice(on: &session)
      if let newest, newest.text == text { return .done(newest) }
      let notice = PrivacyNotice(version: (newest?.version ?? 0) + 1, text: text, createdAt: at)
      try session.execute(insert(notice))
      try audit(.noticeChanged, by: viewer, at: at, target: notice.version, on: &session)
      return .done(notice)
    }
  }

  /// The newest notice, and whether the employee read it; `nil` before the first.
  /// - Throws: `.unauthorized`, `.unavailable`, `.broken`.
  public func ownNotice(for credential: DeviceCredential)
    async throws(OperationError) -> OwnNotice?
  {
    try await authorize(credential)
    return try await read { (session) throws(PostgresError) in
      guard let notice = try newestNotice(on: &session) else { return nil }
      return OwnNotice(
        notice: notice,
        readAt: try ShiftStore.readAt(
          notice.version, by: credential.device.employee, on: &session))
    }
  }

  /// Keeps that the employee read a version of the notice, and when they first said so.
  /// - Throws: `.notFound` for a version that there is not; `.unauthorized`, `.unavailable`,
  ///   `.outcomeUnknown`, `.broken`.
  public func acknowledgeNotice(_ version: Int32, for credential: DeviceCredential)
    async throws(OperationError)
  {
    try await authorize(credential)
    let at = now()
    let _: Bool = try await transact { (session) throws(PostgresError) in
      guard try session.run(keepOutErasure(of: credential.device.employee)).count == 1 else {
        return .refused(.unauthorized)
      }
      let read = keepRead(version, on: credential.device, at: at)
      guard try session.execute(read) == 1 else {
        return .refused(.notFound("version \(version) of the notice"))
      }
      return .done(true)
    }
  }
}
