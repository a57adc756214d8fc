import GuardRules
import JSONText
public import ShiftDomain

/// How the server wants this phone to track.
public struct TrackingOrder: Hashable, Sendable {
  /// Whether to send positions now; false on a break and off shift.
  public let track: Bool
  /// Between two pings.
  public let pingInterval: TimeSpan
  /// For how long one fix counts as tracked.
  public let fixAgeMax: TimeSpan
  /// After this time without a fix, a sign of life is due.
  public let heartbeat: TimeSpan
  public let policyVersion: Int64

  /// Until the server has said otherwise: every minute.
  static let standard = TrackingOrder(
    track: false, pingInterval: .minutes(1), fixAgeMax: .minutes(3), heartbeat: .minutes(1),
    policyVersion: 0)

  private init(
    track: Bool, pingInterval: TimeSpan, fixAgeMax: TimeSpan, heartbeat: TimeSpan,
    policyVersion: Int64
  ) {
    self.track = track
    self.pingInterval = pingInterval
    self.fixAgeMax = fixAgeMax
    self.heartbeat = heartbeat
    self.policyVersion = policyVersion
  }

  init(_ fields: JSONFields) throws(BodyFault) {
    func seconds(_ name: String) throws(BodyFault) -> TimeSpan {
      .seconds(try fields.required(name, fields.integer(name, in: 1...86_400)))
    }
    track = try fields.required("track", fields.flag("track"))
    pingInterval = try seconds("pingInterval")
    fixAgeMax = try seconds("maxFixAge")
    heartbeat = try seconds("heartbeat")
    policyVersion = try fields.integer("policyVersion", in: 0...Int64.max) ?? 0
  }

  /// As in the API.
  var json: JSONValue {
    [
      "track": .bool(track), "pingInterval": JSONValue(pingInterval.seconds),
      "maxFixAge": JSONValue(fixAgeMax.seconds), "heartbeat": JSONValue(heartbeat.seconds),
      "policyVersion": JSONValue(policyVersion),
    ]
  }
}

/// What the employee should read, in the language of the request.
public struct ShownGuidance: Hashable, Sendable {
  public struct Banner: Hashable, Sendable {
    /// `required`, `suggestion`, `quiet`, or one that is newer than the app.
    public let level: String
    public let title: String
    public let body: String
  }

  public struct Remedy: Hashable, Sendable {
    /// `nil` for one that is newer than the app.
    public let finding: Finding?
    /// What it does to a clock-in; `nil` for one that is newer than the app.
    public let severity: Severity?
    public let title: String
    public let why: String
    public let steps: [String]
    /// What its button does, such as `open_app_settings`; for an unknown one, show the steps.
    public let action: String
  }

  /// What the step `explanation` of the clock-in shows before the system's own dialog.
  public struct Explanation: Hashable, Sendable {
    public let title: String
    public let why: String
    public let benefits: [String]
    /// What this system will ask, in order.
    public let platformNotes: [String]
    /// The label of the button that goes on to the dialog.
    public let proceed: String
    /// The label of the button that postpones it.
    public let later: String
  }

  public let banner: Banner?
  /// In the order in which to fix them.
  public let remedies: [Remedy]
  /// Whether the findings were acknowledged in this run of the app; `nil` if it was not asked.
  public let isAcknowledged: Bool?
  /// `nil` if no dialog is next.
  public let explanation: Explanation?

  init(_ fields: JSONFields) throws(BodyFault) {
    banner = try fields.object("banner").map { (banner) throws(BodyFault) in
      Banner(
        level: try banner.shown("level"), title: try banner.shown("title"),
        body: try banner.shown("body"))
    }
    remedies = try fields.objects("remedies").map { (remedy) throws(BodyFault) in
      Remedy(
        finding: Finding(code: try remedy.shown("finding")),
        severity: try remedy.text("severity", max: 100).flatMap { Severity(code: $0) },
        title: try remedy.shown("title"), why: try remedy.shown("why"),
        steps: try remedy.texts("steps"),
        action: try remedy.shown("action"))
    }
    isAcknowledged = try fields.flag("acknowledged")
    explanation = try fields.object("explanation").map { (shown) throws(BodyFault) in
      Explanation(
        title: try shown.shown("title"), why: try shown.shown("why"),
        benefits: try shown.texts("benefits"), platformNotes: try shown.texts("platformNotes"),
        proceed: try shown.shown("proceed"), later: try shown.shown("later"))
    }
  }
}

