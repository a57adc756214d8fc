import BackgroundOperations
import Lifecycle
import NotificationSending
import OperationCore
import ShiftDomain

/// Processes one employee's notifications: decide, send, store the results, and again until nothing
/// is due.
struct DeliveryClerk: Sendable {
  let operations: BackgroundOperations
  let channels: Channels
  let meter: DeliveryMeter
  let breakers: Breakers
  private let decisions: SharedDecisions

  /// A channel that has not answered by then may have accepted the notification.
  private static let answerMax: Duration = .seconds(90)
  /// How often storing a result is tried, a second apart.
  private static let recordsMax = 20

  init(operations: BackgroundOperations, channels: Channels, meter: DeliveryMeter) {
    (self.operations, self.channels, self.meter) = (operations, channels, meter)
    breakers = Breakers()
    decisions = SharedDecisions(operations, breakers)
  }

  /// Well before the lease ends.
  private var heartbeat: Duration {
    .milliseconds(operations.notificationLease.milliseconds / 3)
  }

  /// Works until nothing is due about `employee`, or its task is cancelled; deliveries in progress
  /// are then completed and stored.
  func work(for employee: EmployeeID) async {
    guard !Task.isCancelled else { return }
    var sendings = await decide(employee, after: [])
    while !sendings.isEmpty {
      let results = await shielded { [sendings] in await send(sendings) }
      guard !Task.isCancelled else { return await shielded { await record(results) } }
      sendings = await decide(employee, after: results)
    }
  }

  /// Decides, and stores the results of deliveries.
  private func decide(_ employee: EmployeeID, after results: [SendingResult]) async -> [Sending] {
    do throws(OperationError) {
      return try await decisions.sendings(for: DeliveryTurn(of: employee, after: results))
    } catch {
      // Another worker may hold the lease now; the result is stored all the same.
      if !results.isEmpty { await shielded { await record(results) } }
      guard !Task.isCancelled else { return [] }
      meter.polls.fail("\(error)")
      if !error.isUnavailable { await postpone(employee, "\(error)") }
      return []
    }
  }

  private func record(_ results: [SendingResult]) async {
    for _ in 0..<Self.recordsMax {
      do throws(OperationError) {
        return try await operations.record(results)
      } catch {
        meter.polls.fail("\(error)")
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }

  private func postpone(_ employee: EmployeeID, _ reason: String) async {
    do throws(OperationError) {
      try await operations.postpone(employee, reason: reason)
    } catch {
      meter.polls.fail("\(error)")
    }
  }

  /// Sends all at once, and renews their leases meanwhile.
  private func send(_ sendings: [Sending]) async -> [SendingResult] {
    await withTaskGroup(of: SendingResult?.self) { group in
      for sending in sendings { group.addTask { await send(sending) } }
      group.addTask {
        while true {
          do { try await Task.sleep(for: heartbeat) } catch { return nil }
          await renewLeases(of: sendings)
        }
      }
      var results: [SendingResult] = []
      for await result in group {
        if let result { results.append(result) }
        if results.count == sendings.count { group.cancelAll() }
      }
      return results
    }
  }

  /// A lease that could not be renewed may run out: another worker may then send a second time.
  private func renewLeases(of sendings: [Sending]) async {
    do throws(OperationError) {
      try await operations.hold(sendings)
    } catch {
      meter.polls.fail("a lease was not renewed: \(error)")
    }
  }

  private func send(_ sending: Sending) async -> SendingResult {
    let outcome = await withTaskGroup(of: SendOutcome.self) { group in
      group.addTask {
        await channels.send(
          OutgoingNotification(sending, pages: channels.pages()), sending.address)
      }
      group.addTask {
        do { try await Task.sleep(for: Self.answerMax) } catch {}
        return .unknown(reason: "no answer in time")
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .unknown(reason: "not sent")
    }
    let channel = sending.address.channel
    let change = breakers.note(outcome, on: channel)
    let result = result(of: sending, outcome)
    meter.sent(channel, result.outcome)
    if let change { meter.log(change, of: channel, result) }
    return result
  }

  private func result(of sending: Sending, _ outcome: SendOutcome) -> SendingResult {
    func later(_ outcome: DeliveryOutcome, _ reason: String, _ after: Duration? = nil)
      -> SendingResult
    {
      let delay = channels.retryDelay(
        sending.address.channel, Int(sending.attempt.number), after, .random(in: 0..<1))
      return SendingResult(
        of: sending, outcome, reason: reason, retryAfter: TimeSpan(roundingUp: delay))
    }
    switch outcome {
    case .accepted(let reference):
      return SendingResult(of: sending, .accepted, reference: reference)
    case .retry(let reason, let after): return later(.retry, reason, after)
    case .unknown(let reason): return later(.unknown, reason)
    case .addressGone(let reason, let at):
      return SendingResult(of: sending, .addressGone, reason: reason, goneAt: at)
    case .refused(let reason): return SendingResult(of: sending, .refused, reason: reason)
    // The circuit breaker decides for how long.
    case .misconfigured(let reason):
      return SendingResult(of: sending, .misconfigured, reason: reason)
    }
  }
}
