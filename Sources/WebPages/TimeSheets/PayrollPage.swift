import CivilTime
import HTTPAPI
import HTTPServing
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

struct PayrollView: FormView {
  var settings: PayrollSettings
  var done: HTML?
  var fault: HTML?
  /// What was typed; `nil`: the form shows the current values.
  var typed: FormFields?

  var page: Page {
    Page(
      setting: "Payroll", line: "<p>The pay period, and the file of a time sheet</p>", done: done,
      fault: fault,
      """
      <form class="card" method="post" action="/settings/payroll">
      <input type="hidden" name="tag" value="\(typed?["tag"] ?? settings.tag)">
      <div class="settings-list">
      <div class="settings-row"><label for="period">Pay period</label>\
      <select id="period" name="period">\
      \(HTML.options(
        PayPeriodKind.allCases, chosen: typed?["period"] ?? settings.period.code
      ) { $0.name })\
      </select></div>
      <div class="settings-row"><div><label for="starts">First day of one pay period</label>\
      <p class="aside" id="about-starts">Weeks are counted from it. Months and half months begin \
      on the 1st and the 16th.</p></div>\
      <input id="starts" name="startsOn" type="date" required aria-describedby="about-starts" \
      value="\(typed?["startsOn"] ?? settings.firstDay.text)"></div>
      <div class="settings-row"><label for="hours">Hours in the file</label>\
      <select id="hours" name="hoursFormat">\
      \(HTML.options(
        HoursFormat.allCases, chosen: typed?["hoursFormat"] ?? settings.hoursFormat.code
      ) { $0.name })\
      </select></div></div>
      <h2 id="columns">Columns of the file</h2>
      <p class="aside">Number the columns that your payroll program reads, in their order. A \
      column without a number is left out. How paid time is rounded, and whether breaks are paid, \
      is set on the page of each <a href="/settings/teams">team</a>.</p>
      <div class="settings-list" role="group" aria-labelledby="columns">\
      \(TimeSheetColumn.allCases.map { settingsRow($0) })</div>
      <div class="row save"><button>Save changes</button></div></form>
      """)
  }

  private func settingsRow(_ column: TimeSheetColumn) -> HTML {
    let place = settings.columns.firstIndex(of: column).map { String($0 + 1) } ?? ""
    return """
      <div class="settings-row"><label for="\(column.code)">\(column.name)</label>\
      <div class="unit"><input id="\(column.code)" name="\(column.code)" type="number" min="1" \
      max="99" step="1" value="\(typed?[column.code] ?? place)"></div></div>
      """
  }
}

extension PayPeriodKind {
  fileprivate var name: HTML {
    switch self {
    case .week: "A week"
    case .twoWeeks: "Two weeks"
    case .halfMonth: "Half a month"
    case .month: "A month"
    }
  }
}

extension HoursFormat {
  fileprivate var name: HTML {
    switch self {
    case .minutes: "14:32"
    case .decimal: "14.53"
    case .seconds: "14:32:05"
    }
  }
}

extension TimeSheetColumn {
  fileprivate var name: HTML {
    switch self {
    case .employee: "Employee number"
    case .name: "Name"
    case .team: "Team"
    case .shift: "Shift number"
    case .date: "Date of the start"
    case .start: "Start"
    case .endDate: "Date of the end"
    case .end: "End"
    case .breaks: "Breaks"
    case .worked: "Working time, without breaks"
    case .corrections: "Number of corrections"
    case .trackingRate: "Tracked, in percent"
    case .state: "State"
    case .approvedBy: "Approved by"
    case .approvedAt: "Time of the approval"
    case .confirmedAt: "Time of the employee’s confirmation"
    case .timeZone: "Time zone"
    case .duration: "Hours from start to end, with breaks"
    case .sites: "Visits to sites, for users who may see tracks"
    case .startedAt: "Start in UTC, with its date"
    case .endedAt: "End in UTC, with its date"
    case .paid: "Paid time, by the team’s rule"
    }
  }
}

extension PageController {
  var payrollRoutes: [AccessRoute] {
    [
      page("/settings/payroll", .administrator) { request, _ in
        var view = PayrollView(settings: try await operations.reviews.payrollSettings())
        view.done = request.queryValue("done") == "changed" ? "Payroll settings saved." : nil
        return .page(view.page)
      },
      form("/settings/payroll", .administrator) { _, fields, principal in
        var view = PayrollView(
          settings: try await operations.reviews.payrollSettings(), typed: fields)
        guard let settings = PayrollSettings(fields) else {
          return view.refused(
            "Enter a date, and a different whole number from 1 to 99 for each column you want.")
        }
        do {
          _ = try await operations.reviews.setPayroll(
            settings, matching: [fields["tag"]], by: principal
          )
          .get()
          return .seeOther("/settings/payroll?done=changed")
        } catch {
          if case .payroll(let current) = Refusal(error)?.subject {
            view = PayrollView(settings: current)
          }
          return try view.refused(by: error)
        }
      },
    ]
  }
}

extension PayrollSettings {
  /// `nil` if a value is invalid, a number is given twice, or no column has one.
  fileprivate init?(_ fields: FormFields) {
    guard let period = PayPeriodKind(code: fields["period"]),
      let first = CivilDate(fields["startsOn"]),
      let hoursFormat = HoursFormat(code: fields["hoursFormat"])
    else { return nil }
    var places: [Int: TimeSheetColumn] = [:]
    for column in TimeSheetColumn.allCases where !fields[column.code].isEmpty {
      guard let place = Int(fields[column.code]), (1...99).contains(place),
        places.updateValue(column, forKey: place) == nil
      else { return nil }
    }
    guard !places.isEmpty else { return nil }
    self.init(
      period: period, startsOn: 0, hoursFormat: hoursFormat,
      columns: places.sorted { $0.key < $1.key }.map(\.value))
    firstDay = first
  }
}
