/// Eight times the value between `a` and `b`, which are 0…4095, where `b` weighs `weight` eighths. A step of the loops on
/// 16-bit lanes.
@inline(__always)
func between(_ a: Int16, _ b: Int16, _ weight: Int16) -> Int16 { a &* 8 &+ (b &- a) &* weight }
