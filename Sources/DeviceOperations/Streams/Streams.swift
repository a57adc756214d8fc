import Guidance
import NotificationQueue
import OperationCore
import Postgres
import ReadModels
import ShiftDomain
import ShiftStore

package struct StreamEvents: Sendable {
  package var stream: LiveStream
  /// The language that the phone of the stream asked for last; `nil` when it never asked for a
  /// supported one.
  package var language: Language?
  /// In order; never empty.
  package var events: [ConcernedEvent]
}

/// A notification for a stream, and the phone that its steps are for, which may be another one.
package struct ConcernedEvent: Sendable {
  package var event: StreamEvent
  package var device: DeviceDescription
  /// Whether that is the phone of the stream.
  package var isForReader: Bool
  package var report: PermissionState?
}

package struct StreamNews: Sendable {
  /// Streams that must end: the phone was revoked, or has opened another stream.
  package var lost: Set<LiveStream> = []
  /// The notifications for the other streams.
  package var batches: [StreamEvents] = []
  /// A number for the state of each employee that any change of it increments.
  package var versions: [EmployeeID: Int64] = [:]
}

package struct ShownEvent: Hashable, Sendable {
  package var event: StreamEvent
  /// The time since its evidence was read; `nil` when it was not read here.
  package var communicated: Duration?
}

extension DeviceOperations {
  /// Opens the stream of a phone, replacing any stream it has elsewhere.
  /// - Parameters:
  ///   - last: The number of the last notification the app read, which counts as shown with all
  ///     before it; `nil`: the stream begins with what no app has received.
  ///   - appSession: The app session; `nil` when the app sends none.
  ///   - lease: How long the phone counts as connected without another call of `updateStreams`.
  package func openStream(
    for credential: DeviceCredential, after last: Int32?, in appSession: String? = nil,
    lease: TimeSpan, receipt: Receipt
  ) async throws(OperationError) -> StreamPosition {
    let stream = LiveStream(of: credential.device, number: .random(in: 1...(.max)))
    let employee = credential.device.employee
    let fixedNow = core.deadlines?()
    return try await core.transact { (session) throws(PostgresError) in
      guard let inputs = try admit(credential, at: receipt.at, on: &session) else {
        return .refused(.unauthorized)
      }
      let reminder = try repeatedForSession(
        inputs.employee, on: stream.device, in: appSession, at: receipt.at, on: &session)
      if let reminder, try !reminder.claim(on: &session) { return .lost }
      let position = try position(of: employee, after: last, at: fixedNow, on: &session)
      var statements = [
        holdStream(
          of: stream.device, in: appSession, at: stream.number, for: lease, from: fixedNow),
        // A notification may have waited for this stream.
        deliverNow(notificationsOf: employee, at: fixedNow),
      ]
      if last != nil {
        let now = try outboxTime(at: fixedNow, on: &session)
        statements.append(markWritten(upTo: position, of: employee, at: now))
      }
      let counts = try session.pipeline(statements + (reminder?.statements ?? []))
      let opened = StreamPosition(stream, after: position)
      return counts[1] > 0 || reminder != nil ? .queued(opened) : .done(opened)
    }
  }

  /// The pending notifications of streams, in one query for all.
  package func news(for positions: [StreamPosition]) async throws(OperationError) -> StreamNews {
    try await core.readSnapshot { (session) throws(PostgresError) in
      let (lost, events, versions) = try NotificationQueue.news(for: positions, on: &session)
      var news = StreamNews(lost: lost, versions: versions)
      guard !events.isEmpty else { return news }
      let tracking = try trackingDevices(
        of: Set(events.map(\.stream.device.employee)).sorted(), on: &session)
      let concerned = events.map { $0.concernedDevice(tracking) }
      var known: [DeviceID: DeviceRow] = [:]
      for device in try deviceRecords(
        of: Array(Set(concerned + events.map(\.stream.device))), on: &session)
      {
        known[device.device] = device
      }
      for (event, phone) in zip(events, concerned) {
        guard let device = known[event.stream.device] else { continue }
        let event = ConcernedEvent(event, concerning: known[phone] ?? device)
        if news.batches.last?.stream == event.event.stream {
          news.batches[news.batches.count - 1].events.append(event)
        } else {
          news.batches.append(StreamEvents(event, for: device))
        }
      }
      return news
    }
  }

  /// - Parameters:
  ///   - open: Streams that continue, for `lease` from now.
  ///   - ended: Streams that have ended.
  ///   - shown: Notifications that were written to their connections.
  package func updateStreams(
    _ open: [LiveStream], lease: TimeSpan, ended: [LiveStream], shown: [ShownEvent]
  ) async throws(OperationError) {
    let fixedNow = core.deadlines?()
    let marks = shown.sorted { $0.key < $1.key }.map { shown in
      markWritten(
        shown.event.number, of: shown.event.stream.device.employee,
        communicated: shown.communicated.map { .milliseconds(Int64($0 / .milliseconds(1))) },
        at: fixedNow)
    }
    let ends = ended.sorted().map { endStream(of: $0.device, at: $0.number) }
    try await core.transact { (session) throws(PostgresError) in
      if !open.isEmpty { try session.execute(renew(open.sorted(), for: lease, at: fixedNow)) }
      try session.pipeline(marks + ends)
      return .done(())
    }
  }

  /// Records that `event` was just written to a phone's connection.
  package func shown(_ event: StreamEvent) -> ShownEvent {
    let id = NotificationID(event.notification, of: event.stream.device.employee)
    return ShownEvent(event: event, communicated: latencies.age(of: id, at: .now))
  }
}

extension ShownEvent {
  fileprivate var key: (Int32, Int32) {
    (event.stream.device.employee.rawValue, event.number)
  }
}

extension StreamEvents {
  fileprivate init(_ event: ConcernedEvent, for device: DeviceRow) {
    self.init(
      stream: event.event.stream, language: device.language.flatMap { Language(code: $0) },
      events: [event])
  }
}

extension ConcernedEvent {
  fileprivate init(_ event: StreamEvent, concerning device: DeviceRow) {
    self.init(
      event: event, device: DeviceDescription(device),
      isForReader: device.device == event.stream.device, report: device.newestReport?.state)
  }
}

extension StreamEvent {
  /// The phone that the steps are for: what is wrong with tracking is put right where the shift is
  /// tracked.
  fileprivate func concernedDevice(_ tracking: [EmployeeID: DeviceID]) -> DeviceID {
    let employee = stream.device.employee
    if let blocked = notification.blockedDevice {
      return DeviceID(employee: employee, number: blocked)
    }
    return switch notification.topic {
    case .incident, .unstable, .restored: tracking[employee] ?? stream.device
    default: stream.device
    }
  }
}
