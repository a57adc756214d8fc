import JSONText
import ShiftOperations

/// `PingAnswer` as text, put together from pieces: of all answers this is given most by far, and
/// nearly all of it is the same few words.
struct PingAnswerText {
  private(set) var bytes: [UInt8] = []

  init(_ results: [PingAnswer], _ advice: TrackingAdvice) {
    bytes.reserveCapacity(200 + results.count * 24)
    bytes += #"{"results":["#.utf8
    for (index, result) in results.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(result)
    }
    bytes += "],".utf8
    // The rest as an object without its opening brace.
    bytes += JSONValue.object(advice.message()).bytes.dropFirst()
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
