import HTTPSending
import ShiftDomain

/// The current activity of a phone, for progress output.
package struct Activity: Sendable, Equatable {
  /// The phone's name in the script.
  package var phone: String
  /// The step or progress.
  package var text: String
}

/// Plays a script's phones against a server.
package struct Replay: Sendable {
  private let script: Script
  private let recordings: [String: Recording]
  private let memory: Memory
  private let client: PhoneClient
  private let onActivity: @Sendable (Activity) -> Void

  /// - Parameters:
  ///   - recordings: Every recording that the script names, by that name.
  ///   - memory: The phones' state from earlier runs.
  ///   - server: Such as `http://127.0.0.1:8080`, without a path.
  ///   - onActivity: Receives the activities; called from any thread.
  package init(
    _ script: Script, recordings: [String: Recording], memory: Memory, server: String,
    sender: HTTPSender, timing: Timing = .real,
    onActivity: @escaping @Sendable (Activity) -> Void = { _ in }
  ) {
    self.script = script
    self.recordings = recordings
    self.memory = memory
    self.onActivity = onActivity
    client = PhoneClient(server: server, sender: sender, timing: timing)
  }

  /// Plays the script to its end. A phone whose step gets no response or is impossible does nothing
  /// for the rest of the script.
  /// - Returns: The outcome of each step that was tried, in the order of the script's lines.
  package func run() async throws(MemoryFault) -> [Outcome] {
    var outcomes: [Outcome] = []
    var stopped: Set<String> = []
    for stage in script.stages {
      switch stage {
      case .pause(let span):
        await client.timing.wait(span)
      case .together(let parts):
        let willing = parts.filter { !stopped.contains($0.phone) }
        let results = await together(willing)
        for result in results {
          let part = try result.get()
          outcomes += part
          if let last = part.last, last.failure != nil { stopped.insert(last.phone) }
        }
      }
    }
    return outcomes.sorted { $0.line < $1.line }
  }

  private func together(_ parts: [Part]) async -> [Result<[Outcome], MemoryFault>] {
    await withTaskGroup(of: Result<[Outcome], MemoryFault>.self) { group in
      for part in parts {
        group.addTask {
          do throws(MemoryFault) {
            return .success(try await play(part))
          } catch {
            return .failure(error)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func play(_ part: Part) async throws(MemoryFault) -> [Outcome] {
    var phone = Phone(
      name: part.phone, client: client, recordings: recordings, onActivity: onActivity,
      memory: await memory.recall(part.phone))
    var outcomes: [Outcome] = []
    for step in part.steps {
      let outcome = await phone.perform(step)
      outcomes.append(outcome)
      if let memory = phone.memory { try await self.memory.keep(memory, of: part.phone) }
      if outcome.failure != nil { break }
    }
    return outcomes
  }
}
