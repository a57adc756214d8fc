import CivilTime
import HTTPAPI
import HTTPServing
import InsightOperations
import OperationCore
import ReadModels
import ShiftDomain

/// The shifts of an employee that began on one day, with one track.
struct DayTrackView: Sendable {
  var employee: EmployeeAndTeam
  var clock: TeamClock
  var date: CivilDate
  /// In order of time.
  var shifts: [ShiftRow]
  var trackAccess: TrackAccess

  var path: String { Self.path(of: employee.row.employee, on: date) }

  static func path(of employee: EmployeeID, on date: CivilDate) -> String {
    "/employees/\(employee.rawValue)/days/\(date.text)"
  }

  var page: Page {
    Page(
      title: "\(employee.row.name), \(date.text)", section: .board,
      content: """
        \(head.html)
        \(otherDays)
        <section class="card" aria-labelledby="shifts"><h2 id="shifts">Shifts</h2>
        \(shifts.isEmpty ? "<p>No shift began on this day.</p>" as HTML : list)</section>
        \(shifts.isEmpty ? nil : track)
        """)
  }

  private var head: PageHead {
    let number = employee.row.employee.rawValue
    return PageHead(
      way: [.board, Crumb(name: "\(employee.row.name)", path: "/employees/\(number)")],
      title: "\(employee.row.name)",
      line: "<p>\(date.long(asOf: clock.today)) · \(employee.team.name)</p>")
  }

  private var otherDays: HTML {
    func link(_ days: Int, _ name: HTML) -> HTML {
      let path = Self.path(of: employee.row.employee, on: date.advanced(by: days))
      return "<li><a href=\"\(path)\">\(name)</a>"
    }
    return """
      <nav class="shortcuts" aria-label="Other days"><ul>\(link(-1, "Day before"))\
      \(link(1, "Day after"), if: date < clock.today)</ul></nav>
      """
  }

  private var list: HTML {
    let items = shifts.map { row -> HTML in
      let path: HTML = "/employees/\(row.shift.employee.rawValue)/shifts/\(row.shift.number)"
      let span = row.endedAt.map { clock.span(row.startedAt, $0) }
      return """
        <li><a href="\(path)">Shift \(row.shift.number)</a>, \
        \(span ?? "\(clock.short(row.startedAt)), still open")

        """
    }
    return "<ul class=\"items\">\(items)</ul>"
  }

  private var track: HTML? {
    switch trackAccess {
    case .none: nil
    case .onPurpose(let form):
      form.html(action: path + "/track", employee: employee.row.name)
    case .open(let section): section.html
    }
  }
}

extension PageController {
  var dayTrackRoutes: [AccessRoute] {
    let path = "/employees/{employee}/days/{date}"
    return [
      page(path, .employee(.all)) { request, _ in
        .page(try await dayTrackView(in: request).page)
      },
      // As for the track of a shift, a purpose is required each time.
      form(path + "/track", .employee(.all)) { request, fields, principal in
        var view = try await dayTrackView(in: request)
        guard let open = settings.openTrack else { throw PageNotFound() }
        guard let purpose = fields.purpose else {
          view.trackAccess = .onPurpose(TrackForm(purpose: fields["purpose"], isRefused: true))
          return .page(view.page, status: 422)
        }
        guard !view.shifts.isEmpty else { return .page(view.page) }
        let points = try await open(view.shifts.map(\.shift), purpose, principal)
        var parts: [TrackPart] = []
        for (row, points) in zip(view.shifts, points) {
          parts.append(
            TrackPart(points, of: try await operations.insight.shiftDetails(of: row.shift)))
        }
        let track = Track(parts)
        view.trackAccess = .open(
          TrackSection(
            track: track, purpose: purpose, clock: view.clock, action: view.path + "/track",
            page: fields.page(of: track), tiles: settings.mapTiles,
            sites: SitesView.path(of: view.employee.team.team, ifChangedBy: principal)))
        return .page(view.page)
      },
    ]
  }

  /// No employee has more shifts on a day.
  private static let shiftsOfDayMax = 100

  private func dayTrackView(in request: HTTPRequest) async throws -> DayTrackView {
    guard let date = CivilDate(request.parameters["date"] ?? "") else { throw PageNotFound() }
    let employee = try await employee(in: request)
    let clock = try TeamClock(zone: employee.team.timeZone, now: settings.now())
    let day = clock.time.span(of: date)
    var filter = ListFilter(in: TeamScope())
    (filter.employee, filter.from, filter.to) = (employee.row.employee, day.start, day.end)
    let shifts = try await operations.insight.shiftPage(filter, limit: Self.shiftsOfDayMax).rows
    return DayTrackView(
      employee: employee, clock: clock, date: date, shifts: shifts.reversed(),
      trackAccess: settings.openTrack == nil ? .none : .onPurpose(TrackForm()))
  }
}
