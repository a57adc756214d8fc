import APIJSON
import HTTPAPI
import JSONText
import Lifecycle
import ReadModels
import ShiftDomain

/// `PingResponse` as text, assembled from prepared pieces: it is by far the most frequent response,
/// and nearly all of its text is the same.
struct PingAnswerText {
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - faults: Why items could not be read, by index.
  ///   - advice: `TrackingAdvice` as the text of a JSON object.
  init(_ results: [PingResult], faults: [Int: BodyFault], _ advice: [UInt8]) {
    bytes.reserveCapacity(200 + results.count * 24)
    bytes += #"{"results":["#.utf8
    for (index, result) in results.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      switch result {
      case .stored: bytes += Self.stored
      case .duplicate: bytes += Self.duplicate
      case .refused(let refusal): bytes += Self.refused(refusal, faults[index])
      }
    }
    bytes += "],".utf8
    // The rest as an object without its opening brace.
    bytes += advice.dropFirst()
  }

  private static let stored = JSONValue.object(["status": "stored"]).bytes
  private static let duplicate = JSONValue.object(["status": "duplicate"]).bytes

  private static func refused(_ refusal: PingRefusal, _ fault: BodyFault?) -> [UInt8] {
    JSONValue.object([
      "status": "refused", "reason": JSONValue(word: refusal),
      "pointer": fault.map { .string($0.pointer) }, "detail": fault.map { .string($0.detail) },
    ]).bytes
  }
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
