print("guardd: not built yet")