/// An open incident, which an app calls an interruption.
public struct ShownIncident: Hashable, Sendable {
  /// Such as `denied`; more may be added.
  public let kind: String
  public let openedAt: Instant

  init(_ fields: JSONFields) throws(BodyFault) {
    kind = try fields.shown("kind")
    openedAt = try fields.required("openedAt", fields.instant("openedAt"))
  }
}

/// The state as an answer of the server describes it.
public struct GuardStatus: Hashable, Sendable {
  /// What a clock-in would get; findings that are newer than the app are left out.
  public let decision: Decision?
  public let guidance: ShownGuidance?
  public let tracking: TrackingOrder
  /// `tracked`, `at_risk`, `not_tracked`, `on_break` or `off_shift`; `nil` if not in the answer.
  public let trackingState: String?
  /// Why it is not tracked, such as `no_contact`; `nil` in any other state.
  public let trackingReason: String?
  /// The number of the open shift within the employee; `nil` if none is open, or in an answer
  /// about pings.
  public let openShift: Int64?
  /// Since when that shift is open.
  public let startedAt: Instant?
  /// Since when the employee is on a break; `nil` if they are not.
  public let onBreakSince: Instant?
  /// The phone that tracks that shift; `nil` while the shift waits for confirmation.
  public let trackingDevice: Int64?
  /// Whether that phone is revoked: none tracks the shift until one takes over.
  public let isTrackingDeviceRevoked: Bool
  /// `nil` if not in the answer.
  public let incidents: [ShownIncident]?
  /// Whether the open shift waits for the employee to confirm it, by a clock-in, or to decline it.
  public let waitsForConfirmation: Bool
  /// The server's clock minus the phone's, if the phone's is wrong: the employee should know.
  public let skew: TimeSpan?
  /// What a clock-in is decided by; `nil`: not in this answer.
  public let rules: ClockInRules?
  /// What names the version of the team's sites; `nil` where its policy judges no place, and not in
  /// this answer.
  let sitesVersion: String?
  /// The plan by which the phone decides without the network; `nil` likewise.
  let plan: ClockInPlan?
  /// Whether a position is wanted at once.
  let wantsFixNow: Bool

  /// Whether it would have `sitesVersion` and `plan` if the policy asked for them.
  var saysWhatToHold: Bool { decision != nil }

  init(_ fields: JSONFields) throws(BodyFault) {
    tracking = try TrackingOrder(fields.required("tracking", fields.object("tracking")))
    decision = try fields.object("decision").map(Decision.init(answered:))
    guidance = try fields.object("guidance").map(ShownGuidance.init)
    let tracked = try fields.object("trackingState")
    trackingState = try tracked?.shown("state")
    trackingReason = try tracked?.text("reason", max: 100)
    let shift = try fields.object("shift")
    startedAt = try shift?.instant("startedAt")
    onBreakSince = try shift?.instant("onBreakSince")
    trackingDevice = try shift?.integer("device", in: 1...Int64.max)
    isTrackingDeviceRevoked = try shift?.flag("deviceRevoked") ?? false
    waitsForConfirmation = try shift?.flag("waitsForConfirmation") ?? false
    openShift = startedAt == nil ? nil : try shift?.integer("number", in: 1...Int64.max)
    let isListed = try fields.elements("incidents") != nil
    incidents = isListed ? try fields.objects("incidents").map(ShownIncident.init) : nil
    skew = try fields.object("clock")?.integer("skewMs", in: .min...Int64.max)
      .map(TimeSpan.init(milliseconds:))
    rules = (try? fields.object("rules")).flatMap { try? ClockInRules($0) }
    sitesVersion = try? fields.text("sitesVersion", min: 1, max: 64)
    plan = (try? fields.object("plan")).flatMap { try? ClockInPlan(held: $0) }
    wantsFixNow = fields.wantsFixNow
  }

  /// `nil` for a body that is not the server's, from a hotel's login page for example.
  init?(_ body: [UInt8]) {
    guard let fields = JSONFields(ofBody: body), let status = try? GuardStatus(fields) else {
      return nil
    }
    self = status
  }
}

extension GuardStatus: CustomStringConvertible {
  /// For the app's log.
  public var description: String {
    let shift = openShift.map { "shift \($0)" } ?? "no shift"
    let reason = trackingReason.map { ": \($0)" } ?? ""
    let state = trackingState.map { "\($0)\(reason)" }
    let banner = guidance?.banner.map { "\($0.level): \($0.title)" }
    return [shift, state, banner].compactMap { $0 }.joined(separator: ", ")
  }
}

