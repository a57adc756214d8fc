import CLibcurl
import Lifecycle

/// Sends HTTP requests. Connections are kept open and shared; HTTP/2 is used where TLS offers it.
package final class HTTPSender: Sendable {
  private let queue: TransferQueue
  private let lastID = Lock<UInt64>(0)
  private let hasThread: Bool
  private let ways: Ways

  /// Up to `connectionsMax`, at least 1, are open at once; further requests wait for a free one
  /// until their deadline. `authorities` is a PEM file to trust instead of the system's
  /// certificates.
  package init(connectionsMax: Int, reach: Reach = .anywhere, authorities: String? = nil) {
    precondition(connectionsMax > 0, "at least one connection")
    let isReady = Ways.isReady
    let queue = TransferQueue()
    self.queue = queue
    ways = Ways(reach: reach, authorities: authorities)
    hasThread =
      isReady && OwnThread.start { TransferLoop(queue, connectionsMax: connectionsMax).run() }
  }

  package var connectionsOpened: Int { queue.connectionsOpened }

  deinit { queue.post(.end) }

  /// Sends one request and waits for its whole response. Redirects are not followed; a status above
  /// 399 is a response like any other. Throws `.cancelled` soon after the task is.
  package func send(_ request: OutgoingRequest) async throws(SendingError) -> IncomingResponse {
    guard hasThread else { throw .unsendable(detail: "no thread or no libcurl") }
    let startedAt = ContinuousClock.now
    let id = lastID.withLock { last in
      last += 1
      return last
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { caller in
        let order = TransferOrder(
          id: id, load: .request(request), ways: ways, startedAt: startedAt,
          reply: { caller.resume(returning: $0) })
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
