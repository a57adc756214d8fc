import HTTPAPI
import HTTPServing
import InstallationOperations
import OperationCore
import PeopleOperations
import PhoneProtocols
import ReadModels
import ShiftDomain

/// The messages of all phones with apps from a store that could not be read.
struct QuarantineView: FormView {
  var clock: TeamClock
  var filter: QuarantineFilter
  var counts: [QuarantineCount]
  var list: QuarantinePage
  var done: HTML?
  /// Where reading again has stopped because time was up.
  var stoppedAt: DeviceID?
  var fault: HTML?
  var isAsking = false

  fileprivate static let path = "/settings/quarantine"

  var page: Page {
    Page(
      setting: "Quarantine",
      line: "<p>Messages of apps from a store that could not be read</p>", done: done,
      fault: fault, "\(isAsking ? question : nil)\n\(isAsking ? nil : summary)\n\(messages)")
  }

  private var question: HTML {
    Confirmation(
      question: "Read all quarantined messages again?",
      consequences: """
        <p>This version may understand what an earlier one did not. What it understands is stored \
        with the time at which it was received, and changes the coverage of past shifts. Nobody is \
        notified, and nobody is clocked in or out by it.</p>
        """,
      button: "Read again", action: "\(Self.path)/replay",
      keep: Crumb(name: "Cancel", path: "\(Self.path)")
    ).card
  }

