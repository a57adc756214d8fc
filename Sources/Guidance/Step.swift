enum Step: UInt8, CaseIterable, Sendable {
  // Anywhere.
  case openShiftApp, returnToApp, checkAgain, updateApp, askManager
  case askAdministrator, whenUnlocked, ifNoQuestion, servicesFirst
  case sendPosition, viewOfSky, checkConnection, leaveRunning, stopSimulating, useShiftApp

  // The shift itself.
  case clockOutWhenDone, endBreakWhenDone, confirmEnd, lookAtShift, askAboutShift
  case lookAtClockIn, reviewClockAction, nothingToDo

  // iOS.
  case iosAllow, iosChangeToAlways
  case iosAppPage, iosAppPageByPrivacy, iosAppPageByPrivacyOld, iosChooseAlways
  case iosServices, iosServicesOld, iosPrecise, iosScreenTime
  case iosBackgroundRefresh, iosLowPower, iosNotifications, iosClock

  // Android.
  case androidAllow, androidAllowAllTheTime, androidAllowWhileUsing, androidThenAllTheTime
  case androidAppPage, androidAppPageOld, samsungAppPage, xiaomiAppPage
  case androidChooseAllow, androidChooseAllTheTime
  case androidServices, androidPrecise
  case androidBattery, androidBatteryOld, samsungBattery, xiaomiBattery, androidUnused
  case androidPowerSave, androidNotifications, androidClock, androidMock

  // A page in a browser.
  case webOpen, webUpdate, webReload, webKeepOpen
  case webAllow, webSiteSettings, webAllowLocation, webAllowNotifications

  // An unknown system.
  case anyAllow, anyFindApp, anyAlways, anyServices, anyPrecise, anyBattery, anyBackground
  case anyPowerSave, anyNotifications, anyClock
}
