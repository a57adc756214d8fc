import CommandParsing
import Foundation
import Glibc
import HTTPSending
import PhoneSimulation

/// `guardsim replay`: reads everything first, so that an error in the last line is found before the
/// first phone sends a request.
func replay(
  _ command: ParsedCommand, environment: [String: String]
) async throws(Complaint) -> (text: String, isGood: Bool) {
  let path = command.string("script") ?? ""
  let script = try readScript(path, variables: environment)
  let recordings = try readRecordings(
    script.recordings, in: URL(fileURLWithPath: path).deletingLastPathComponent())
  let server = try serverAddress(command.string("server") ?? "")
  let isWatched = isatty(STDERR_FILENO) == 1
  let outcomes: [Outcome]
  do throws(MemoryFault) {
    let replay = Replay(
      script, recordings: recordings, memory: try Memory(path: command.string("state")),
      server: server, sender: HTTPSender(connectionsMax: min(max(script.phones.count, 1), 64)),
      onActivity: { if isWatched { show($0) } })
    outcomes = try await replay.run()
  } catch {
    throw Complaint(ending: .badState, message: "\(error)")
  }
  if isWatched { writeError("\r\u{1B}[K") }
  let text =
    command.flag("json")
    ? jsonReport(outcomes) : textReport(outcomes, quiet: command.flag("quiet"))
  return (text, outcomes.allSatisfy(\.isGood))
}

private func readScript(
  _ path: String, variables: [String: String]
) throws(Complaint) -> Script {
  guard let file = FileHandle(forReadingAtPath: path),
    let bytes = try? file.read(upToCount: Script.bytesMax + 1) ?? Data(),
    let text = String(bytes: bytes, encoding: .utf8)
  else { throw Complaint(ending: .badInput, message: "the script `\(path)` cannot be read") }
  do throws(ScriptFault) {
    return try Script(parsing: text, variables: variables)
  } catch {
    throw Complaint(ending: .badInput, message: "`\(path)`: \(error)")
  }
}

private func readRecordings(
  _ names: [String], in folder: URL
) throws(Complaint) -> [String: Recording] {
  var recordings: [String: Recording] = [:]
  for name in names {
    do throws(RecordingFault) {
      let path = URL(fileURLWithPath: name, relativeTo: folder).path
      recordings[name] = try Recording(gpxFile: path, name: name)
    } catch {
      throw Complaint(ending: .badInput, message: "\(error)")
    }
  }
  return recordings
}

/// The URL without a slash at its end.
func serverAddress(_ text: String) throws(Complaint) -> String {
  guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
    let message = "`--server` cannot be `\(text)`: write `http://127.0.0.1:8080`"
    throw Complaint(ending: Ending(status: usageStatus), message: message)
  }
  return text.hasSuffix("/") ? String(text.dropLast()) : text
}

/// Shows one line on a terminal, overwritten by the next.
private func show(_ activity: Activity) {
  writeError("\r\u{1B}[K" + "\(activity.phone): \(activity.text)".prefix(78))
}

private func writeError(_ text: some StringProtocol) {
  FileHandle.standardError.write(Data(text.utf8))
}
