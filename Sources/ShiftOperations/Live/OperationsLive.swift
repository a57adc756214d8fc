public import Guidance
import NotificationQueue
import Postgres
public import ShiftDomain
import ShiftStore

/// One stream of events that a phone has open.
public typealias LiveStream = NotificationQueue.LiveStream

/// The position of a stream in the inbox.
public typealias StreamPosition = NotificationQueue.StreamPosition

/// A message for one stream.
public typealias StreamMessage = NotificationQueue.StreamMessage

/// The pending messages of one stream.
public struct StreamMail: Sendable {
  /// The stream.
  public var stream: LiveStream
  /// The phone, for the steps in the texts.
  public var device: DeviceDescription
  /// The language that it asked for last; `nil` when it never asked for a supported one.
  public var language: Language?
  /// Its newest report; `nil` without any.
  public var report: PermissionState?
  /// In order; never empty.
  public var messages: [StreamMessage]
}

/// The changes for the streams of an instance.
public struct StreamNews: Sendable {
  /// Streams that must end: the phone was revoked, or has opened another stream.
  public var lost: Set<LiveStream> = []
  /// The messages for the other streams.
  public var mail: [StreamMail] = []
}

/// A message that was written to a phone's connection.
public struct ShownMessage: Hashable, Sendable {
  /// The message.
  public var message: StreamMessage
  /// The time since its evidence was read; `nil` when it was not read here.
  public var communicated: Duration?
}

extension Operations {
  /// Opens the stream of a phone, replacing any stream it has elsewhere.
  /// - Parameters:
  ///   - last: The number of the last message the app read, which counts as shown with all before
  ///     it; `nil`: the stream begins with what no app has received.
  ///   - appSession: The app session; `nil` when the app sends none.
  ///   - lease: How long the phone counts as connected without another call of `attend`.
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
        // A notification may have waited for this stream.
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

  /// The pending messages of streams, in one query for all.
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

  /// Records the state of streams.
  /// - Parameters:
  ///   - open: Streams that continue, for `lease` from now.
  ///   - ended: Streams that have ended.
  ///   - shown: Messages that were written to their connections.
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

  /// Records that `message` was just written to a phone's connection.
  public func shown(_ message: StreamMessage) -> ShownMessage {
    let id = NoticeID(message.notice, of: message.stream.device.employee)
    return ShownMessage(message: message, communicated: evidence.age(of: id, at: .now))
  }
}

extension ShownMessage {
  /// The key of its row.
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
