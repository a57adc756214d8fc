import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReviewOperations

extension Problem {
  /// The same problem with the object that it is about, and the tag of one that has changed.
  func adding(_ subject: Refusal.Subject) -> Problem {
    switch subject {
    case .team(let row): adding(["team": .object(row.json)], tag: row.tag)
    case .employee(let row): adding(["employee": .object(row.json)], tag: row.tag)
    case .account(let row): adding(["account": .object(row.json)], tag: row.tag)
    case .policy(let row): adding(["policy": .object(row.json)], tag: row.tag)
    case .retention(let retention):
      adding(["retention": .object(retention.json)], tag: retention.tag)
    case .payroll(let settings):
      adding(["payrollSettings": .object(settings.json)], tag: settings.tag)
    case .newestOverride(let row):
      adding(["override": row.map { .object($0.json) }], tag: overrideTag(newest: row))
    case .changedShift(let times): adding(["shift": .object(times.row.json)], tag: times.tag)
    case .override(let row): adding(row.json)
    case .clockAction(let row): adding(["clockAction": .object(row.json)])
    case .plannedShift(let plannedShift): adding(["plannedShift": .object(plannedShift.json)])
    case .absence(let absence): adding(["absence": .object(absence.json)])
    case .shift(let shift): adding(["shift": .object(JSONObject(shift))])
    }
  }

  private func adding(_ members: JSONObject, tag: String) -> Problem {
    var problem = adding(members)
    problem.headers = HTTPHeaders(tag: tag)
    return problem
  }
}
