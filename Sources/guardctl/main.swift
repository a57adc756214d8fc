import Foundation
import ShiftDomain

let program = Program(
  environment: ProcessInfo.processInfo.environment,
  executable: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0],
  now: { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) })
exit(await program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
