import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import NotificationOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var channelRoutes: [AccessRoute] {
    [
      route(.get, "/v1/channels", .administrator) { (_, _) in
        .object(try await operations.notifications.deliveryHealth(setUp: setUpChannels()).json)
      }
    ]
  }
}
