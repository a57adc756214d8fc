import JSONText
public import ShiftDomain

/// A notification to the employee, in the language of the request.
public struct ShownNotification: Hashable, Sendable {
  /// Within the employee; increasing.
  public let number: Int64
  /// What it is about, such as `incident`; more may be added: the texts are always enough.
  public let topic: String
  /// What impaired tracking, such as `denied`; `nil`: nothing.
  public let kind: String?
  public let isUrgent: Bool
  public let title: String
  public let body: String
  public let steps: [String]
  /// What its button does, such as `open_app_settings`; for an unknown one, show the steps.
  public let action: String
  public let occurredAt: Instant
  /// The shift that it is about; `nil`: none.
  public let shift: Int64?

  init(_ fields: JSONFields) throws(BodyFault) {
    number = try fields.required("notification", fields.integer("notification", in: 1...Int64.max))
    topic = try fields.shown("topic")
    kind = try fields.text("kind", max: 100)
    isUrgent = try fields.flag("urgent") ?? false
    title = try fields.shown("title")
    body = try fields.shown("body")
    steps = try fields.texts("steps")
    action = try fields.shown("action")
    occurredAt = try fields.required("occurredAt", fields.instant("occurredAt"))
    shift = try fields.object("subject")?.integer("shift", in: 1...Int64.max)
  }

  /// What to acknowledge so that nothing more about it is pushed or mailed to the employee.
  var finding: Finding? { kind.flatMap { Finding(code: $0) } }
}
