import APIJSON
import JSONText
import Lifecycle
import OperationCore

/// `PingResponse` as text, assembled from prepared pieces: it is by far the most frequent response,
/// and nearly all of its text is the same.
struct PingAnswerText {
  private(set) var bytes: [UInt8] = []

  /// - Parameter advice: `TrackingAdvice` as the text of a JSON object.
  init(_ results: [PingAnswer], _ advice: [UInt8]) {
    bytes.reserveCapacity(200 + results.count * 24)
    bytes += #"{"results":["#.utf8
    for (index, result) in results.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(result)
    }
    bytes += "],".utf8
    // The rest as an object without its opening brace.
    bytes += advice.dropFirst()
  }

  private mutating func append(_ result: PingAnswer) {
    switch result {
    case .result(.stored): bytes += Self.stored
    case .result(.duplicate): bytes += Self.duplicate
    default: bytes += JSONValue.object(result.json).bytes
    }
  }

  private static let stored = JSONValue.object(PingAnswer.result(.stored).json).bytes
  private static let duplicate = JSONValue.object(PingAnswer.result(.duplicate).json).bytes
}

/// Caches the text of the advice at the end of responses, which is the same for all phones of a
/// team.
final class AdviceTexts: Sendable {
  /// More than the teams whose phones send at the same time; the oldest entry is evicted.
  private static let capacity = 16

  private let texts = Lock<[(advice: TrackingAdvice, text: [UInt8])]>([])

  func text(of advice: TrackingAdvice) -> [UInt8] {
    // The deviation of a phone's clock is its own, so that text is not shared.
    guard advice.clock == nil else { return Self.write(advice) }
    if let known = texts.withLock({ $0.first { $0.advice == advice }?.text }) { return known }
    let text = Self.write(advice)
    texts.withLock { texts in
      if texts.count == Self.capacity { texts.removeFirst() }
      texts.append((advice, text))
    }
    return text
  }

  private static func write(_ advice: TrackingAdvice) -> [UInt8] {
    JSONValue.object(advice.json()).bytes
  }
}
