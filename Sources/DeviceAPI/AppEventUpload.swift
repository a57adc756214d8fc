import APIJSON
import DeviceOperations
import HTTPAPI
import JSONText
import ReadModels
import ShiftDomain

/// The body of `POST /v1/me/app-events`: 1…100 events, read one by one: a bad one is refused and
/// stops no other.
struct AppEventUpload: Sendable {
  static let itemsMax = 100

  let sentAt: Instant?
  private let items: [Result<IncomingAppEvent, BodyFault>]

  init(_ body: JSONValue) throws {
    let fields = try JSONFields(body)
    sentAt = try fields.instant("sentAt")
    let elements = try fields.required("events", fields.elements("events"))
    guard !elements.isEmpty else {
      throw BodyFault(at: fields.place("events"), "must have at least one item")
    }
    guard elements.count <= Self.itemsMax else { throw TooManyItems(max: Self.itemsMax) }
    items = elements.enumerated().map { index, element in
      Result { () throws(BodyFault) in
        try IncomingAppEvent(JSONFields(element, at: fields.place("events", index)))
      }
    }
  }

  var events: [IncomingAppEvent] { items.compactMap { try? $0.get() } }

  /// In the order of the items.
  func results(_ taken: [AppEventResult]) -> [JSONObject] {
    var taken = taken.makeIterator()
    return items.compactMap { item in
      switch item {
      case .success: taken.next()?.json
      case .failure(let fault):
        [
          "status": "refused", "reason": JSONValue(word: AppEventRefusal.invalid),
          "pointer": .string(fault.pointer), "detail": .string(fault.detail),
        ]
      }
    }
  }
}

extension AppEventResult {
  fileprivate var json: JSONObject {
    switch self {
    case .stored: ["status": "stored"]
    case .duplicate: ["status": "duplicate"]
    case .refused(let reason): ["status": "refused", "reason": JSONValue(word: reason)]
    }
  }
}

extension IncomingAppEvent {
  /// `AppEvent`; a field that its kind does not have is ignored.
  fileprivate init(_ fields: JSONFields) throws(BodyFault) {
    let kind: AppEventKind = try fields.required("kind", fields.knownWord("kind"))
    self.init(
      kind, in: try fields.required("appSession", fields.text("appSession", min: 1, max: 64)),
      recordedAt: try fields.required("recordedAt", fields.instant("recordedAt")))
    switch kind {
    case .indicatorShown:
      let milliseconds = try fields.required("after", fields.integer("after", in: 0...86_400_000))
      after = .milliseconds(milliseconds)
    case .dialogAnswered:
      authorization = try fields.required(
        "authorization", fields.word("authorization", unknown: .unknown))
    case .restored:
      let restored: Authorization = try fields.required(
        "authorization", fields.knownWord("authorization"))
      guard restored == .whenInUse || restored == .always else {
        throw BodyFault(at: fields.place("authorization"), "must be when_in_use or always")
      }
      authorization = restored
    case .answerShown:
      actionID = try fields.required("actionId", fields.text("actionId", min: 1, max: 64))
    case .permissionInsufficient, .explanationShown, .settingsOpened: break
    }
  }
}
