import JSONText
import ReadModels
import ShiftDomain

extension TeamContact {
  /// `Contact`; never its secret.
  /// - Parameter address: As the reader may see it.
  package func json(address: String) -> JSONObject {
    [
      "contact": JSONValue(number),
      "channel": JSONValue(word: channel),
      "address": .string(address),
      "language": channel == .email ? .string(language) : nil,
      "weeklyDigest": channel == .email ? .bool(getsDigest) : nil,
    ]
  }
}

extension DeliveryHealth {
  /// `Channels`.
  package var json: JSONObject {
    [
      "pending": JSONValue(load.waiting),
      "pendingSince": waitingSince.map { JSONValue($0) },
      "overdueFor": JSONValue(load.lag.seconds),
      "deadLetters": JSONValue(load.dead),
      "channels": JSONValue(channels) { $0.json },
      "deadLettersWithoutAttempt": JSONValue(deadLettersWithoutAttempt) { $0.json },
    ]
  }
}

extension ChannelHealth {
  package var json: JSONObject {
    [
      "channel": .string(code),
      "isSetUp": isSetUp.map { .bool($0) },
      "lastSuccessAt": lastSuccessAt.map { JSONValue($0) },
      "lastFailure": lastFailure.map { .object($0.json) },
      "pending": JSONValue(waiting),
      "pendingSince": waitingSince.map { JSONValue($0) },
      "deadLetters": JSONValue(deadLetters) { $0.json },
    ]
  }
}

extension ChannelHealth.Failure {
  package var json: JSONObject {
    [
      "at": JSONValue(at),
      "outcome": JSONValue(word: outcome),
      "reason": reason.map { .string($0) },
    ]
  }
}

extension DeadLetterCause {
  package var json: JSONObject {
    ["reason": .string(reason), "count": JSONValue(count)]
  }
}

extension ContactTest {
  /// `ContactTest`.
  package var json: JSONObject {
    [
      "test": .string(id.key),
      "contact": JSONValue(contact.number),
      "state": JSONValue(word: state),
      "reason": reason.map { .string($0) },
    ]
  }
}