  private var summary: HTML {
    let rows = counts.map { count -> HTML in
      let query = Query().with("app", count.app.code).with("reason", count.reason)
      return """
        <tr><td>\(count.app.name)<td>\
        <a href="\(Self.path)\(query.text)">\(words(for: count.reason))</a>\
        <td class="number">\(count.count)

        """
    }
    let isCutOff = counts.reduce(0) { $0 + $1.count } >= Int64(QuarantineCount.countedMax)
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="counts">\
      <table><thead><tr><th scope="col">App<th scope="col">Reason\
      <th scope="col" class="number">Messages</thead>\(rows)</table></div>
      \("<p class=\"aside\">Only the newest 10,000 messages are counted.</p>", if: isCutOff)
      \(counts.contains { $0.kept > 0 } ? replay : nothingKept)
      """
    return """
      <section class="card" aria-labelledby="counts"><h2 id="counts">By app and reason</h2>
      \(counts.isEmpty ? "<p class=\"aside\">Every message could be read.</p>" as HTML : table)
      </section>
      """
  }

  private var replay: HTML {
    """
    <form method="post" action="\(Self.path)/replay">\(goingOn)<div class="row">\
    <button>\(stoppedAt == nil ? "Read again" : "Continue")</button></div></form>
    """
  }

  private var nothingKept: HTML {
    """
    <p class="aside">The contents of these messages are not kept, so that none can be read again.\
    </p>
    """
  }

  private var goingOn: HTML? {
    stoppedAt.map { device in
      """
      <input type="hidden" name="sure" value="yes">\
      <input type="hidden" name="after" value="\(device.cursor)">
      """
    }
  }

  private var messages: HTML? {
    guard !counts.isEmpty || isFiltered else { return nil }
    let none: HTML = "<p class=\"aside\">No message matches.</p>"
    let table: HTML = """
      <div class="scroll all" tabindex="0" role="group" aria-labelledby="messages">\
      <table><thead><tr><th scope="col">Received<th scope="col">Employee<th scope="col">Phone\
      <th scope="col">App<th scope="col">Reason<th scope="col" class="number">Bytes\
      <th scope="col">Contents</thead>\(list.rows.map { line($0) })</table></div>
      """
    return """
      <section class="card" aria-labelledby="messages"><h2 id="messages">Messages</h2>
      \("<p><a href=\"\(Self.path)\">Show all</a></p>", if: isFiltered)
      \(list.rows.isEmpty ? none : table)\(older)
      <p class="aside">The contents are kept only of messages that came in a shift and are not \
      too long. They are not shown, because there may be positions in them.</p></section>
      """
  }

  private func line(_ row: QuarantinedRow) -> HTML {
    let device = row.place.device
    let devices = EmployeeTab.devices.path(of: device.employee)
    return """
      <tr><td>\(clock.short(row.message.receivedAt))<td><a href="\(devices)">\(row.name)</a>\
      <td><a href="\(device.path)">\(device.number)</a><td>\(row.message.app.name)\
      <td>\(words(for: row.message.reason))<td class="number">\(row.message.byteCount)\
      <td>\(row.hasContents ? "kept" : "not kept")

      """
  }

  private var isFiltered: Bool {
    filter.app != nil || filter.reason != nil || filter.after != nil
  }

  private var older: HTML? {
    guard let next = list.next else { return nil }
    let query = Query().with("app", filter.app?.code).with("reason", filter.reason)
      .with("cursor", next.cursor)
    return "<p><a class=\"button\" href=\"\(Self.path)\(query.text)\">Older messages</a></p>"
  }
}

/// What a stored reason says; as stored if it is of another version.
private func words(for reason: String) -> HTML {
  let parts = reason.split(separator: " ", maxSplits: 1).map { String($0) }
  guard let code = parts.first, let fault = QuarantineReason.Fault(code: code) else {
    return "\(reason)"
  }
  return parts.count == 1 ? fault.name : "\(fault.name): <code>\(parts[1])</code>"
}

extension QuarantineReason.Fault {
  fileprivate var name: HTML {
    switch self {
    case .syntax: "Invalid JSON or form"
    case .notAnObject: "Not an object"
    case .unknownKind: "Unknown kind"
    case .encrypted: "Encrypted with an unknown key"
    case .missing: "Missing field"
    case .unreadable: "Invalid value"
    case .tooMany: "Too many items"
    }
  }
}

extension PageController {
  private static let messagesMax = 100

  var quarantineRoutes: [AccessRoute] {
    let path = QuarantineView.path
    return [
      page(path, .administrator) { request, _ in
        var view = try await quarantineView(QuarantineFilter(request))
        (view.done, view.stoppedAt) = (
          ReplayReport(request)?.text, request.queryValue("next").flatMap { DeviceID(cursor: $0) }
        )
        return .page(view.page)
      },
      form("\(path)/replay", .administrator, deadline: .seconds(60)) { _, fields, principal in
        guard fields.isSure else {
          var view = try await quarantineView(QuarantineFilter())
          view.isAsking = true
          return .page(view.page)
        }
        let replay = try await operations.installation.replayQuarantine(
          of: nil, after: DeviceID(cursor: fields["after"]), by: principal)
        return .seeOther(path + ReplayReport(replay).query.with("next", replay.next?.cursor).text)
      },
    ]
  }

  private func quarantineView(_ filter: QuarantineFilter) async throws -> QuarantineView {
    let zone = try await operations.people.teams().first?.timeZone ?? "UTC"
    return QuarantineView(
      clock: try TeamClock(zone: zone, now: settings.now()), filter: filter,
      counts: try await operations.installation.quarantineCounts(),
      list: try await operations.installation.quarantinePage(filter, limit: Self.messagesMax))
  }
}

extension QuarantineFilter {
  /// Of the links of the page.
  fileprivate init(_ request: HTTPRequest) throws {
    self.init()
    if let code = request.queryValue("app") {
      guard let app = PhoneApp(code: code) else { throw PageNotFound() }
      self.app = app
    }
    reason = request.queryValue("reason")
    if let reason {
      guard (1...200).contains(reason.unicodeScalars.count), !reason.contains("\0") else {
        throw PageNotFound()
      }
    }
    if let cursor = request.queryValue("cursor") {
      guard let place = QuarantinePlace(cursor: cursor) else { throw PageNotFound() }
      after = place
    }
  }
}

/// What became of the messages, as the address says it to the page.
private struct ReplayReport {
  var read: Int
  var unreadable: Int
  var waiting: Int
  var withoutContents: Int

  init(_ replay: QuarantineReplay) {
    (read, unreadable) = (replay.read, replay.unreadable)
    (waiting, withoutContents) = (replay.waiting, replay.withoutContents)
  }

  init?(_ request: HTTPRequest) {
    func count(_ name: String) -> Int {
      request.queryValue(name).flatMap { Int32($0) }.map { Int($0) } ?? 0
    }
    guard request.queryValue("read") != nil else { return nil }
    (read, unreadable) = (count("read"), count("unreadable"))
    (waiting, withoutContents) = (count("waiting"), count("without"))
  }

  var query: Query {
    Query().with("read", "\(read)").with("unreadable", "\(unreadable)")
      .with("waiting", "\(waiting)").with("without", "\(withoutContents)")
  }

  var text: HTML {
    func messages(_ count: Int) -> HTML { count == 1 ? "1 message" : "\(count) messages" }
    var parts: [HTML] = ["\(messages(read)) could be read."]
    if unreadable > 0 { parts.append(" \(messages(unreadable)) still cannot be read.") }
    if waiting > 0 {
      parts.append(" \(messages(waiting)) can be read when the open shift has ended.")
    }
    if withoutContents > 0 {
      parts.append(" The contents of \(messages(withoutContents)) were not kept.")
    }
    return "\(parts)"
  }
}
