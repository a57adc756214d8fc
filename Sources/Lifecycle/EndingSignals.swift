internal import Glibc

/// Runs an act before SIGINT, SIGTERM or SIGHUP ends the process, for as long as this exists. For
/// what the process must not leave behind, such as a terminal in another mode.
public struct EndingSignals: ~Copyable {
  private let signals: StopSignals

  /// Returns when the signals are handled; an earlier one ends the process.
  /// - Parameter act: Runs on a thread of its own, whatever the others wait for. The process then
  ///   ends with the status that a shell gives for the signal.
  public init(_ act: @escaping @Sendable () -> Void) async {
    signals = await StopSignals(
      [SIGINT, SIGTERM, SIGHUP],
      onFirst: { number in
        act()
        StopSignals.endProcess(number)
      }, onSecond: StopSignals.endProcess)
  }
}
