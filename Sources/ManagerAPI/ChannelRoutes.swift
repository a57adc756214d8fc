import APIJSON
import HTTPAPI
import HTTPServing
import JSONText
import ManagerOperations
import ReadModels
import ShiftDomain

extension ManagerController {
  var channelRoutes: [AccessRoute] {
    [
      route(.get, "/v1/channels", .administrator) { (_, _) in
        .object(try await operations.deliveryHealth(setUp: setUpChannels()).json)
      }
    ]
  }
}
