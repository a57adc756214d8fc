def prepare(files):
    pass


def answer(connection, headers, body):
    pass
