import APIJSON
import CivilTime
import GuardRules
import HTTPAPI
import HTTPServing
import JSONText
import OperationCore
import ReadModels
import ReviewOperations
import ShiftDomain

extension ManagerController {
  var timeSheetRoutes: [AccessRoute] {
    [
      route(.get, "/v1/time-sheets", .listing(.coverage), cost: .heavy) { (request, principal) in
        let settings = try await operations.reviews.payrollSettings()
        let state: TimesState? = try request.word("state")
        let form = try request.form(of: [.json, .csv])
        // Not unless wanted: there are several for each shift.
        let hasVisits =
          try form == .csv ? settings.columns.contains(.sites) : request.flag("visits")
        let reading = try await operations.reviews.readTimeSheet(
          for: principal, request.period(settings, asOf: operations.core.now()),
          team: request.team(), employee: request.employee(), state: state)
        let pieces = TimeSheetPieces(
          reading, as: form == .csv ? TimeSheetText(reading.teams, settings) : nil,
          visitsFor: hasVisits ? principal : nil)
        let name = "\(fileName(state))-\(reading.period.from.text)-to-\(reading.period.to.text)"
        return HTTPResponse(headers: form.headers(file: name), body: try await pieces.body())
      },
      route(
        .post, "/v1/time-sheets/approvals", .listing(.coverage), bodyMax: 200 * approvalsMax
      ) { (request, principal) in
        let seen = try request.fields().seenTimes()
        let outcomes = try await operations.reviews.approve(seen, by: principal)
        return .object([
          "results": JSONValue(Array(zip(seen, outcomes))) { seen, outcome in
            [
              "shift": .object(JSONObject(seen.shift)),
              "outcome": .string(outcome.code),
              "approval": outcome.approval.map { .object(JSONObject($0)) },
            ]
          }
        ])
      },
      route(
        .post, "/v1/time-sheets/reopenings", .listing(.coverage), bodyMax: 200 * approvalsMax
      ) { (request, principal) in
        let fields = try request.fields()
        try fields.allow("shifts", "approvedAt", "reason")
        let shifts = try fields.namedShifts { (shift, _) throws(BodyFault) in shift }
        let outcomes = try await operations.reviews.reopen(
          shifts, approvedAt: fields.instant("approvedAt"),
          reason: fields.required("reason", fields.reason()), by: principal)
        return .object([
          "results": JSONValue(Array(zip(shifts, outcomes))) { shift, outcome in
            ["shift": .object(JSONObject(shift)), "outcome": .string(outcome.code)]
          }
        ])
      },
      route(.post, "/v1/employees/{employee}/shifts/{shift}/reopen", .employee(.coverage)) {
        (request, principal) in
        let fields = try request.fields()
        try fields.allow("reason")
        let times = try await operations.reviews.reopen(
          request.pathShift, reason: fields.required("reason", fields.reason()), by: principal
        ).get()
        return .object(JSONObject(times))
      },
    ]
  }

  /// Files of different shifts have different names.
  private func fileName(_ state: TimesState?) -> String {
    switch state {
    case nil: "all-shifts"
    case .approved: "payroll"
    case let state?: "time-sheet-\(state.code)"
    }
  }

  var payrollRoutes: [AccessRoute] {
    [
      route(.get, "/v1/payroll-settings", .anyManager) { (_, _) in
        answer(try await operations.reviews.payrollSettings())
      },
      route(.put, "/v1/payroll-settings", .administrator) { (request, principal) in
        let settings = try request.fields().payrollSettings()
        return answer(
          try await operations.reviews.setPayroll(
            settings, matching: request.matchedTags, by: principal
          ).get())
      },
    ]
  }

  private func answer(_ settings: PayrollSettings) -> HTTPResponse {
    .object(settings.json, headers: HTTPHeaders(tag: settings.tag))
  }
}

extension HTTPRequest {
  /// From `from` to `to`; without them, the pay period of today in UTC.
  fileprivate func period(_ settings: PayrollSettings, asOf now: Instant) throws(QueryFault)
    -> PayPeriod
  {
    let (from, to) = (try day("from"), try day("to"))
    if from == nil, to == nil, let utc = CivilTime(zone: "UTC") {
      return PayPeriod(of: utc.date(of: now), settings)
    }
    return PayPeriod(from: try required("from", from), to: try required("to", to))
  }
}

extension PayrollSettings {
  /// `PayrollSettings`.
  var json: JSONObject {
    [
      "period": JSONValue(word: period),
      "startsOn": .string(firstDay.text),
      "hoursFormat": JSONValue(word: hoursFormat),
      "columns": .array(columns.map { JSONValue(word: $0) }),
    ]
  }
}

extension JSONFields {
  /// `Approvals`, the body of `POST /v1/time-sheets/approvals`.
  fileprivate func seenTimes() throws(BodyFault) -> [SeenTimes] {
    try allow("shifts")
    return try namedShifts("revision") { (shift, fields) throws(BodyFault) in
      SeenTimes(
        shift: shift,
        revision: try fields.required("revision", fields.text("revision", min: 1, max: 64)))
    }
  }

  /// The items of `shifts`, each of another shift.
  fileprivate func namedShifts<Item>(
    _ more: String..., item: (ShiftID, JSONFields) throws(BodyFault) -> Item
  ) throws(BodyFault) -> [Item] {
    let elements = try required("shifts", elements("shifts"))
    guard (1...approvalsMax).contains(elements.count) else {
      throw BodyFault(at: place("shifts"), "must name 1 to \(approvalsMax) shifts")
    }
    var known: Set<ShiftID> = []
    return try elements.enumerated().map { (index, element) throws(BodyFault) in
      let fields = try JSONFields(element, at: place("shifts", index))
      try fields.allow(["employee", "shift"] + more)
      let employee = try fields.required("employee", fields.employeeNumber())
      let number = try fields.required(
        "shift", fields.integer("shift", in: 1...Int64(Int32.max)))
      let shift = ShiftID(employee: employee, number: Int32(number))
      guard known.insert(shift).inserted else {
        throw BodyFault(at: place("shifts", index), "is named twice")
      }
      return try item(shift, fields)
    }
  }

  /// `PayrollSettings`, the body of `PUT /v1/payroll-settings`.
  fileprivate func payrollSettings() throws(BodyFault) -> PayrollSettings {
    try allow("period", "startsOn", "hoursFormat", "columns")
    let first = try day("startsOn")
    var columns: [TimeSheetColumn] = []
    for (index, element) in try required("columns", elements("columns")).enumerated() {
      guard case .string(let code) = element, let column = TimeSheetColumn(code: code) else {
        let codes = TimeSheetColumn.allCases.map(\.code).joined(separator: ", ")
        throw BodyFault(at: place("columns", index), "must be one of \(codes)")
      }
      guard !columns.contains(column) else {
        throw BodyFault(at: place("columns", index), "is named twice")
      }
      columns.append(column)
    }
    guard !columns.isEmpty else {
      throw BodyFault(at: place("columns"), "must name at least one column")
    }
    var settings = PayrollSettings(
      period: try required("period", knownWord("period")), startsOn: 0,
      hoursFormat: try required("hoursFormat", knownWord("hoursFormat")), columns: columns)
    settings.firstDay = first
    return settings
  }
}
