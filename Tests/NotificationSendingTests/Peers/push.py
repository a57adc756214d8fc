async def start(files):
    return 0
