import APIJSON
import CommandParsing
import Guidance
import InsightOperations
import JSONText
import ManagerOperations
import NotificationOperations
import OperationCore
import ReadModels
import ShiftDomain
import SystemCalls

let notificationCommands = Group(
  "notification", "pending notifications and delivery results", brief: "messages, delivery",
  Leaf(
    listCommand(
      "list pending notifications, next due first",
      options: [
        .flag("finished", "list finished notifications instead, newest first"),
        onlyTeamOption, sinceOption, limitOption,
      ], arguments: [onlyEmployeeArgument]),
    .operations(listNotifications)),
  Leaf(
    showCommand("show the newest notification about a subject, with its delivery"),
    .operations { try await show($0, $1, deadOnly: false) }),
  Leaf(
    Command(
      "retry", "retry an employee's pending notifications, and show what was sent",
      options: [waitOption("5s"), byOption], arguments: [employeeArgument],
      footer: """
        A running `guardd` tries each at once, whatever failed before. What is not due yet, or was \
        received, is not sent.
        Exit: 0 nothing failed, 4 a channel did not accept it, 75 not tried in time: check whether \
        `guardd` is running.
        """),
    .operations(retryNotifications)),
  sendTestLeaf, channelsLeaf, groups: [deadLetterCommands])

private let deadLetterCommands = Group(
  "dead-letter", "notifications that could not be delivered",
  Leaf(
    listCommand(
      "list dead letters, newest first",
      options: [onlyTeamOption, sinceOption, limitOption], arguments: [onlyEmployeeArgument]),
    .operations { try await list($0, $1, deadOnly: true, whenEmpty: "No dead letters.") }),
  Leaf(
    showCommand("show the newest dead letter about a subject, with its attempts"),
    .operations { try await show($0, $1, deadOnly: true) }),
  Leaf(
    Command(
      "retry", "retry dead letters",
      options: [employeeOption("only this employee's; by default all"), byOption],
      footer: "Each notification is checked again before it is sent."),
    .operations(retryDeadLetters)))

private func showCommand(_ summary: String) -> Command {
  Command(
    "show", summary,
    options: [
      .choice(
        "topic", "topic of the notification", among: NotificationTopic.allCases.map(\.code),
        default: NotificationTopic.incident.code)
    ],
    arguments: [
      .text("subject", "employee, then incident, shift or clock action, such as `7/3`")
    ])
}

private func listNotifications(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  guard call.parsed.flag("finished") else {
    let waiting = try await operations.notifications.notifications(
      of: call.employee("employee"),
      in: TeamScope().narrowed(to: try await call.onlyTeam(operations)),
      since: call.since(operations), limit: call.limit)
    let ways = try await operations.notifications.notificationWays(
      of: Set(waiting.map(\.employee)))
    return Listing(
      rows: waiting.map { row in
        row.fields + [Field("waits for", FieldValue(row.missing(of: ways[row.employee])))]
      }, json: waiting.map(\.json), whenEmpty: "No pending notifications.")
  }
  return try await list(
    call, operations, deadOnly: false, whenEmpty: "No finished notifications.")
}

extension NotificationRow {
  /// What has to be set up before it can be sent.
  fileprivate func missing(of ways: NotificationWays?) -> String? {
    guard let ways, !ways.serve(notification.topic) else { return nil }
    if notification.topic.audience == .managers { return "a contact" }
    return notification.topic == .incident ? "push, e-mail or a contact" : "push or e-mail"
  }
}

private func list(
  _ call: Invocation, _ operations: ManagerOperations, deadOnly: Bool, whenEmpty: String
) async throws -> any Answer {
  let finished = try await operations.notifications.finishedNotifications(
    of: call.employee("employee"),
    in: TeamScope().narrowed(to: try await call.onlyTeam(operations)),
    since: call.since(operations), deadOnly: deadOnly, limit: call.limit)
  return Listing(
    rows: finished.map { $0.fields.map(\.shown) }, json: finished.map(\.json),
    whenEmpty: whenEmpty)
}

