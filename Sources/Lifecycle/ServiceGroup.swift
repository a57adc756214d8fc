internal import Glibc

/// Runs services: started in order, stopped in reverse order, each with a deadline. It stops on a
/// signal, when a service ends, or when its task is cancelled. A service may rely on those before
/// it in the list until it has stopped.
public struct ServiceGroup: Sendable {
  private let services: [any Service]
  private let stopDeadline: Duration
  private let signals: [Int32]
  private let observe: @Sendable (LifecycleEvent) -> Void

  /// `SIGTERM`, which supervisors send, and `SIGINT`, which Ctrl-C sends.
  public static let usualSignals: [Int32] = [SIGTERM, SIGINT]

  /// - Parameters:
  /// - services: In starting order. Starting does not wait until a service is ready.
  /// - stopDeadline: For each service; then it is left behind.
  /// - signals: A second one ends the process at once, with status 128 + its number.
  /// - observe: Must return quickly.
  public init(
    _ services: [any Service], stopDeadline: Duration = .seconds(20),
    signals: [Int32] = ServiceGroup.usualSignals,
    observe: @escaping @Sendable (LifecycleEvent) -> Void = { _ in }
  ) {
    self.services = services
    self.stopDeadline = stopDeadline
    self.signals = signals
    self.observe = observe
  }

  /// Runs until stopped, and says why. May be called once per process: it owns the signals.
  public func run() async -> Ending {
    StopSignals.ignoreBrokenPipes()
    // Every service ends once and has one deadline; in addition, one signal and one cancellation.
    let (groupEvents, happened) = AsyncStream.makeStream(
      of: GroupEvent.self, bufferingPolicy: .bufferingOldest(2 * services.count + 2))
    let listener = await StopSignals(
      signals, onFirst: { happened.yield(.asked(.signal($0))) }, onSecond: StopSignals.endProcess)
    defer { withExtendedLifetime(listener) {} }
    // A separate task, because a cancelled one could not wait for the services to stop.
    let supervisor = Task { await supervise(groupEvents, happened) }
    return await withTaskCancellationHandler {
      await supervisor.value
    } onCancel: {
      happened.yield(.asked(.cancelled))
    }
  }

  private func supervise(
    _ groupEvents: AsyncStream<GroupEvent>, _ happened: AsyncStream<GroupEvent>.Continuation
  ) async -> Ending {
    var progress = GroupProgress(names: services.map(\.name))
    var iterator = groupEvents.makeAsyncIterator()
    let tasks = services.indices.map { start($0, happened) }
    while progress.reason == nil, let groupEvent = await iterator.next() {
      progress.note(groupEvent)
    }
    let reason = progress.reason ?? .cancelled
    observe(.stopping(reason))
    for index in services.indices.reversed() where !progress.isDone(index) {
      tasks[index].cancel()
      let alarm = Task { [stopDeadline] in
        try? await Task.sleep(for: stopDeadline)
        happened.yield(.overdue(index))
      }
      while !progress.isDone(index), let groupEvent = await iterator.next() {
        progress.note(groupEvent)
      }
      alarm.cancel()
      let name = services[index].name
      observe(progress.isLeftBehind(index) ? .leftBehind(service: name) : .stopped(service: name))
    }
    return Ending(reason: reason, leftBehind: progress.leftBehind)
  }

  private func start(
    _ index: Int, _ happened: AsyncStream<GroupEvent>.Continuation
  ) -> Task<Void, Never> {
    let service = services[index]
    observe(.started(service: service.name))
    return Task {
      do {
        try await service.run()
        happened.yield(.ended(index, failure: nil))
      } catch {
        happened.yield(.ended(index, failure: "\(error)"))
      }
    }
  }
}

enum GroupEvent: Sendable {
  case asked(Ending.Reason)
  case ended(Int, failure: String?)
  case overdue(Int)
}

struct GroupProgress {
  private let names: [String]
  private var ended: Set<Int> = []
  private var overdue: [Int] = []
  /// Why the group must stop; `nil` while it need not.
  private(set) var reason: Ending.Reason?

  init(names: [String]) { self.names = names }

  mutating func note(_ groupEvent: GroupEvent) {
    switch groupEvent {
    case .asked(let asked):
      reason = reason ?? asked
    case .ended(let index, let failure):
      ended.insert(index)
      reason =
        reason
        ?? failure.map { .failed(service: names[index], detail: $0) }
        ?? .returned(service: names[index])
    case .overdue(let index):
      // A deadline may fire too late; a service that stopped in time has stopped.
      if !ended.contains(index), !overdue.contains(index) { overdue.append(index) }
    }
  }

  func isDone(_ index: Int) -> Bool { ended.contains(index) || overdue.contains(index) }
  func isLeftBehind(_ index: Int) -> Bool { overdue.contains(index) }
  var leftBehind: [String] { overdue.map { names[$0] } }
}
