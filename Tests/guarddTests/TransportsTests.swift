import Lifecycle
import NotificationSending
import ServiceSettings
import ShiftDomain
import Testing

@testable import guardd

@Suite("A channel") struct TransportsTests {
  @Test("is retried with growing, bounded delays or as it asks", arguments: Channel.allCases)
  func delays(_ channel: Channel) {
    let channels = TransportSwitch(
      ChannelSettings(), clock: SendingClock(now: { Instant(milliseconds: 0) })
    ).channels
    let delays = (1...20).map { channels.retryDelay(channel, $0, nil, 0) }
    #expect(delays == delays.sorted() && delays[0] >= .seconds(1))
    #expect(delays[19] <= .seconds(24 * 3_600))
    #expect(channels.retryDelay(channel, 1, .seconds(77), 0) == .seconds(77))
  }

  @Test("that is not set up answers a test e-mail at once")
  func withoutMail() async {
    let transports = TransportSwitch(
      ChannelSettings(), clock: SendingClock(now: { Instant(milliseconds: 0) }))
    let result = await transports.sendTestMail(to: "mira@example.com")
    #expect(result == .failed(reason: "e-mail is not set up"))
    #expect(transports.setup.details == [.webhook: "public addresses"])
  }
}
