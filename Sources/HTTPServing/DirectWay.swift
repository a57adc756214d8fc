/// A shorter way through one route: called on the thread of the connection, without a task, and
/// without a copy of the request. Whatever is unusual it declines, having done nothing; the route's
/// handler answers then.
public struct DirectWay: Sendable {
  public enum Outcome: Sendable { case taken, declined }

  /// `taken`: the ticket is answered exactly once, now or later, from any thread. The bytes are
  /// those of the header field's value and of the body, and only there during the call.
  public typealias Take =
    @Sendable (
      _ authorization: Span<UInt8>, _ body: Span<UInt8>, _ ticket: ReplyTicket
    ) -> Outcome

  public let method: HTTPMethod
  /// The exact target of its requests, without a query.
  public let path: String
  public let take: Take

  /// The maximum number of bytes in a body.
  static let bodyMax = Route.unaskedBodyMax

  /// What a header field means for a request that might go this way: it needs exactly one
  /// `Authorization`, and none that asks for more than an answer to plain bytes.
  enum Field { case authorization, unusual, other }

  static func field(named name: Span<UInt8>) -> Field {
    switch name.count {
    case 6 where name.isFieldName("expect"): .unusual
    case 11 where name.isFieldName("traceparent"): .unusual
    case 13 where name.isFieldName("authorization"): .authorization
    case 16 where name.isFieldName("content-encoding"): .unusual
    default: .other
    }
  }
}

extension Span<UInt8> {
  /// Whether it is `name`, which is in lower case and as long, regardless of ASCII case.
  fileprivate func isFieldName(_ name: String) -> Bool {
    var place = 0
    for byte in name.utf8 {
      guard self[place].lowercased == byte else { return false }
      place += 1
    }
    return true
  }
}

/// A request that waits for its answer.
public struct ReplyTicket: Sendable {
  private enum Destination: Sendable {
    case loop(Mailbox<LoopMessage>, LoopMessage.ExchangeID)
    case task(CheckedContinuation<HTTPResponse?, Never>)
  }

  /// When the last byte of the request had been read.
  public let receivedAt: ContinuousClock.Instant
  private let destination: Destination
  private var finish: Route.Finish?

  init(
    receivedAt: ContinuousClock.Instant, _ id: LoopMessage.ExchangeID,
    answering mailbox: Mailbox<LoopMessage>
  ) {
    self.receivedAt = receivedAt
    destination = .loop(mailbox, id)
  }

  fileprivate init(
    receivedAt: ContinuousClock.Instant, resuming task: CheckedContinuation<HTTPResponse?, Never>
  ) {
    self.receivedAt = receivedAt
    destination = .task(task)
  }

  /// The same ticket, whose answer passes `finish` on its way.
  func finishing(_ finish: @escaping Route.Finish) -> ReplyTicket {
    var ticket = self
    ticket.finish = finish
    return ticket
  }

  /// Sends the answer. It is dropped if the client has gone, or was answered at the deadline.
  public func answer(_ response: HTTPResponse) {
    let response = finish.map { finish in finish(response, receivedAt) } ?? response
    switch destination {
    case .loop(let mailbox, let id): mailbox.post(.reply(id, response))
    case .task(let task): task.resume(returning: response)
    }
  }

  /// Has a task of its own answer, for answers that need more than the usual ones. Nothing cancels
  /// it.
  public func answer(by work: @escaping @Sendable (ReplyTicket) async -> Void) {
    RequestTask.answer(self, by: work)
  }
}

extension DirectWay {
  /// The response to `request`, if a server would offer it to this way and this way takes it.
  func respond(to request: HTTPRequest) async -> HTTPResponse? {
    guard method == request.method, path == request.path, request.query.isEmpty,
      (1...Self.bodyMax).contains(request.body.count),
      let authorization = request.headers.onlyAuthorization
    else { return nil }
    return await withCheckedContinuation { task in
      let ticket = ReplyTicket(receivedAt: request.receivedAt, resuming: task)
      if take(authorization.span, request.body.span, ticket) == .declined {
        task.resume(returning: nil)
      }
    }
  }
}

extension HTTPHeaders {
  /// The bytes of the only `Authorization`; `nil` also if there is an unusual field.
  fileprivate var onlyAuthorization: [UInt8]? {
    var found: [UInt8]?
    for (name, value) in fields {
      switch DirectWay.field(named: Array(name.utf8).span) {
      case .unusual: return nil
      case .authorization:
        guard found == nil else { return nil }
        found = Array(value.utf8)
      case .other: break
      }
    }
    return found
  }
}