/// What became of a clock action.
public enum ClockActionResult: Hashable, Sendable {
  /// It is recorded.
  case recorded(GuardStatus)
  /// A manager decides on it. `reason` and `review` are codes of the API. With the reason
  /// `too_many_waiting` the server takes it only once others are reviewed: it is sent again daily.
  case kept(reason: String, review: String)
  /// It is not recorded, and will not be: `clock_in_blocked`, `open_elsewhere` and others.
  case refused(Problem)
}

/// An error as the server describes it.
public struct Problem: Hashable, Sendable {
  /// Stable, such as `clock_in_blocked`.
  public let code: String
  /// In English, for the log.
  public let detail: String?
  /// What a button can do about it, such as `take_over`; `nil`: nothing.
  public let action: String?
  public let decision: Decision?
  public let guidance: ShownGuidance?

  /// `nil` for a body that is not the server's.
  init?(_ body: [UInt8]) {
    guard let fields = JSONFields(ofBody: body), let code = try? fields.shown("code") else {
      return nil
    }
    self.code = code
    detail = try? fields.shown("detail")
    action = try? fields.shown("action")
    decision = (try? fields.object("decision")).flatMap { try? Decision(answered: $0) }
    guidance = (try? fields.object("guidance")).flatMap { try? ShownGuidance($0) }
  }
}

/// The result of one item of an upload.
package enum ItemResult: Hashable, Sendable {
  case stored
  /// Stored before.
  case duplicate
  /// Refused for good; `reason` is a code of the API.
  case refused(reason: String, detail: String?)

  /// In the order of the items; `nil` unless there are `count`. Fast: an upload has many.
  /// - Parameter count: `nil`: any number.
  package static func results(in fields: JSONFields, count: Int? = nil) -> [ItemResult]? {
    guard let items = try? fields.elements("results"), items.count == count ?? items.count
    else { return nil }
    var results: [ItemResult] = []
    results.reserveCapacity(items.count)
    for item in items {
      // A ping has a status, a report a disposition.
      guard case .object(let item) = item,
        let word = item.text("status") ?? item.text("disposition")
      else { return nil }
      switch word {
      case "refused":
        results.append(
          .refused(reason: item.text("reason") ?? "invalid", detail: item.text("detail")))
      case "duplicate": results.append(.duplicate)
      default: results.append(.stored)
      }
    }
    return results
  }
}

extension JSONObject {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }
}

extension JSONFields {
  package init?(ofBody body: [UInt8]) {
    guard let value = try? JSONValue(parsing: body), let fields = try? JSONFields(value) else {
      return nil
    }
    self = fields
  }

  /// A text that must be there.
  package func shown(_ name: String) throws(BodyFault) -> String {
    try required(name, text(name, max: 100_000))
  }

  package func objects(_ name: String) throws(BodyFault) -> [JSONFields] {
    try (elements(name) ?? []).enumerated().map { (element) throws(BodyFault) in
      try JSONFields(element.element, at: place(name, element.offset))
    }
  }

  /// The texts of an array; what is no text is left out.
  package func texts(_ name: String) throws(BodyFault) -> [String] {
    try (elements(name) ?? []).compactMap { element -> String? in
      if case .string(let text) = element { text } else { nil }
    }
  }

  /// Whether the server wants a position at once.
  package var wantsFixNow: Bool { (try? texts("commands"))?.contains("send_fix_now") == true }
}

extension Decision {
  init(answered fields: JSONFields) throws(BodyFault) {
    var (blocking, warning, found): (FindingSet, FindingSet, FindingSet) = ([], [], [])
    for item in try fields.objects("findings") {
      guard let finding = Finding(code: try item.shown("code")) else { continue }
      found.insert(finding)
      switch Severity(code: try item.shown("severity")) {
      case .block: blocking.insert(finding)
      case .warn: warning.insert(finding)
      case .advice, .ignore, nil: break
      }
    }
    self.init(found, under: SeverityTable(blocking: blocking, warning: warning))
    // A finding that this app does not know may have decided.
    if let verdict = Verdict(code: try fields.shown("verdict")) { self.verdict = verdict }
    for code in try fields.texts("overridden") {
      if let finding = Finding(code: code) { overridden.insert(finding) }
    }
  }
}
