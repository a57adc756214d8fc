import Lifecycle

/// What services did, in order.
final class Diary: Sendable {
  private let lines = Lock<[String]>([])
  func write(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// Waits until it is stopped, returns at once, throws, or ignores cancellation.
struct Scripted: Service {
  enum Manner: Sendable { case patient, returns, throwsError, stubborn }
  let name: String
  let manner: Manner
  let diary: Diary

  func run() async throws {
    diary.write("\(name) runs")
    switch manner {
    case .patient: await untilCancelled()
    case .returns: return
    case .throwsError: throw Mishap()
    case .stubborn: await forever()
    }
    diary.write("\(name) stops")
  }
}

struct Mishap: Error, CustomStringConvertible {
  var description: String { "no disk" }
}

func untilCancelled() async {
  let (stream, end) = AsyncStream.makeStream(of: Never.self)
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    end.finish()
  }
}

/// Never resumed: the leak is intended.
func forever() async {
  let keeper = Lock<[UnsafeContinuation<Void, Never>]>([])
  await withUnsafeContinuation { continuation in keeper.withLock { $0.append(continuation) } }
}
