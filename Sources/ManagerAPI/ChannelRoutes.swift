import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var channelRoutes: [AccessRoute] {
    [
      route(.get, "/v1/channels", .administrator) { (_, _) in
        .object(try await operations.deliveryHealth(setUp: setUpChannels()).json)
      }
    ]
  }
}

extension DeliveryHealth {
  /// `Channels`.
  fileprivate var json: JSONObject {
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
  fileprivate var json: JSONObject {
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
  fileprivate var json: JSONObject {
    [
      "at": JSONValue(at),
      "outcome": JSONValue(word: outcome),
      "reason": reason.map { .string($0) },
    ]
  }
}

extension DeadLetterCause {
  fileprivate var json: JSONObject {
    ["reason": .string(reason), "count": JSONValue(count)]
  }
}
