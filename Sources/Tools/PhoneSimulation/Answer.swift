import Foundation
import HTTPSending

/// The parts of a server's response that the simulation uses. Missing values are `nil`; unknown
/// values are ignored.
struct Answer: Decodable, Sendable {
  var code: String?
  var token: String?
  /// A number after an enrolment, an object in `GET /v1/me`; only the number is read.
  var employee: Number?
  var device: Number?
  var disposition: String?
  var decision: Decision?
  var shift: Shift?
  var incidents: [Incident]?
  var tracking: Tracking?
  var commands: [String]?
  var results: [Result]?

  struct Decision: Decodable, Sendable {
    var verdict: String
    var findings: [Finding]
  }
  struct Finding: Decodable, Sendable { var code: String }
  struct Shift: Decodable, Sendable { var employee: Int, number: Int }
  struct Incident: Decodable, Sendable { var kind: String }
  struct Tracking: Decodable, Sendable { var track: Bool }
  struct Result: Decodable, Sendable {
    var status: String
    var reason: String?
  }

  /// A bare number, or the one inside an object.
  struct Number: Decodable, Sendable {
    var value: Int

    init(from decoder: any Decoder) throws {
      if let value = try? decoder.singleValueContainer().decode(Int.self) {
        self.value = value
      } else {
        value = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .number)
      }
    }

    private enum CodingKeys: CodingKey { case number }
  }

  /// Reads a body; `nil` if it does not match `openapi.yaml`.
  init?(_ body: [UInt8]) {
    guard let answer = try? JSONDecoder().decode(Self.self, from: Data(body)) else { return nil }
    self = answer
  }
}

/// The detection latency that the server measured, from `Server-Timing: detection;dur=12.5`.
package func detection(inServerTiming header: String?) -> Duration? {
  guard let header else { return nil }
  for metric in header.split(separator: ",") {
    let parts = metric.split(separator: ";").map { trimmed($0) }
    guard parts.first == "detection" else { continue }
    for part in parts.dropFirst() where part.hasPrefix("dur=") {
      guard let milliseconds = Double(part.dropFirst(4)), (0..<1e9).contains(milliseconds) else {
        return nil
      }
      return .microseconds(Int64((milliseconds * 1_000).rounded()))
    }
  }
  return nil
}

private func trimmed(_ text: Substring) -> Substring {
  var text = text.drop { $0 == " " }
  while text.last == " " { text.removeLast() }
  return text
}
