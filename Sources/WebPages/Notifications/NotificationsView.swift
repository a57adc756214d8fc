import HTTPAPI
import ManagerOperations
import ReadModels
import ShiftDomain

struct NotificationsView: Sendable {
  var clock: TeamClock
  var names: [EmployeeID: String]
  var onlyDead: Bool
  /// The longest waiting first.
  var waiting: [NotificationRow]
  /// The newest first.
  var finished: [NotificationRow]

  var page: Page {
    Page(
      title: "Notifications", section: .notifications,
      content: """
        \(head.html)
        <nav class="shortcuts" aria-label="Filter"><ul>\
        <li><a href="/notifications"\(" aria-current=\"true\"", if: !onlyDead)>All</a>\
        <li><a href="/notifications?dead=true"\(" aria-current=\"true\"", if: onlyDead)>\
        Not delivered</a></ul></nav>
        \(onlyDead ? nil : section("waiting", "Pending", waiting, "No pending notifications."))
        \(section("done", onlyDead ? "Not delivered" : "Finished", finished, "No notifications."))
        """)
  }

  private var head: PageHead {
    PageHead(
      title: "Notifications",
      line: "<p>Notifications to employees and managers, and their delivery</p>")
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
        "\(ending.name), \(row.finishedAt.map { clock.short($0) })"
      } else if row.attempts > 0 {
        "next check \(row.nextAt.map { clock.short($0) })"
      } else {
        "due \(clock.short(sent.dueAt))"
      }
    let audience: HTML = sent.topic.audience == .managers ? ", to managers" : ""
    return """
      <tr\(" class=\"dead\"", if: row.ending?.isDeadLetter == true)>\
      <td>\(clock.short(row.queuedAt))<td>\
      <a href="/employees/\(row.employee.rawValue)">\(names[row.employee])</a>\
      <td>\(sent.topic.name(sent.kind))\(audience)\(sent.isUrgent ? " · urgent" : "")\
      <td class="number">\(row.attempts)<td>\(outcome)\
      \(row.reason.map { "<p class=\"aside\">\($0)</p>" as HTML })

      """
  }
}

extension PageController {
  private static let notificationsMax = 200

  var notificationRoutes: [AccessRoute] {
    [
      page("/notifications", .listing(.coverage)) { request, principal in
        let onlyDead = request.queryValue("dead") == "true"
        var names: [EmployeeID: String] = [:]
        for row in try await operations.employees(team: nil)
        where principal.may(.coverage, of: row.team) {
          names[row.employee] = row.name
        }
        let waiting = try await operations.notifications(of: nil, limit: 1_000)
        let finished = try await operations.finishedNotifications(
          of: nil, deadOnly: onlyDead, limit: 1_000)
        let zone = try await operations.teams().first { principal.may(.coverage, of: $0.team) }
        let seen = names
        let isTheirs = { @Sendable (row: NotificationRow) in seen[row.employee] != nil }
        return .page(
          NotificationsView(
            clock: try TeamClock(zone: zone?.timeZone ?? "UTC", now: settings.now()), names: names,
            onlyDead: onlyDead,
            waiting: Array(waiting.filter(isTheirs).prefix(Self.notificationsMax)),
            finished: Array(finished.filter(isTheirs).prefix(Self.notificationsMax))
          ).page)
      }
    ]
  }
}
