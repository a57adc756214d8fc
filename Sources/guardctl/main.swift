print("guardctl: not built yet")
