/// The looks that come with the editor.
public enum LookName: String, Sendable, CaseIterable {
    /// Daylight through a clean window: a little more contrast and colour.
    case clear
    /// Strong colours, deep shadows.
    case vivid
    /// The last hour of sun.
    case golden
    /// Ice and shade.
    case arctic
    /// Teal shadows against warm skin.
    case tealOrange
    /// Matt: black is dark grey, colours rest.
    case faded
    /// A print that has hung in the sun.
    case vintage
    /// A breath of pink.
    case rose
    /// Hard black and white.
    case noir
    /// Soft black and white with a cool base.
    case silver

    var recipe: LookRecipe {
        switch self {
        case .clear: LookRecipe(balance: [1.01, 1.01, 1.02, 1], contrast: 0.6, saturation: 1.12)
        case .vivid: LookRecipe(contrast: 1.1, saturation: 1.35, shadows: [-0.01, -0.01, 0, 0])
        case .golden:
            LookRecipe(
                balance: [1.06, 1.0, 0.87, 1], contrast: 0.4, saturation: 1.08, shadows: [0.02, 0.005, -0.01, 0],
                highlights: [0.025, 0.012, -0.03, 0])
        case .arctic:
            LookRecipe(
                balance: [0.94, 1.0, 1.07, 1], contrast: 0.5, saturation: 0.85, shadows: [-0.02, 0.005, 0.035, 0],
                highlights: [0, 0.008, 0.01, 0])
        case .tealOrange:
            LookRecipe(
                contrast: 0.8, saturation: 1.12, shadows: [-0.06, 0.015, 0.05, 0], highlights: [0.05, 0.01, -0.055, 0])
        case .faded:
            LookRecipe(
                contrast: -0.2, saturation: 0.78, shadows: [0, 0.008, 0.02, 0], highlights: [0.01, 0.004, -0.01, 0],
                range: (0.09, 0.96))
        case .vintage:
            LookRecipe(
                balance: [1.04, 1.0, 0.86, 1], contrast: 0.3, saturation: 0.75, shadows: [0.03, 0, 0.035, 0],
                highlights: [0.02, 0.012, -0.05, 0], range: (0.05, 0.95))
        case .rose:
            LookRecipe(
                balance: [1.03, 0.985, 1.01, 1], contrast: 0.1, saturation: 0.95, shadows: [0.03, 0.002, 0.025, 0],
                highlights: [0.02, 0, 0.008, 0], range: (0.02, 1))
        case .noir: LookRecipe(grey: [0.4, 0.48, 0.12, 0], contrast: 1.7, shadows: [-0.02, -0.02, -0.02, 0])
        case .silver:
            LookRecipe(
                grey: [0.28, 0.58, 0.14, 0], contrast: 0.5, shadows: [-0.004, 0.002, 0.012, 0], range: (0.05, 0.98))
        }
    }
}
