import CivilTime
import GuardRules
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

/// How late the digest of a week may be queued.
private let delayMax = TimeSpan.hours(48)

/// How long figures are stored: longer than a mail is tried.
private let weeksKept: Int32 = 5

extension BackgroundOperations {
  /// Queues the digest of the week that has ended for the contacts that get it, in the teams where
  /// it is Monday 08:00 or up to two days later. A team without a shift in that week gets none.
  ///
  /// Any number of instances may do this at once: one of them queues the digest of a team.
  /// - Returns: How many notifications were queued.
  @discardableResult
  package func queueDigests() async throws(OperationError) -> Int {
    let teams = try await core.read { (session) throws(PostgresError) in
      try digestTeams(on: &session)
    }
    var (queued, failure): (Int, OperationError?) = (0, nil)
    // In any order, so that several instances seldom compute the same figures.
    for (team, newestWeek) in teams.shuffled() {
      do throws(OperationError) {
        guard let monday = try dueWeek(of: team),
          newestWeek.map({ $0 < monday.daysSince1970 }) ?? true
        else { continue }
        queued += try await queue(try await insight.weekFigures(of: team, from: monday))
      } catch {
        // One team must not keep the others from their digest.
        failure = error
      }
    }
    if let failure { throw failure }
    return queued
  }

  /// The Monday of the week whose digest is due now; `nil` if none is.
  private func dueWeek(of team: TeamDay) throws(OperationError) -> CivilDate? {
    guard let time = CivilTime(zone: team.timeZone) else {
      throw .broken(detail: "a team has an unknown time zone")
    }
    let now = core.now()
    let monday = time.date(of: now).monday
    let due = time.instant(of: monday, hour: 8, minute: 0)
    return now >= due && now < due + delayMax ? monday.advanced(by: -7) : nil
  }

  private func queue(_ digest: TeamDigest) async throws(OperationError) -> Int {
    let fixedNow = core.deadlines?()
    return try await core.transact { (session) throws(PostgresError) in
      guard try session.execute(store(digest, isQueued: true)) == 1 else { return .done(0) }
      try session.execute(deleteDigests(of: digest.team, before: digest.week - 7 * weeksKept))
      let numbers = try NotificationQueue.contacts(of: digest.team, on: &session)
        .filter { $0.gets(.weeklyDigest) }.map(\.number)
      // A notification belongs to an employee, also when it goes to managers.
      guard digest.shifts > 0, !numbers.isEmpty,
        let employee = try heldCarrier(of: digest.team, on: &session)
      else { return .done(0) }
      let now = try outboxTime(at: fixedNow, on: &session)
      try session.pipeline(
        numbers.map { number in
          enqueue(.digest(of: digest.week, toContact: number, dueAt: now), for: employee)
        })
      return .queued(numbers.count)
    }
  }
}
