import ClientTransport
import CommandParsing
import Foundation
import Glibc
import GuardClient
import HTTPSending
import PhoneSimulation
import ShiftDomain

private let command = Command(
  "guardphone", "a phone on the terminal, with the client library",
  options: [
    .text("server", "server URL", default: "http://127.0.0.1:8080"),
    .text("code", "enrolment code, or the link with it; needed once"),
    .path("folder", "existing folder of this phone: token and queue", required: true),
    .integer("every", "seconds between two points; by default as the server says", in: 0...3_600),
  ],
  arguments: [.path("track", "GPX file to walk along")],
  footer: """
    Clocks in, walks along the track and clocks out at its end. Meanwhile, a letter and Enter:
    d, w, a: deny location, while in use, always; b, e: begin, end a break; o: clock out.
    """)

@main struct Guardphone {
  static func main() async {
    // Its files contain a token: nobody else may read them, from the first byte.
    umask(0o077)
    switch command.parse(Array(CommandLine.arguments.dropFirst()), environment: [:]) {
    case .help(let text): say(text)
    case .failure(let message): end(usageStatus, message)
    case .run(let command):
      do { exit(try await run(command) ? 0 : 1) } catch { end(65, "\(error)") }
    }
  }

  private static func run(_ command: ParsedCommand) async throws -> Bool {
    let (folder, track) = (command.string("folder") ?? "", command.string("track") ?? "")
    let location = PlayedLocation(try Recording(gpxFile: track, name: track))
    let phone = PhoneDescription(platform: .ios, systemVersion: "18.1", app: "guardphone")
    let session = try GuardSession(
      GuardSettings(folder: folder, phone: phone, policy: .policy(of: .standard)),
      location: location, tokens: FileTokens(path: folder + "/token"),
      transport: HTTPTransport(
        server: command.string("server") ?? "", sender: HTTPSender(connectionsMax: 2)))
    if let code = command.string("code")?.split(separator: "#").last {
      let enrolment = try await session.enrol(code: String(code))
      say("enrolled as phone \(enrolment.device) of employee \(enrolment.employee)")
      if let notice = enrolment.privacyNotice { say(notice) }
    }
    let app = TerminalPhone(session: session, location: location, every: command.int("every"))
    return try await app.work()
  }
}

/// Writes a line at once, even if the output is a file.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

private func end(_ status: Int32, _ message: String) -> Never {
  FileHandle.standardError.write(Data("guardphone: \(message)\n".utf8))
  exit(status)
}
