public import Guidance
import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// One stream of events that a phone has open.
public typealias LiveStream = NotificationQueue.LiveStream

/// Where in the inbox a stream is.
public typealias StreamPosition = NotificationQueue.StreamPosition

/// A message for one stream.
public typealias StreamMessage = NotificationQueue.StreamMessage

/// What there is for one stream.
public struct StreamMail: Sendable {
  /// For which.
  public var stream: LiveStream
  /// The phone, for the steps.
  public var device: DeviceDescription
  /// The language that it asked for last; `nil` when it never named one that has texts.
  public var language: Language?
  /// Its newest report; `nil` when it never reported.
  public var report: PermissionState?
  /// In order; never empty.
  public var messages: [StreamMessage]
}

/// What there is for the streams of an instance.
public struct StreamNews: Sendable {
  /// Those that are over: the phone was revoked, or has another open.
  public var lost: Set<LiveStream> = []
  /// The messages for the others.
  public var mail: [StreamMail] = []
}

/// A message that was handed to a phone's connection.
public struct ShownMessage: Hashable, Sendable {
  /// Which.
  public var message: StreamMessage
  /// How long after its evidence was read; `nil` when that was not here.
  public var communicated: Duration?
}

extension Operations {
  /// Opens the stream of a phone, in place of one that it has elsewhere.
  /// - Parameters:
  ///   - last: The number of the message that the app read last, which counts as shown with all
  ///     before it; `nil`: it begins with what no app has got.
  ///   - appSession: What the app calls its run; `nil` when it names none.
  ///   - lease: How long the phone counts as connected unless `attend` says so again.
  /// - Throws: `.unauthorized`, `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func openStream(
    for credential: DeviceCredential, after last: Int32?, in appSession: String? = nil,
    lease: TimeSpan, receipt: Receipt
  ) async throws(OperationError) -> StreamPosition {
    let stream = LiveStream(of: credential.device, number: .random(in: 1...(.max)))
    let employee = credential.device.employee
    let moved = deadlines?()
    return try await transact { (session) throws(PostgresError) in
      guard let gathered = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      let again = try tellingAgain(
        gathered.employee, on: stream.device, in: appSession, at: receipt.at, on: &session)
      if let again, try !again.claim(on: &session) { return .lost }
      let position = try position(of: employee, after: last, at: moved, on: &session)
      var statements = [
        holdStream(
          of: stream.device, in: appSession, at: stream.number, for: lease, from: moved),
        // It may have waited for just this.
        hasten(noticesOf: employee, at: moved),
      ]
      if last != nil {
        let now = try outboxTime(at: moved, on: &session)
        statements.append(markWritten(upTo: position, of: employee, at: now))
      }
      let counts = try session.pipeline(statements + (again?.statements ?? []))
      let opened = StreamPosition(stream, after: position)
      return counts[1] > 0 || again != nil ? .queued(opened) : .done(opened)
    }
  }

  /// What there is for streams: one look for all of them.
  /// - Throws: `.unavailable`, `.broken`.
  public func news(for positions: [StreamPosition]) async throws(OperationError) -> StreamNews {
    try await read { (session) throws(PostgresError) in
      let (lost, messages) = try NotificationQueue.news(for: positions, on: &session)
      var news = StreamNews(lost: lost)
      guard !messages.isEmpty else { return news }
      var known: [DeviceID: DeviceRecord] = [:]
      for device in try deviceRecords(
        of: Array(Set(messages.map(\.stream.device))), on: &session)
      {
        known[device.device] = device
      }
      for message in messages {
        if news.mail.last?.stream == message.stream {
          news.mail[news.mail.count - 1].messages.append(message)
        } else if let device = known[message.stream.device] {
          news.mail.append(StreamMail(message, for: device))
        }
      }
      return news
    }
  }

  /// Writes down what became of streams.
  /// - Parameters:
  ///   - open: Those that go on, for `lease` from now.
  ///   - ended: Those that do not.
  ///   - shown: What was handed to their connections.
  /// - Throws: `.unavailable`, `.outcomeUnknown`, `.broken`.
  public func attend(
    _ open: [LiveStream], lease: TimeSpan, ended: [LiveStream], shown: [ShownMessage]
  ) async throws(OperationError) {
    let moved = deadlines?()
    let marks = shown.sorted { $0.key < $1.key }.map { shown in
      markWritten(
        shown.message.number, of: shown.message.stream.device.employee,
        communicated: shown.communicated.map { .milliseconds(Int64($0 / .milliseconds(1))) },
        at: moved)
    }
    let ends = ended.sorted().map { endStream(of: $0.device, at: $0.number) }
    try await transact { (session) throws(PostgresError) in
      if !open.isEmpty { try session.execute(renew(open.sorted(), for: lease, at: moved)) }
      try session.pipeline(marks + ends)
      return .done(())
    }
  }

  /// Takes down that `message` was handed to a phone's connection just now.
  public func shown(_ message: StreamMessage) -> ShownMessage {
    let id = NoticeID(message.notice, of: message.stream.device.employee)
    return ShownMessage(message: message, communicated: evidence.age(of: id, at: .now))
  }
}

extension ShownMessage {
  /// The key of the row that keeps it.
  fileprivate var key: (Int32, Int32) {
    (message.stream.device.employee.rawValue, message.number)
  }
}

extension StreamMail {
  fileprivate init(_ message: StreamMessage, for device: DeviceRecord) {
    self.init(
      stream: message.stream,
      device: DeviceDescription(
        platform: device.platform, osVersion: device.osVersion, maker: device.model),
      language: device.language.flatMap { Language(code: $0) },
      report: device.newestReport?.state, messages: [message])
  }
}
