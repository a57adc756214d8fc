import APIJSON
import CommandParsing
import GuardRules
import Guidance
import JSONText
import ReadModels
import ShiftDomain

/// A team's day: how much of each employee's shifts was tracked.
struct DayCard: Answer {
  var day: DayCoverage

  func lines(on surface: Surface) -> [String] {
    guard surface.isTable else {
      return day.employees.map(\.fields).lines(on: surface)
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

  var json: JSONValue { .object(day.json) }

  private var facts: [Field] {
    [
      Field("team", FieldValue(day.team.rawValue)),
      Field("date", .text(day.date.text)),
      Field("time zone", .text(day.timeZone)),
      Field("from", .instant(day.span.start)),
      Field("to", .instant(day.span.end)),
      Field("provisional", .truth(day.isProvisional)),
    ]
  }
}

extension EmployeeDay {
  fileprivate var fields: [Field] {
    [
      Field("employee", FieldValue(employee.rawValue)),
      Field("name", .text(name)),
      Field("shifts", .words(shifts.map(\.shift.text))),
      Field("provisional", .truth(shifts.contains { $0.isProvisional })),
      Field("tracked", .length(totals.tracked)),
      Field("of", .length(totals.accountable)),
      Field("rate", totals.permille.map { FieldValue($0) } ?? .absent),
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
      tracked.words, accountable.words,
      permille.map { "\($0 / 10).\($0 % 10) %" } ?? "-",
    ]
  }
}
