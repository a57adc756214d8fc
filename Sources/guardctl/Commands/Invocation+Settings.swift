import CommandParsing
import Foundation
import ServiceSettings

extension Invocation {
  /// The settings that a `guardd` with this environment and the file of this machine would have,
  /// as they are written.
  var readSettings: ReadSettings? {
    let hasFile = FileManager.default.isReadableFile(atPath: settingsFile)
    let arguments = hasFile ? ["--config", settingsFile] : []
    let outcome = serviceCommand.readSettings(arguments, environment: environment) { path in
      NamedFiles.read(path).map { String(decoding: $0, as: UTF8.self) }
    }
    guard case .read(let settings) = outcome else { return nil }
    return settings
  }

  /// The same, checked as `guardd` does when it starts.
  var serviceSettings: InstalledSettings? {
    readSettings.map { InstalledSettings($0, file: settingsFile, credentials: credentials) }
  }

  /// Those of `guardd`, as far as this program sees them.
  private var credentials: ServiceCredentials {
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else {
      return .unseen
    }
    return .folder(folder)
  }
}

/// The settings of `guardd` on this machine.
struct InstalledSettings: Sendable {
  /// Each with its source, and all that is wrong with them.
  let read: ReadSettings
  let checked: Settings
  let file: String
  let credentials: ServiceCredentials

  init(_ read: ReadSettings, file: String, credentials: ServiceCredentials) {
    var read = read
    checked = Settings(&read, credentials: credentials)
    (self.read, self.file, self.credentials) = (read, file, credentials)
  }
}
