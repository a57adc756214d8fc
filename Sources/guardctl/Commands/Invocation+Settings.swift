import CommandParsing
import Foundation
import ServiceSettings

extension Invocation {
  /// The settings that a `guardd` with this environment and the file of this machine would have.
  var serviceSettings: ReadSettings? {
    let hasFile = FileManager.default.isReadableFile(atPath: settingsFile)
    let arguments = hasFile ? ["--config", settingsFile] : []
    let outcome = serviceCommand.readSettings(arguments, environment: environment) { path in
      FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }
    guard case .read(let settings) = outcome else { return nil }
    return settings
  }
}
