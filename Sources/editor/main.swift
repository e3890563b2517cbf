print("editor")
