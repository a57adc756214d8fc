import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// Permission to read the positions of a shift: it is recorded in the audit log, and only
/// `openTrack` returns it.
package struct OpenTrack: Hashable, Sendable {
  package let shift: ShiftID
  package let startedAt: Instant
  /// When it ended; `nil` while it is open.
  package let endedAt: Instant?
  /// How long a fix counts as tracked; between fixes further apart, the positions are unknown.
  package let fixAgeMax: TimeSpan
}

/// The maximum number of fixes in a page: some hundred kilobytes.
package let trackPageMax = 2_000

extension InsightOperations {
  /// Records the view, with the rules and errors of `noteTrackViews`.
  package func openTrack(
    of shift: ShiftID, by principal: Principal, purpose: String, isExport: Bool
  ) async throws(OperationError) -> OpenTrack {
    let tracks = try await openTracks(
      of: [shift], by: principal, purpose: purpose, isExport: isExport)
    guard let track = tracks.first else { throw .shiftNotFound(shift) }
    return track
  }

  /// The tracks of some shifts of one employee, in their order. Records the views, with the rules
  /// and errors of `noteTrackViews`.
  package func openTracks(
    of shifts: [ShiftID], by principal: Principal, purpose: String, isExport: Bool = false
  ) async throws(OperationError) -> [OpenTrack] {
    try await noteTrackViews(of: shifts, by: principal, purpose: purpose, isExport: isExport)
    let tracks = try await core.read { (session) throws(PostgresError) -> [OpenTrack] in
      var tracks: [OpenTrack] = []
      for shift in shifts {
        guard let record = try ShiftStore.shift(shift, on: &session) else { return [] }
        tracks.append(
          OpenTrack(
            shift: shift, startedAt: record.startedAt, endedAt: record.endedAt,
            fixAgeMax: record.settings.fixAgeMax))
      }
      return tracks
    }
    // Meanwhile one of them was deleted.
    guard tracks.count == shifts.count else { throw .notFound("shift to track") }
    return tracks
  }

  /// The fixes after `last`, in order of time; `nil`: from the beginning. Fewer than `trackPageMax`
  /// means that these were the last. Each page is read separately, so that a slow reader holds no
  /// connection.
  package func fixes(of track: OpenTrack, after last: TrackFix? = nil)
    async throws(OperationError) -> [TrackFix]
  {
    try await core.read { (session) throws(PostgresError) in
      try trackFixes(of: track.shift, after: last, limit: Int32(trackPageMax), on: &session)
    }
  }
}