private func show(
  _ call: Invocation, _ operations: ManagerOperations, deadOnly: Bool
) async throws -> any Answer {
  let (employee, number) = try call.pair("subject")
  let topic = try call.coded("topic", NotificationTopic.self)
  let waiting =
    deadOnly ? [] : try await operations.notifications.notifications(of: employee, limit: .max)
  let finished = try await operations.notifications.finishedNotifications(
    of: employee, deadOnly: deadOnly, limit: 1_000)
  let candidates = (waiting + finished).filter {
    $0.notification.topic == topic && $0.notification.subject == number
  }
  guard let row = candidates.max(by: { $0.notification.ordinal < $1.notification.ordinal }) else {
    let subject = "\(topic.words) \(employee.rawValue)/\(number)"
    throw OperationError.notFound(
      deadOnly
        ? "dead letter about \(subject): see `guardctl notification dead-letter list`"
        : "notification about \(subject): see `guardctl notification list`")
  }
  let snapshot = try await operations.insight.check(employee: employee, device: nil, preset: nil)
    .snapshot
  let device = snapshot.map { DeviceDescription($0) } ?? DeviceDescription(platform: .unknown)
  return NotificationCard(
    row: row,
    text: notificationText(for: row.notification, report: snapshot?.report?.state, on: device),
    attempts: try await operations.notifications.deliveryAttempts(of: row))
}

private func retryNotifications(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let employee = EmployeeID(try call.number("employee"))
  let wait = try call.span("wait", max: .minutes(5))
  let begin = Instant(milliseconds: calendarMilliseconds()) - .hours(1)
  let before = try await operations.notifications.deliveryAttempts(of: employee, since: begin)
  let count = try await operations.notifications.retryNotifications(
    of: employee, by: call.principal)
  let end = ContinuousClock.now + .milliseconds(wait.milliseconds)
  var report = RetryReport(count: count)
  while true {
    let pending = try await operations.notifications.notifications(of: employee, limit: .max)
    report.attempts = try await operations.notifications.deliveryAttempts(
      of: employee, since: begin
    )
    .filter { !before.contains($0) }
    let now = Instant(milliseconds: calendarMilliseconds())
    report.isComplete =
      pending.allSatisfy { ($0.nextAt ?? now) > now }
      && report.attempts.allSatisfy { $0.outcome != nil }
    guard !report.isComplete, ContinuousClock.now < end else { return report }
    try await Task.sleep(for: .milliseconds(200))
  }
}

/// What became of retried notifications.
private struct RetryReport: Answer {
  var count: Int
  var attempts: [DeliveryAttempt] = []
  /// Whether `guardd` has tried all of them.
  var isComplete = false

  var exitStatus: ExitStatus {
    guard isComplete else { return .unanswered }
    return attempts.allSatisfy { $0.outcome == .accepted } ? .done : .notNotified
  }

  func lines(on surface: Surface) -> [String] {
    let result =
      attempts.isEmpty ? (isComplete ? ", nothing to send now." : ", not tried yet.") : ":"
    return ["\(count) pending \(count == 1 ? "notification" : "notifications") retried\(result)"]
      + (attempts.isEmpty ? [] : rows.lines(on: surface))
  }

  var json: JSONValue {
    [
      "retried": JSONValue(Int32(clamping: count)), "isComplete": .bool(isComplete),
      "attempts": JSONValue(attempts) { $0.json },
    ]
  }

  private var rows: [[Field]] {
    attempts.map { attempt in
      [
        Field("topic", .text(attempt.id.topic.code)),
        Field("subject", FieldValue(attempt.id.subject)),
        Field("channel", .text(attempt.channel?.code ?? attempt.step.code)),
        Field("answer", .text(attempt.outcome?.code ?? "none yet")),
        Field("reason", FieldValue(attempt.reason)),
      ]
    }
  }
}

private func retryDeadLetters(
  _ call: Invocation, _ operations: ManagerOperations
) async throws -> any Answer {
  let count = try await operations.notifications.retryDeadLetters(
    of: call.employee("employee"), by: call.principal)
  return Confirmation(
    text: ["Retrying \(count) dead \(count == 1 ? "letter" : "letters")."],
    json: .object(["retried": JSONValue(Int32(clamping: count))]))
}
