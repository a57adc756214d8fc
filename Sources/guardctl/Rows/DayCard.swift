import CommandParsing
import GuardRules
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

/// A team's day: how much of each employee's shifts was tracked.
struct DayCard: Answer {
  var day: DayCoverage

  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else {
      return Listing(rows: day.employees.map(\.fields), whenEmpty: "").lines(on: surface)
    }
    let head = facts.lines(on: surface)
    guard !day.employees.isEmpty else { return head + ["", "No shift began on that day."] }
    var table = TextTable(columns: ["employee", "name", "shifts", "tracked", "of", "rate"])
    for employee in day.employees {
      table.append(
        ["\(employee.employee.rawValue)", employee.name.showable, "\(employee.shifts.count)"]
          + employee.totals.cells)
    }
    let shifts = day.employees.map(\.shifts.count).reduce(0, +)
    table.append(["all", "", "\(shifts)"] + day.totals.cells)
    return head + [""] + table.lines
  }

  var json: JSONValue {
    let more: JSONObject = [
      "trackedMilliseconds": .integer(day.totals.tracked.milliseconds),
      "accountableMilliseconds": .integer(day.totals.accountable.milliseconds),
      "trackingPermille": day.totals.permille.map { .integer(Int64($0)) } ?? .null,
      "employees": JSONValue(day.employees) { employee in
        [
          "employee": JSONValue(employee.employee.rawValue),
          "name": .string(employee.name),
          "shifts": .array(employee.shifts.map { .string($0.shift.text) }),
          "provisional": .bool(employee.shifts.contains { $0.isProvisional }),
          "trackedMilliseconds": .integer(employee.totals.tracked.milliseconds),
          "accountableMilliseconds": .integer(employee.totals.accountable.milliseconds),
          "trackingPermille": employee.totals.permille.map { .integer(Int64($0)) } ?? .null,
        ]
      },
    ]
    return .object(facts.jsonObject.adding(more))
  }

  private var facts: [Field] {
    [
      Field("team", "team", FieldValue(day.team.rawValue)),
      Field("date", "date", .text(day.date.text)),
      Field("time zone", "timeZone", .text(day.timeZone)),
      Field("from", "from", .instant(day.span.start)),
      Field("to", "to", .instant(day.span.end)),
      Field("provisional", "provisional", .truth(day.isProvisional)),
    ]
  }
}

extension EmployeeDay {
  /// For a program, in the units of JSON.
  fileprivate var fields: [Field] {
    [
      Field("employee", "employee", FieldValue(employee.rawValue)),
      Field("name", "name", .text(name)),
      Field("shifts", "shifts", .words(shifts.map(\.shift.text))),
      Field("provisional", "provisional", .truth(shifts.contains { $0.isProvisional })),
      Field("tracked", "trackedMilliseconds", .length(totals.tracked)),
      Field("of", "accountableMilliseconds", .length(totals.accountable)),
      Field("rate", "trackingPermille", totals.permille.map { FieldValue($0) } ?? .absent),
    ]
  }
}

extension DayCoverage {
  fileprivate var isProvisional: Bool {
    employees.contains { employee in employee.shifts.contains { $0.isProvisional } }
  }
}

extension TrackingTotals {
  fileprivate var cells: [String] {
    [
      tracked.clockText, accountable.clockText,
      permille.map { "\($0 / 10).\($0 % 10) %" } ?? "-",
    ]
  }
}
