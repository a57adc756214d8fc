import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InstallationOperations {
  /// The newest privacy notice; `nil` before the first.
  package func privacyNotice() async throws(OperationError) -> PrivacyNotice? {
    try await core.read { (session) throws(PostgresError) in try newestPrivacyNotice(on: &session) }
  }

  /// The newest versions of the privacy notice, newest first.
  package func privacyNotices(limit: Int) async throws(OperationError) -> [PrivacyNotice] {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.privacyNotices(limit: limit, on: &session)
    }
  }

  /// Refuses a text that is blank or too long.
  package func checkPrivacyNotice(_ text: String) throws(OperationError) {
    let isBlank = text.allSatisfy(\.isWhitespace)
    guard !isBlank, !text.contains("\0"), text.unicodeScalars.count <= 20_000 else {
      throw .invalid("a privacy notice must have 1 to 20,000 characters and must not be blank")
    }
  }

  /// Adds a version of the privacy notice; an identical text adds none.
  /// - Parameter text: 1…20,000 characters, not blank.
  package func setPrivacyNotice(_ text: String, by principal: Principal)
    async throws(OperationError) -> PrivacyNotice
  {
    try checkPrivacyNotice(text)
    let at = core.now()
    return try await core.transact { (session) throws(PostgresError) in
      try session.execute(holdNumbers)
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
}
