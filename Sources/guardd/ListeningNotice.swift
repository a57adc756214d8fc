import HTTPServing
import Lifecycle
import SystemCalls
import Telemetry

/// Logs where guardd listens, as a service: only then are signals handled, and a program that
/// waits for the line may stop guardd at once.
struct ListeningNotice: Service {
  let address: ListenAddress
  let log: Log

  func run() async {
    log.info("listening", ["address": address])
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
  }
}
