import CommandParsing
import Lifecycle
import NotificationSending
import ServiceSettings
import Telemetry

/// Reads the settings again when asked to, and applies those that may change in a running service.
/// If anything is wrong with them, nothing changes.
final class SettingsReload: Service {
  /// Those that may change; their files may change without a change of the path.
  private static let applied = ["channels", "log-level"]

  private let read: @Sendable () -> Order
  private let current: Lock<(settings: Settings, read: ReadSettings)>
  private let madeWebPush: WebPushSettings?
  private let log: Log
  private let requests: AsyncStream<Void>
  private let apply: @Sendable (Settings) async -> Void

  /// - Parameter madeWebPush: In use while no key of Web Push is configured.
  init(
    _ settings: Settings, _ first: ReadSettings, _ madeWebPush: WebPushSettings?, log: Log,
    at requests: AsyncStream<Void>, read: @escaping @Sendable () -> Order,
    apply: @escaping @Sendable (Settings) async -> Void
  ) {
    current = Lock((settings, first))
    self.madeWebPush = madeWebPush
    self.log = log
    self.requests = requests
    self.read = read
    self.apply = apply
  }

  func run() async {
    for await _ in requests { await reload() }
  }

  private func reload() async {
    switch read() {
    case .print: return
    case .refuse(let faults):
      for fault in faults { log.error("settings not reloaded", ["reason": fault]) }
    case .serve(var settings, let read):
      settings.channels.webPush = settings.channels.webPush ?? madeWebPush
      let late = current.withLock { current in
        let late = Settings.command.options.map(\.name).filter {
          !Self.applied.contains($0) && current.read.differs(from: read, in: $0)
        }
        let mustRestart =
          late + settings.channels.keepPushKey(of: current.settings.channels)
        current.settings = settings
        return mustRestart
      }
      await apply(settings)
      for name in late {
        log.warning("setting takes effect after a restart", ["setting": name])
      }
      log.info("settings reloaded", ["channels": settings.channels.names.joined(separator: " ")])
    }
  }
}

extension ReadSettings {
  fileprivate func differs(from other: ReadSettings, in name: String) -> Bool {
    values.strings(name) != other.values.strings(name)
      || values.flag(name) != other.values.flag(name)
  }
}

extension ChannelSettings {
  /// Browsers have subscribed with the old key, and the page for employees offers it: it stays
  /// until the next start.
  /// - Returns: The settings that therefore take effect later.
  fileprivate mutating func keepPushKey(of old: ChannelSettings) -> [String] {
    guard pushKey != old.pushKey else { return [] }
    webPush = old.webPush
    return ["channels: webPush"]
  }
}
