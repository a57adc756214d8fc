import CivilTime
import GuardRules
import ManagerCore
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

extension InsightOperations {
  /// The figures of a team's week for its digest: the same as on the page about coverage.
  package func weekFigures(of team: TeamDay, from monday: CivilDate) async throws(OperationError)
    -> TeamDigest
  {
    let everything = Principal(actor: AuditActor(name: "digest"), role: .administrator)
    let report = try await coverageReport(
      for: everything, from: monday, to: monday.advanced(by: 6), team: team.team, by: .team)
    let (scope, now) = (everything.scope(.coverage).narrowed(to: team.team), core.now())
    let reviews = try await core.read { (session) throws(PostgresError) in
      try ShiftStore.reviewCount(in: scope, now: now, on: &session)
    }
    return TeamDigest(
      team: team.team, name: team.name, week: Int32(clamping: monday.daysSince1970),
      shifts: Int32(clamping: report.total.shifts), openReviews: Int32(clamping: reviews),
      durations: report.total.durations)
  }

  /// The figures of the last whole week, as a digest would have them now.
  package func lastWeek(of team: TeamID) async throws(OperationError) -> TeamDigest {
    let row = try await core.team(team)
    guard let time = CivilTime(zone: row.timeZone) else {
      throw .broken(detail: "a team has an unknown time zone")
    }
    return try await weekFigures(
      of: TeamDay(team: team, name: row.name, timeZone: row.timeZone),
      from: time.date(of: core.now()).monday.advanced(by: -7))
  }
}
