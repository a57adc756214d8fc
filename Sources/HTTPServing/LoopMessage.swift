internal import Lifecycle

/// A message from a task or the server to an event loop.
enum LoopMessage: Sendable {
  /// Late messages about a request that has ended are lost: the number is unique within a loop.
  struct ExchangeID: Hashable, Sendable {
    /// The place of its connection in the loop's list, where others follow it.
    let slot: Int
    let number: UInt64
  }

  /// The response. Exactly one for each handler started and each ticket taken.
  case reply(ExchangeID, HTTPResponse)
  /// Whether a long body is accepted: `nil`, or the response that refuses it.
  case judged(ExchangeID, HTTPResponse?)
  case chunk(ExchangeID, [UInt8])
  case finish(ExchangeID)
  /// The stream stays incomplete.
  case abort(ExchangeID)
  /// A step of a handler that runs on the loop's own thread.
  case job(UnownedJob)
  case drain
}

/// The only place that starts unawaited tasks, because a C callback cannot await. Each ends by
/// posting to the loop, and, but for those of tickets, is cancelled when its client is gone or its
/// deadline is over.
enum RequestTask {
  static func handle(
    _ request: HTTPRequest, as id: LoopMessage.ExchangeID, by handler: @escaping Route.Handler,
    on place: RunningPlace, answering mailbox: Mailbox<LoopMessage>
  ) -> Task<Void, Never> {
    place.start { mailbox.post(.reply(id, await handler(request))) }
  }

  static func judge(
    _ request: HTTPRequest, as id: LoopMessage.ExchangeID, by admission: @escaping Route.Admission,
    on place: RunningPlace, answering mailbox: Mailbox<LoopMessage>
  ) -> Task<Void, Never> {
    place.start { mailbox.post(.judged(id, await admission(request))) }
  }

  /// - Parameter work: Answers the ticket.
  static func answer(
    _ ticket: ReplyTicket, by work: @escaping @Sendable (ReplyTicket) async -> Void
  ) {
    Task { await work(ticket) }
  }

  static func forward(
    _ stream: AsyncStream<[UInt8]>, as id: LoopMessage.ExchangeID,
    to mailbox: Mailbox<LoopMessage>
  ) -> Task<Void, Never> {
    Task {
      for await bytes in stream { mailbox.post(.chunk(id, bytes)) }
      mailbox.post(.finish(id))
    }
  }

  /// How long a client may take to receive a piece of a file.
  private static let pieceDeadline = Duration.seconds(60)

  /// - Parameter taken: Woken whenever the client has received everything sent so far.
  static func forward(
    _ file: AsyncThrowingStream<[UInt8], any Error>, as id: LoopMessage.ExchangeID,
    taken: WakeSignal, to mailbox: Mailbox<LoopMessage>
  ) -> Task<Void, Never> {
    Task {
      do {
        for try await bytes in file where !bytes.isEmpty {
          mailbox.post(.chunk(id, bytes))
          // A client that reads nothing is dropped long before, and this task cancelled; one that
          // reads a little now and then would hold what the file needs for hours.
          let begin = ContinuousClock.now
          await taken.wait(atMost: pieceDeadline)
          try Task.checkCancellation()
          guard begin.duration(to: .now) < pieceDeadline else { throw CancellationError() }
        }
        try Task.checkCancellation()
        mailbox.post(.finish(id))
      } catch {
        mailbox.post(.abort(id))
      }
    }
  }
}
