import Postgres
public import ShiftDomain
public import ShiftStore

/// A fix of a shift.
public typealias TrackFix = ShiftStore.TrackFix

/// Leave to read where an employee was in a shift: it is in the log, and only `openTrack` gives it.
public struct OpenTrack: Hashable, Sendable {
  /// The shift.
  public let shift: ShiftID
  /// When it began.
  public let startedAt: Instant
  /// When it ended; `nil` while it is open.
  public let endedAt: Instant?
  /// How long a fix speaks: further apart, nobody knows where they were in between.
  public let fixAgeMax: TimeSpan
}

/// So many fixes a page has at the most: some hundred kilobytes.
public let trackPageMax = 2_000

extension Operations {
  /// Writes down who looks at where an employee was in a shift, whom it tells, and gives leave to.
  /// - Parameters:
  ///   - purpose: What for; 1…500 characters, which the employee reads.
  ///   - isExport: Whether they take a copy with them.
  /// - Throws: `.notFound` when they may not see the tracks of the employee's team, or there is no
  ///   such shift; `.invalid` without a purpose; `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func openTrack(
    of shift: ShiftID, by viewer: Viewer, purpose: String, isExport: Bool
  ) async throws(OperationError) -> OpenTrack {
    try await noteTrackView(of: shift, by: viewer, purpose: purpose, isExport: isExport)
    let record = try await read { (session) throws(PostgresError) in
      try ShiftStore.shift(shift, on: &session)
    }
    guard let record else { throw .shiftNotFound(shift) }
    return OpenTrack(
      shift: shift, startedAt: record.startedAt, endedAt: record.endedAt,
      fixAgeMax: record.settings.fixAgeMax)
  }

  /// The fixes behind `last`, in order of time; `nil`: from the beginning. Fewer than
  /// `trackPageMax`: these were the last. Each page is read by itself, so nobody's reading holds a
  /// connection.
  /// - Throws: `.unavailable`, `.broken`.
  public func fixes(of track: OpenTrack, after last: TrackFix? = nil)
    async throws(OperationError) -> [TrackFix]
  {
    try await read { (session) throws(PostgresError) in
      try trackFixes(of: track.shift, after: last, limit: Int32(trackPageMax), on: &session)
    }
  }
}
