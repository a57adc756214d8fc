import GuardClient
import Lifecycle
import ShiftDomain

/// The app: what it shows goes to the terminal, what is tapped comes from it.
struct TerminalPhone: Sendable {
  let session: GuardSession, location: PlayedLocation
  /// Seconds between two points; `nil`: as the server says.
  let every: Int?

  func work() async throws -> Bool {
    let (taps, tap) = AsyncStream.makeStream(of: String.self)
    _ = OwnThread.start { while let line = readLine() { tap.yield(line) } }
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await session.run() }
      tasks.addTask { await session.listen() }
      tasks.addTask { for await event in session.events { await show(event) } }
      try await session.report(.launch)
      _ = await session.refresh()
      let isIn = try await clockIn(taps)
      if isIn {
        tasks.addTask { for await letter in taps { try await act(on: letter) } }
        try await walk()
        _ = try await session.clockOut()
        for _ in 0..<9 where await session.waiting > 0 { try await Task.sleep(for: .seconds(1)) }
        say("\(await session.waiting) records wait for the server")
      }
      await session.close()
      tasks.cancelAll()
      return isIn
    }
  }

  private func clockIn(_ taps: AsyncStream<String>) async throws -> Bool {
    var step = try await session.beginClockIn()
    while !step.isEnd {
      say("- \(step)")
      switch step {
      case .dialog(let dialog):
        await location.become(dialog == .foreground ? .whenInUse : .always)
        step = try await session.dialogClosed()
      case .away:
        say("a: allow it in the settings; anything else: give up")
        let isAllowed = await taps.first { _ in true } == "a"
        if isAllowed { await location.become(.always) }
        step = try await session.answerClockIn(isAllowed ? .returned : .cancel)
      default: step = try await session.answerClockIn(.proceed)
      }
    }
    guard case .clockIn = step else { return false }
    say("clock-in stored")
    return true
  }

  /// To the end of the track, or to a clock-out.
  private func walk() async throws {
    var count = 0
    while await !location.isAtEnd {
      var pause = TimeSpan.seconds(Int64(every ?? 1))
      if every == nil { pause = try await session.track() ?? pause }
      if every != nil, await session.isTracking, let fix = await location.currentFix() {
        try await session.record(fix)
        count += 1
        say("recorded \(count)")
      }
      try await Task.sleep(for: .milliseconds(pause.milliseconds))
    }
  }

  private func act(on letter: String) async throws {
    switch letter {
    case "b": _ = try await session.startBreak()
    case "e": _ = try await session.endBreak()
    case "o": await location.end()
    case "d", "w", "a":
      await location.become(letter == "a" ? .always : letter == "w" ? .whenInUse : .denied)
      try await session.report(.change)
    default: break
    }
  }

  private func show(_ event: ClientEvent) async {
    switch event {
    case .status(let status):
      say("  state \(status.trackingState ?? "unknown") \(status.guidance?.banner?.title ?? "")")
      if status.guidance?.banner != nil { await session.note(.indicatorShown) }
    case .clockAction(_, let kind, .recorded): say("  \(kind) recorded")
    case .clockAction(_, let kind, .kept(let reason, _)): say("  \(kind) waits: \(reason)")
    case .clockAction(_, let kind, .refused(let problem)):
      say("  \(kind) refused: \(problem.detail ?? problem.code)")
      if kind == .clockIn { await location.end() }
    case .notification(let notification): say("! \(notification.title): \(notification.body)")
    case .tracking: break
    default: say("  \(event)")
    }
    guard case .clockAction(let id, .clockIn, _) = event else { return }
    await session.note(.answerShown(clockAction: id))
  }
}
