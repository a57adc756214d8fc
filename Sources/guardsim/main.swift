print("guardsim: not built yet")
