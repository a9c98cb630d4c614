import { contrast, contrastMin, pairs } from '#language/lint/theme.ts'

interface Palettes {
  dark: Readonly<Record<string, string>>
  light: Readonly<Record<string, string>>
}
/** The contrast of one colour on another. */
interface Contrast {
  text: string
  ground: string
  /** 1 to 21; null where a colour is missing or translucent. */
  ratio: number | null
  good: boolean
}

/** Contrasts of all colour pairs in use, in the order of the checks. */
export function contrastsOf(colours: Readonly<Record<string, string>>): Contrast[] {
  return pairs.map(([text, ground]) => {
    const [front, back] = [colours[text], colours[ground]]
    const solid = isSolid(front) && isSolid(back)
    const ratio = solid ? contrast(front, back) : null
    return { text, ground, ratio, good: ratio === null || ratio >= contrastMin }
  })
}
const isSolid = (colour: string | undefined): colour is string => colour !== undefined && /^#[0-9a-f]{6}$/i.test(colour)

/** A colour and its opacity: `#28ba98` and 15 % of `#28ba9826`. Undefined for other text. */
export function readColour(text: string): { solid: string; alpha: number } | undefined {
  const [, solid, alpha] = /^(#[0-9a-f]{6})([0-9a-f]{2})?$/i.exec(text) ?? []
  if (solid === undefined) return undefined
  return { solid, alpha: alpha === undefined ? 100 : Math.round((Number.parseInt(alpha, 16) / 255) * 100) }
}

/** @param alpha percent; 100 is not written */
export function writeColour(solid: string, alpha: number): string {
  if (alpha >= 100) return solid
  const ink = Math.round((Math.max(alpha, 0) / 100) * 255)
  return `${solid}${ink.toString(16).padStart(2, '0').toUpperCase()}`
}

/** The values of a theme document; undefined where its text is no theme. */
interface ThemeRead extends Palettes {
  coins: Record<string, string>
  space: Record<string, number>
  radius: Record<string, number>
  type: Record<string, number>
}
export function readTheme(text: string | undefined): ThemeRead | undefined {
  try {
    const doc = JSON.parse(text ?? '') as Partial<ThemeRead> | null
    if (typeof doc !== 'object' || doc === null || typeof doc.dark !== 'object' || typeof doc.light !== 'object') return undefined
    return {
      dark: doc.dark,
      light: doc.light,
      coins: doc.coins ?? {},
      space: doc.space ?? {},
      radius: doc.radius ?? {},
      type: doc.type ?? {},
    }
  } catch {
    return undefined
  }
}
