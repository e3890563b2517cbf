internal import EditorCLI

EditorCommand.main()
