import Guidance
import HTTPAPI
import HTTPServing
import ManagerCore
import NotificationOperations
import PeopleOperations
import ReadModels
import ShiftDomain

struct NotificationsView: Sendable {
  var clock: TeamClock
  var now: Instant
  var mayEdit: Bool
  var names: [EmployeeID: String]
  var teams: [EmployeeID: TeamID]
  /// How notifications about the employees of `waiting` can be sent.
  var ways: [EmployeeID: NotificationWays]
  var isMailSetUp: Bool
  var onlyDead: Bool
  /// The longest waiting first.
  var waiting: [NotificationRow]
  /// The newest first.
  var finished: [NotificationRow]

  var page: Page {
    Page(
      "Notifications", in: .notifications,
      line: "<p>Notifications to employees and managers, and their delivery</p>",
      """
      <nav class="shortcuts" aria-label="Filter"><ul>\
      <li><a href="/notifications"\(" aria-current=\"true\"", if: !onlyDead)>All</a>\
      <li><a href="/notifications?dead=true"\(" aria-current=\"true\"", if: onlyDead)>\
      Not delivered</a></ul></nav>
      \(onlyDead ? undelivered : pending)
      \(section("done", onlyDead ? "Failed" : "Finished", finished, "No notifications."))
      """)
  }

  private var pending: HTML {
    section("waiting", "Pending", waiting, "No pending notifications.")
  }

  private var undelivered: HTML {
    section(
      "waiting", "No way to deliver", waiting.filter { remedy(for: $0) != nil },
      "No notifications.")
  }

  private func section(
    _ key: HTML, _ title: HTML, _ rows: [NotificationRow], _ nothing: HTML
  ) -> HTML {
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="\(key)">\
      <table class="notifications"><thead><tr><th scope="col">Queued<th scope="col">Employee\
      <th scope="col">Topic<th scope="col" class="number">Attempts<th scope="col">Outcome</thead>\
      \(rows.map { line($0) })</table></div>
      """
    return """
      <section class="card" aria-labelledby="\(key)"><h2 id="\(key)">\(title)</h2>
      \(rows.isEmpty ? "<p class=\"aside\">\(nothing)</p>" : table)</section>
      """
  }

  private func line(_ row: NotificationRow) -> HTML {
    let sent = row.notification
    let outcome: HTML =
      if let ending = row.ending {
        "\(ending.label), \(row.finishedAt.map { clock.short($0) })"
      } else if row.attempts > 0 {
        "next check \(row.nextAt.map { clock.short($0) })"
      } else {
        "due \(clock.short(sent.dueAt))"
      }
    let audience: HTML = sent.topic.audience == .managers ? ", to managers" : ""
    return """
      <tr\(" class=\"dead\"", if: row.ending?.isDeadLetter == true)>\
      <td>\(clock.short(row.queuedAt))<td>\(subject(of: row))\
      <td>\(sent.topic.label(sent.kind))\(audience)\(sent.isUrgent ? " · urgent" : "")\
      <td class="number">\(row.attempts)<td>\(outcome)\
      \((row.reason.map { "\($0)" } ?? remedy(for: row)).map { text -> HTML in
        "<p class=\"aside\">\(text)</p>"
      })

      """
  }
}

extension NotificationsView {
  /// Whom it is about, or the contact that is tested.
  private func subject(of row: NotificationRow) -> HTML {
    guard let contact = row.notification.testedContact, let team = teams[row.employee] else {
      return "<a href=\"/employees/\(row.employee.rawValue)\">\(names[row.employee])</a>"
    }
    return "<a href=\"/settings/teams/\(team.rawValue)/contacts\">Contact \(contact)</a>"
  }

  /// Why a due notification was not delivered, if no way is set up.
  private func remedy(for row: NotificationRow) -> HTML? {
    guard row.ending == nil, row.notification.dueAt <= now, let ways = ways[row.employee],
      let team = teams[row.employee]
    else { return nil }
    return NotificationRemedy(
      employee: row.employee, team: team, mayEdit: mayEdit, isMailSetUp: isMailSetUp
    ).text(for: row.notification.topic, ways).map { "Cannot be delivered: \($0)" }
  }
}

extension PageController {
  private static let notificationsMax = 200

  var notificationRoutes: [AccessRoute] {
    [
      page("/notifications", .listing(.coverage)) { request, principal in
        .page(try await notificationsView(request, principal).page)
      }
    ]
  }

  private func notificationsView(_ request: HTTPRequest, _ principal: Principal) async throws
    -> NotificationsView
  {
    let onlyDead = request.queryValue("dead") == "true"
    var (names, teams) = ([EmployeeID: String](), [EmployeeID: TeamID]())
    for row in try await operations.people.employees(team: nil)
    where principal.may(.coverage, of: row.team) {
      (names[row.employee], teams[row.employee]) = (row.name, row.team)
    }
    let waiting = Array(
      try await operations.notifications.notifications(of: nil, limit: 1_000)
        .filter { names[$0.employee] != nil }.prefix(Self.notificationsMax))
    let finished = try await operations.notifications.finishedNotifications(
      of: nil, deadOnly: onlyDead, limit: 1_000
    ).filter { names[$0.employee] != nil }
    let zone = try await self.teams(for: principal).first?.timeZone ?? "UTC"
    let now = settings.now()
    return NotificationsView(
      clock: try TeamClock(zone: zone, now: now), now: now,
      mayEdit: principal.role == .administrator, names: names, teams: teams,
      ways: try await operations.notifications.notificationWays(of: Set(waiting.map(\.employee)))
        .mapValues { usable($0) }, isMailSetUp: isMailSetUp,
      onlyDead: onlyDead, waiting: waiting,
      finished: Array(finished.prefix(Self.notificationsMax)))
  }
}
