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

/// Caches the texts that are the same for all phones of a team: of the advice at the end, and of
/// whole responses to a single ping.
final class PingAnswerTexts: Sendable {
  private struct Texts: Sendable {
    let ofAdvice, ofStored, ofDuplicate: [UInt8]

    init(_ advice: TrackingAdvice) {
      ofAdvice = advice.text
      ofStored = PingAnswerText([.stored], faults: [:], ofAdvice).bytes
      ofDuplicate = PingAnswerText([.duplicate], faults: [:], ofAdvice).bytes
    }
  }

  /// More than the teams whose phones send at the same time; the oldest entry is evicted.
  private static let capacity = 16

  private let cached = Lock<[(advice: TrackingAdvice, texts: Texts)]>([])

  /// - Parameter faults: Why items could not be read, by index.
  func text(
    of results: [PingResult], faults: [Int: BodyFault], _ advice: TrackingAdvice
  ) -> [UInt8] {
    // The deviation of a phone's clock is its own, so that text is not shared.
    guard advice.clock == nil else {
      return PingAnswerText(results, faults: faults, advice.text).bytes
    }
    let texts = texts(of: advice)
    switch results.first {
    case .stored where results.count == 1: return texts.ofStored
    case .duplicate where results.count == 1: return texts.ofDuplicate
    default: return PingAnswerText(results, faults: faults, texts.ofAdvice).bytes
    }
  }

  private func texts(of advice: TrackingAdvice) -> Texts {
    if let known = cached.withLock({ $0.first { $0.advice == advice }?.texts }) { return known }
    let texts = Texts(advice)
    cached.withLock { cached in
      if cached.count == Self.capacity { cached.removeFirst() }
      cached.append((advice, texts))
    }
    return texts
  }
}

extension TrackingAdvice {
  /// As the text of a JSON object.
  fileprivate var text: [UInt8] { JSONValue.object(json()).bytes }
}
