import CLibcurl
import Lifecycle

typealias TransferReply = @Sendable (Result<IncomingResponse, SendingError>) -> Void

/// How a sender finds and trusts the other side.
struct Ways: Sendable {
  let reach: Reach
  /// A file of certificates to use instead of the system's, or `nil`.
  let authorities: String?

  /// libcurl requires this once, before anything else.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}

enum TransferLoad: Sendable {
  case request(OutgoingRequest)
  /// The response's status is then the server's last, its headers the lines of all replies.
  case mail(OutgoingMail)
}

struct TransferOrder: Sendable {
  let id: UInt64
  let load: TransferLoad
  let ways: Ways
  let startedAt: ContinuousClock.Instant
  let reply: TransferReply
}

enum TransferMessage: Sendable {
  case begin(TransferOrder)
  /// May come before or after the end; then it does nothing.
  case cancel(id: UInt64)
  case end
}

/// The only way for tasks to reach the transfer loop.
@safe final class TransferQueue: @unchecked Sendable {
  // SAFETY: `multi` is freed by nobody but this class, in `deinit`, and `curl_multi_wakeup` is the
  // one function of libcurl that any thread may call. The loop, which uses the rest, holds us.
  let multi: UnsafeMutableRawPointer?
  private let messages = Lock<[TransferMessage]>([])

  private let opened = Lock(0)

  var connectionsOpened: Int { opened.withLock { $0 } }

  func noteOpened(_ count: Int) { opened.withLock { $0 += count } }

  init() { unsafe multi = curl_multi_init() }

  deinit { unsafe curl_multi_cleanup(multi) }

  func post(_ message: TransferMessage) {
    messages.withLock { $0.append(message) }
    unsafe curl_multi_wakeup(multi)
  }

  func takeAll() -> [TransferMessage] {
    messages.withLock { messages in
      defer { messages = [] }
      return messages
    }
  }
}
