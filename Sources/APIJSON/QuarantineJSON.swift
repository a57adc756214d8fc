import JSONText
import ReadModels
import ShiftDomain

extension QuarantinedMessage {
  package var json: JSONObject {
    [
      "app": JSONValue(word: app),
      "receivedAt": JSONValue(receivedAt),
      "reason": .string(reason),
      "bytes": JSONValue(byteCount),
    ]
  }
}

extension QuarantinedRow {
  /// `QuarantinedMessage`.
  package var json: JSONObject {
    let head: JSONObject = [
      "employee": JSONValue(place.device.employee.rawValue),
      "name": .string(name),
      "device": JSONValue(place.device.number),
    ]
    return head.adding(message.json).adding(["hasContents": .bool(hasContents)])
  }
}

extension QuarantineCount {
  package var json: JSONObject {
    [
      "app": JSONValue(word: app), "reason": .string(reason), "count": JSONValue(count),
      "kept": JSONValue(kept),
    ]
  }
}

extension QuarantineReplay {
  /// `QuarantineReplay`.
  package var json: JSONObject {
    [
      "read": JSONValue(read),
      "unreadable": JSONValue(unreadable),
      "waiting": JSONValue(waiting),
      "withoutContents": JSONValue(withoutContents),
      "stored": JSONValue(stored),
      "next": next.map { .string($0.cursor) },
    ]
  }
}
