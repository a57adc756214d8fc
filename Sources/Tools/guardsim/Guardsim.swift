import CommandParsing
import Foundation
import Glibc

/// The program: parses the command line, runs the command and exits.
@main struct Guardsim {
  static func main() async {
    // Files of this program contain tokens: nobody else may read them, from the first byte.
    umask(0o077)
    let environment = ProcessInfo.processInfo.environment
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch commandTree.parse(arguments, environment: environment) {
    case .help(let text): end(.good, saying: text)
    case .failure(let message): end(Ending(status: usageStatus), complaining: message)
    case .run(let command) where command.path == ["language"]:
      end(.good, saying: languageText)
    case .run(let command) where command.path == ["bench-rules"]:
      let result = benchRules(command)
      end(result.isGood ? .good : .notAsExpected, saying: result.text)
    case .run(let command) where command.path == ["rules"]:
      let result = await simulateRules(command)
      end(result.isGood ? .good : .notAsExpected, saying: result.text)
    case .run(let command):
      do throws(Complaint) {
        let result =
          command.path == ["load"]
          ? try await load(command) : try await replay(command, environment: environment)
        end(result.isGood ? .good : .notAsExpected, saying: result.text)
      } catch {
        end(error.ending, complaining: error.message)
      }
    }
  }

  private static func end(_ ending: Ending, saying text: String) -> Never {
    FileHandle.standardOutput.write(Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
    exit(ending.status)
  }

  private static func end(_ ending: Ending, complaining message: String) -> Never {
    FileHandle.standardError.write(Data("guardsim: \(message)\n".utf8))
    exit(ending.status)
  }
}

/// The exit status.
struct Ending {
  var status: Int32

  /// Everything was as expected.
  static let good = Ending(status: 0)
  /// Something was not as expected.
  static let notAsExpected = Ending(status: 1)
  /// The script, a recording or a token is invalid. `EX_DATAERR` in sysexits.h.
  static let badInput = Ending(status: 65)
  /// The state file or the database cannot be used. `EX_IOERR` in sysexits.h.
  static let badState = Ending(status: 74)
}

/// Why a command failed.
struct Complaint: Error {
  var ending: Ending
  var message: String
}
