import GuardRules
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension BackgroundOperations {
  package func openShiftCounts() async throws(OperationError) -> OpenShiftCounts {
    try await core.read { (session) throws(PostgresError) in
      try ShiftStore.openShiftCounts(on: &session)
    }
  }

  /// Reads whether most phones of the service are silent. Deliveries of this instance follow it.
  @discardableResult
  package func watchMassSilence() async throws(OperationError) -> MassSilence? {
    let fixedNow = core.deadlines?()
    return try await core.readSnapshot { (session) throws(PostgresError) in
      try massSilence.refresh(at: fixedNow, on: &session)
    }
  }
}

extension MassSilenceView {
  /// The mass silence at `instant` or later; read now only if it was not read since.
  func silence(since instant: Instant, at fixedNow: Instant?, on session: inout Session)
    throws(PostgresError) -> MassSilence?
  {
    if let known = read(since: instant) { return known.silence }
    return try refresh(at: fixedNow, on: &session)
  }

  fileprivate func refresh(at fixedNow: Instant?, on session: inout Session)
    throws(PostgresError) -> MassSilence?
  {
    let (silence, readAt) = try massSilence(at: fixedNow, on: &session)
    note(silence, readAt: readAt)
    return silence
  }
}
