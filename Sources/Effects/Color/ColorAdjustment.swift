public import EditorCore

/// Exposure, contrast, colour and vignette.
///
/// Light's strength and colour are factors of linear light under the display's curve (BT.1886); tone is a curve of R′,
/// G′ and B′; saturation multiplies chroma. Stateless; not Sendable.
public final class ColorAdjustment: VideoEffect {
    public static let id = "color"
    public static let summary = "Adjusts exposure, contrast, saturation and the colour of light; adds a vignette."
    public static let example: JSONValue = ["exposure": 0.3, "contrast": 0.2, "temperature": 0.15, "vignette": 0.3]

    private let parameters: ColorParameters
    private let kernel = ResponseKernel()
    private let vignette = Vignette()
    /// What the kernel's tables hold.
    private var filled: ColorValues?

    public init(_ parameters: ColorParameters, context: EffectContext) { self.parameters = parameters }

    public func isIdentity(at time: EffectTime) -> Bool { ColorValues(parameters, at: time.seconds).areZero }

    public func process(_ frame: inout VideoFrame, at time: EffectTime) {
        var values = ColorValues(parameters, at: time.seconds)
        guard !values.areZero else { return }
        let darkening = values.vignette
        // The tables do not depend on it.
        values.vignette = 0
        if !values.keepColors, filled != values {
            kernel.tables.fill(ToneResponse(values), saturation: 1 + values.saturation)
            filled = values
        }
        frame.withPlanarPicture { picture in
            if !values.keepColors { kernel.apply(to: picture) }
            if darkening > 0 { vignette.apply(to: picture, strength: darkening) }
        }
    }
}
