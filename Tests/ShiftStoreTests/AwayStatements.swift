import GuardRules
import Postgres
import ReadModels
import ShiftDomain

@testable import ShiftStore

/// The statements about sites in force and times away.
enum AwayStatements {
  private static let now = Instant(milliseconds: 1_772_438_400_000)
  private static let shift = ShiftID(employee: EmployeeID(7), number: 1)
  private static var asksForAway: Policy {
    var policy = Policy.policy(of: .standard)
    policy.awayAfter = .minutes(10)
    return policy
  }
  private static let kept = SitesInForce(
    shift: shift, sites: [], awayAfter: .minutes(10), lastAway: 0, lookedAt: now)

  static let all: [(String, SQL)] =
    [
      ("forgetPlaces", forgetPlaces(before: now)),
      (
        "insertSitesInForce",
        insertSitesInForce(in: shift, from: now, heldAt: nil, awayAfter: .minutes(10), at: now)
      ),
      ("selectSitesInForce of an employee", selectSitesInForce(onShift: shift.employee)),
      ("selectSitesInForce", selectSitesInForce(of: [shift])),
      ("selectDueAway", selectDueAway(at: nil, after: nil, limit: 1)),
      ("selectAwayToFind", selectAwayToFind(of: shift.employee, at: now)),
      ("noteLook", noteLook(at: now, 1, after: kept, lastAway: 1)),
      ("selectAway", selectAway(in: [shift])), ("selectAway of one", selectAway(in: shift)),
      ("selectIsAway", selectIsAway(1, in: shift)),
      ("selectAwaySince", selectAwaySince(of: [shift.employee])),
      ("selectClockOutPlace", selectClockOutPlace(of: shift)),
    ]
    + put([AwayRow(1, AwaySpan(from: now))], of: shift, lastAway: 1).map { ("put away", $0) }
    + noteSitesInForce(in: shift, from: now - .hours(1), under: asksForAway, at: now)
    .map { ("noteSitesInForce", $0) }
    + deleteAway(before: now).map { ("deleteAway", $0) }
}
