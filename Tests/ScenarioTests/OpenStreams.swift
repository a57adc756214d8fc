import DeviceAPI
import HTTPServing
import JSONText
import Lifecycle
import Postgres
import ShiftDomain
import ShiftTestKit
import TestKit

/// The open streams of devices, and the last notification that each one got.
final class OpenStreams: Sendable {
  let service: NotificationStreams

  private let pool: Pool
  private let looks: Looks
  private let post: RecordedPost
  private let open = Lock<[Recipient: Listening]>([:])

  private struct Listening {
    var number: Int32
    /// The employee's newest notification at the start: it may have been read before.
    let former: Int32
    let closing: WakeSignal
  }

  init(operations: TestOperations, pool: Pool, post: RecordedPost) {
    (self.pool, self.post) = (pool, post)
    let polls = RecordedPolls()
    looks = polls.ended
    var pace = NotificationStreams.Pace()
    // No phone may lose its connection while the clock is moved.
    pace.lease = .hours(24 * 365)
    pace.poll = .seconds(3_600)
    service = NotificationStreams(
      operations: operations.device, pace: pace,
      monitor: polls.monitor)
  }

  /// The number of the notification that a device read last; `nil` if it has no stream.
  func last(of recipient: Recipient) -> Int32? { open.withLock { $0[recipient]?.number } }

  /// Reads a stream until it is closed.
  func listen(
    to stream: AsyncStream<[UInt8]>, as recipient: Recipient, in group: inout TaskGroup<Void>
  ) async throws {
    let closing = WakeSignal()
    let former = try await newest()[recipient.employee] ?? 0
    open.withLock {
      $0[recipient] = Listening(number: 0, former: former, closing: closing)
    }
    group.addTask {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await bytes in stream { self.take(bytes, for: recipient) }
        }
        group.addTask { await closing.wait(atMost: .seconds(3_600)) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  /// Closes a device's stream, if it has one; returns the last notification that it read.
  func close(_ recipient: Recipient) async throws -> Int32? {
    guard let listening = open.withLock({ $0.removeValue(forKey: recipient) }) else { return nil }
    let count = service.count
    listening.closing.signal()
    for _ in 0..<100 where service.count == count { await Task.yield() }
    try await waitUntilRead()
    return listening.number
  }

  /// Changes of state are no notifications.
  private func take(_ bytes: [UInt8], for recipient: Recipient) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.range(of: "data: ")?.upperBound,
      let event = try? JSONValue(parsing: Array(text[start...].utf8)),
      case .integer(let number) = event["notification"]
    else { return }
    post.add(event, to: recipient)
    open.withLock { $0[recipient]?.number = Int32(clamping: number) }
  }

  /// Waits until all streams have sent what is in their inboxes, and this is recorded.
  func waitUntilRead() async throws {
    guard service.count > 0 || open.withLock({ !$0.isEmpty }) else { return }
    for count in 1...50 {
      await reload()
      let newest = try await newest()
      let isRead = open.withLock { open in
        open.allSatisfy { recipient, listening in
          let last = newest[recipient.employee] ?? 0
          return listening.number >= last || listening.former == last && count > 2
        }
      }
      if isRead { break }
    }
    await reload()
  }

  /// Waits for a poll of the database that began after this call.
  private func reload() async {
    for _ in 0..<2 {
      let seen = looks.count
      service.wakeSignal.signal()
      await looks.wait(beyond: seen)
    }
  }

  /// The newest notification of each employee.
  private func newest() async throws -> [Int32: Int32] {
    try await pool.read { (session) throws(PostgresError) in
      let rows = try session.run(
        "SELECT employee_id, max(notification_no) FROM inbox GROUP BY employee_id")
      var newest: [Int32: Int32] = [:]
      for row in 0..<rows.count { newest[try rows.value(row, 0)] = try rows.value(row, 1) }
      return newest
    }
  }
}
