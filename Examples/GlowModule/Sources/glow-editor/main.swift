import EditorCLI
import Glow

EditorCommand.main(modules: [GlowModule.self])
