import CLibcurl
import Lifecycle

/// Sends mails over SMTP, each on its own thread: libcurl blocks while a server processes it.
package final class MailSender: Sendable {
  private let mailsMax: Int
  private let ways: Ways
  private let underWay = Lock(0)

  /// Up to `mailsMax`, at least 1, are in progress at once; a further one fails as unreachable.
  /// `authorities` is a PEM file to trust instead of the system's certificates.
  package init(mailsMax: Int, authorities: String? = nil) {
    precondition(mailsMax > 0, "at least one mail")
    self.mailsMax = mailsMax
    ways = Ways(reach: .anywhere, authorities: authorities)
  }

  /// Sends one mail to its server and waits for the server's reply.
  /// - Throws: `SendingError`; `.unreachable` if the mail was not sent completely.
  package func send(_ mail: OutgoingMail) async throws(SendingError) -> MailReply {
    guard Ways.isReady else { throw .unsendable(detail: "no libcurl") }
    let caller = WaitingCaller()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        caller.wait(continuation)
        guard !Task.isCancelled else { return caller.resume(.failure(.cancelled)) }
        start(mail, caller)
      }
    } onCancel: {
      caller.resume(.failure(.cancelled))
    }
    let response = try result.get()
    // The reply to QUIT may follow it.
    let line = response.headers.last { $0.value.hasPrefix("\(response.status)") }
    return MailReply(status: response.status, line: line?.value ?? "")
  }

  private func start(_ mail: OutgoingMail, _ caller: WaitingCaller) {
    let hasRoom = underWay.withLock { count in
      guard count < mailsMax else { return false }
      count += 1
      return true
    }
    guard hasRoom else {
      return caller.resume(.failure(.unreachable(detail: "too many mails in progress")))
    }
    let order = TransferOrder(
      id: 0, load: .mail(mail), ways: ways, startedAt: .now, reply: { caller.resume($0) })
    let hasThread = OwnThread.start { [self] in
      perform(order)
      underWay.withLock { $0 -= 1 }
    }
    guard hasThread else {
      underWay.withLock { $0 -= 1 }
      return caller.resume(.failure(.unreachable(detail: "no thread")))
    }
  }

  /// Blocks until the server's last reply; quits after the caller has it.
  private func perform(_ order: TransferOrder) {
    guard let handle = unsafe curl_easy_init() else {
      return order.reply(.failure(.unsendable(detail: "no memory")))
    }
    do throws(SendingError) {
      let transfer = try unsafe Transfer(order, on: handle)
      transfer.finish(unsafe curl_easy_perform(handle))
      withExtendedLifetime(transfer) { unsafe curl_easy_cleanup(handle) }
    } catch {
      unsafe curl_easy_cleanup(handle)
      order.reply(.failure(error))
    }
  }
}

private final class WaitingCaller: Sendable {
  typealias Outcome = Result<IncomingResponse, SendingError>
  private let continuation = Lock<CheckedContinuation<Outcome, Never>?>(nil)

  func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func resume(_ outcome: Outcome) {
    let continuation = continuation.withLock { held in
      defer { held = nil }
      return held
    }
    continuation?.resume(returning: outcome)
  }
}
