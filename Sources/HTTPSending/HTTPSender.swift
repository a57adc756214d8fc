internal import CLibcurl
internal import Lifecycle

/// How a sender finds and trusts the other side.
struct Ways: Sendable {
  let reach: Reach
  /// A file of certificates in place of the system's, or `nil`.
  let authorities: String?
}

/// Sends HTTP requests, and mails over SMTP. Connections for HTTP are kept open and shared; HTTP/2
/// is used where TLS offers it.
public final class HTTPSender: Sendable {
  private let queue: TransferQueue
  private let lastID = Lock<UInt64>(0)
  private let hasThread: Bool
  private let ways: Ways

  /// libcurl wants this once, before anything else.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  /// - Parameter connectionsMax: Open at once, over all hosts; further requests wait for a free one
  ///   until their deadline. At least 1.
  /// - Parameter reach: Where it may connect to.
  /// - Parameter authorities: A file of certificates (PEM) to trust in place of the system's.
  public init(connectionsMax: Int, reach: Reach = .anywhere, authorities: String? = nil) {
    precondition(connectionsMax > 0, "at least one connection")
    let isReady = Self.isReady
    let queue = TransferQueue()
    self.queue = queue
    ways = Ways(reach: reach, authorities: authorities)
    hasThread =
      isReady && OwnThread.start { TransferLoop(queue, connectionsMax: connectionsMax).run() }
  }

  /// Connections opened so far, for tests of reuse.
  package var connectionsOpened: Int { queue.connectionsOpened }

  deinit { queue.post(.end) }

  /// Sends one request and waits for its whole response. Redirects are not followed; a status above
  /// 399 is a response like any other.
  /// - Throws: `SendingError`; `.cancelled` soon after the task is.
  public func send(_ request: OutgoingRequest) async throws(SendingError) -> IncomingResponse {
    try await perform(.request(request))
  }

  /// Hands one mail to its server and waits for the server's word, whichever it is.
  /// - Throws: `SendingError`; `.unreachable` whenever the mail was not sent to its end.
  public func send(_ mail: OutgoingMail) async throws(SendingError) -> MailReply {
    let response = try await perform(.mail(mail))
    return MailReply(status: response.status, line: response.headers.last?.value ?? "")
  }

  private func perform(_ load: TransferLoad) async throws(SendingError) -> IncomingResponse {
    guard hasThread else { throw .unsendable(detail: "no thread or no libcurl") }
    let startedAt = ContinuousClock.now
    let id = lastID.withLock { last in
      last += 1
      return last
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (reply: TransferReply) in
        let order = TransferOrder(
          id: id, load: load, ways: ways, startedAt: startedAt, reply: reply)
        queue.post(.begin(order))
        // A cancellation before this line may have found nothing to cancel.
        if Task.isCancelled { queue.post(.cancel(id: id)) }
      }
    } onCancel: {
      queue.post(.cancel(id: id))
    }
    return try result.get()
  }
}
