import APIMessages
import HTTPServing
import ShiftDomain
import ShiftOperations

extension PageDesk {
  private static let shownMax = 200

  /// Employees and their phones, for administrators.
  var peopleRoutes: [Route] {
    [
      page("/settings/people") { request, _ in
        .page(try await people(request).page)
      },
      form("/settings/people") { request, fields, viewer in
        try await addPerson(request, fields, viewer)
      },
      listForm("/settings/people/import") { request, fields, viewer in
        try await readPeople(request, fields, viewer)
      },
      page("/settings/people/{employee}") { request, _ in
        var view = try await person(in: request)
        view.done = request.queryValue("done") == "saved" ? "Saved." : nil
        return .page(view.page)
      },
      form("/settings/people/{employee}") { request, fields, viewer in
        try await changePerson(request, fields, viewer)
      },
      form("/settings/people/{employee}/codes") { request, _, viewer in
        var view = try await person(in: request)
        let code = try await operations.createEnrolmentCode(
          for: view.person.employee, validFor: .hours(24), by: viewer)
        let host = request.headers["Host"] ?? "localhost"
        let scheme = host.hasPrefix("127.0.0.1") || host.hasPrefix("localhost") ? "http" : "https"
        view.code = (code, "\(scheme)://\(host)\(code.link)")
        return .page(view.page)
      },
      form("/settings/people/{employee}/devices/{device}/revoke") { request, _, viewer in
        let employee = try await person(in: request).person.employee
        guard let number = request.parameters["device"].flatMap({ Int16($0) }) else {
          throw PageNotFound()
        }
        try await operations.revoke(
          device: DeviceID(employee: employee, number: number), by: viewer)
        return .seeOther("/settings/people/\(employee.rawValue)?done=saved")
      },
    ]
  }

  private func people(_ request: HTTPRequest) async throws -> PeopleView {
    let name = String((request.queryValue("name") ?? "").filter { $0 != "\0" }.prefix(100))
    let after = request.queryValue("after").flatMap { Int32($0) }.map { EmployeeID($0) }
    let people = try await operations.staff(
      named: name.isEmpty ? nil : name, after: after, limit: Self.shownMax)
    let next = people.count == Self.shownMax ? people.last : nil
    return PeopleView(
      teams: try await operations.teams(), people: people, searched: name,
      next: next.map { row in
        "/settings/people"
          + Query().with("name", name).with("after", String(row.employee.rawValue)).text
      })
  }

  private func addPerson(_ request: HTTPRequest, _ fields: FormFields, _ viewer: Viewer)
    async throws -> PageAnswer
  {
    var view = try await people(request)
    view.typed = fields
    let number = fields["employee"].isEmpty ? nil : Int32(fields["employee"])
    guard let wish = StaffWish(fields), fields["employee"].isEmpty || (number ?? 0) > 0 else {
      return view.refused(
        "The name must have 1 to 100 characters, and the number must be above zero.")
    }
    let outcome = try await operations.addStaff(
      number.map { EmployeeID($0) }, wish, by: viewer)
    if case .kept(let row) = outcome {
      return .seeOther("/settings/people/\(row.employee.rawValue)?done=saved")
    }
    return view.refused(outcome.sentence)
  }

  private func readPeople(_ request: HTTPRequest, _ fields: FormFields, _ viewer: Viewer)
    async throws -> PageAnswer
  {
    let outcome = try await operations.importStaff(
      Array(fields["csv"].utf8), isTrial: fields["trial"] == "yes", by: viewer)
    var view = try await people(request)
    switch outcome {
    case .done(let result):
      view.typed = result.isTrial ? fields : nil
      view.done = """
        \(result.isTrial ? "Check passed, nothing imported yet" : "Imported"): \
        \(result.added) new, \(result.changed) changed, \(result.unchanged) unchanged.
        """
      return .page(view.page)
    case .faulty(let faults):
      view.typed = fields
      return view.refused(faults.html)
    }
  }

  private func person(in request: HTTPRequest) async throws -> PersonSettingsView {
    let person = try await operations.staffMember(EmployeeID(in: request.parameters))
    let teams = try await operations.teams()
    let zone = teams.first { $0.team == person.team }?.timeZone ?? "UTC"
    return PersonSettingsView(
      person: person, teams: teams, devices: try await operations.devices(of: person.employee),
      clock: try TeamClock(zone: zone, now: settings.now()))
  }

  private func changePerson(_ request: HTTPRequest, _ fields: FormFields, _ viewer: Viewer)
    async throws -> PageAnswer
  {
    var view = try await person(in: request)
    view.typed = fields
    guard let wish = StaffWish(fields) else {
      return view.refused("The name must have 1 to 100 characters.")
    }
    let outcome = try await operations.changeStaff(
      view.person.employee, matching: [fields["tag"]], by: viewer
    ) { _ in wish }
    switch outcome {
    case .kept(let row):
      return .seeOther("/settings/people/\(row.employee.rawValue)?done=saved")
    case .changedMeanwhile(let row): (view.person, view.typed) = (row, nil)
    default: break
    }
    return view.refused(outcome.sentence)
  }
}

extension StaffWish {
  /// The values of a form; `nil` if they are invalid.
  fileprivate init?(_ fields: FormFields) {
    let name = fields["name"]
    guard !name.allSatisfy(\.isWhitespace), name.unicodeScalars.count <= 100,
      !name.contains("\0"), let team = Int32(fields["team"])
    else { return nil }
    self.init(
      name: name, email: fields["email"].isEmpty ? nil : fields["email"], team: TeamID(team))
  }
}

extension StaffOutcome {
  /// The error message.
  fileprivate var sentence: HTML {
    switch self {
    case .kept: "Saved."
    case .noSuchTeam: "This team does not exist."
    case .noAddress: "Enter a valid e-mail address."
    case .numberTaken: "Another employee already has this number."
    case .onShift: "The team cannot be changed while a shift is open."
    case .changedMeanwhile:
      "The employee has changed since you opened the page. The current values are shown."
    }
  }
}
