import JSONText
import Lifecycle
import ShiftOperations

/// `PingAnswer` as text, put together from pieces: of all answers this is given most by far, and
/// nearly all of it is the same few words.
struct PingAnswerText {
  private(set) var bytes: [UInt8] = []

  /// - Parameter advice: `TrackingAdvice` as an object's text.
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
    case .settled(.stored): bytes += Self.stored
    case .settled(.duplicate): bytes += Self.duplicate
    default: bytes += JSONValue.object(result.message).bytes
    }
  }

  private static let stored = JSONValue.object(PingAnswer.settled(.stored).message).bytes
  private static let duplicate = JSONValue.object(PingAnswer.settled(.duplicate).message).bytes
}

/// The text of the advice that answers end with: each team's is the same for all its phones.
final class AdviceTexts: Sendable {
  /// More than the teams whose phones send at the same time; the oldest makes room.
  private static let most = 16

  private let texts = Lock<[(advice: TrackingAdvice, text: [UInt8])]>([])

  /// `advice` as an object's text.
  func text(of advice: TrackingAdvice) -> [UInt8] {
    // A phone with a wrong clock is told by how much: that is its own.
    guard advice.clock == nil else { return Self.write(advice) }
    if let known = texts.withLock({ $0.first { $0.advice == advice }?.text }) { return known }
    let text = Self.write(advice)
    texts.withLock { texts in
      if texts.count == Self.most { texts.removeFirst() }
      texts.append((advice, text))
    }
    return text
  }

  private static func write(_ advice: TrackingAdvice) -> [UInt8] {
    JSONValue.object(advice.message()).bytes
  }
}
