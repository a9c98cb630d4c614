import type { Drawn } from '#widgets/parts/qr/encode.ts'

/** Everything that the picture shows, as text. */
export interface Picture {
  brand: string
  /** Undefined where prices are real. */
  simulated: string | undefined
  name: string
  side: string
  tone: 'up' | 'down' | 'flat'
  sideTone: 'up' | 'down'
  gainLabel: string
  gain: string
  /** Undefined where amounts are hidden. */
  profit: string | undefined
  facts: readonly (readonly [label: string, value: string])[]
  invite: string
  code: string
  qr: Drawn | undefined
}

/** Size of the design; the picture has three pixels for each unit. */
export const size = { width: 360, height: 450 } as const
const pixels = 3
const edge = 24
const glowAlpha = 0.16
const inner = size.width - 2 * edge

/** Draws the picture in the colours of the theme that surrounds the canvas. */
export function draw(canvas: HTMLCanvasElement, picture: Picture): void {
  canvas.width = size.width * pixels
  canvas.height = size.height * pixels
  const pen = canvas.getContext('2d')
  if (!pen) return
  const style = getComputedStyle(canvas)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim() || '#888'
  const family = style.fontFamily || 'sans-serif'
  pen.scale(pixels, pixels)
  pen.textBaseline = 'alphabetic'

  /** @returns width of the text, which is made smaller until it fits */
  const write = (text: string, x: number, y: number, look: { px: number; weight?: number; ink: string; most?: number; end?: boolean }) => {
    const { px, weight = 400, ink, most = inner, end = false } = look
    const font = (height: number) => `${weight} ${height}px ${family}`
    pen.font = font(px)
    const natural = pen.measureText(text).width
    if (natural > most) pen.font = font((px * most) / natural)
    pen.fillStyle = colour(ink)
    pen.textAlign = end ? 'right' : 'left'
    pen.fillText(text, x, y)
    return Math.min(natural, most)
  }
  const box = (x: number, y: number, width: number, height: number, radius: number, fill: string | CanvasGradient) => {
    pen.fillStyle = fill
    pen.beginPath()
    pen.roundRect(x, y, width, height, radius)
    pen.fill()
  }

  box(0, 0, size.width, size.height, 0, colour('ground'))
  const glow = pen.createRadialGradient(size.width, 90, 10, size.width, 90, 320)
  glow.addColorStop(0, colour(picture.tone === 'flat' ? 'accent' : picture.tone))
  glow.addColorStop(1, colour('ground'))
  pen.globalAlpha = glowAlpha
  box(0, 0, size.width, size.height, 0, glow)
  pen.globalAlpha = 1

  // The mark of the app: four tiles.
  const tiles = ['accent', 'up', 'text', 'quiet'] as const
  for (const [at, tile] of tiles.entries()) box(edge + (at % 2) * 11, 24 + Math.floor(at / 2) * 11, 9, 9, 2, colour(tile))
  write(picture.brand, edge + 30, 40, { px: 17, weight: 700, ink: 'text', most: 130 })
  if (picture.simulated) {
    pen.font = `600 11px ${family}`
    const width = Math.min(150, pen.measureText(picture.simulated).width + 16)
    box(size.width - edge - width, 25, width, 20, 4, colour('warn-soft'))
    write(picture.simulated, size.width - edge - width + 8, 39, { px: 11, weight: 600, ink: 'warn', most: width - 16 })
  }

  const named = write(picture.name, edge, 98, { px: 22, weight: 700, ink: 'text', most: 170 })
  pen.font = `600 13px ${family}`
  const badge = Math.min(inner - named - 12, pen.measureText(picture.side).width + 16)
  box(edge + named + 12, 80, badge, 24, 4, colour(`${picture.sideTone}-soft`))
  write(picture.side, edge + named + 20, 97, { px: 13, weight: 600, ink: `${picture.sideTone}-text`, most: badge - 16 })

  const ink = picture.tone === 'flat' ? 'text' : `${picture.tone}-text`
  write(picture.gainLabel, edge, 140, { px: 13, ink: 'quiet' })
  write(picture.gain, edge, 195, { px: 54, weight: 700, ink })
  if (picture.profit) write(picture.profit, edge, 226, { px: 20, weight: 600, ink })

  for (const [at, [label, value]] of picture.facts.entries()) {
    const x = edge + (at % 2) * (inner / 2 + 6)
    const y = 262 + Math.floor(at / 2) * 44
    write(label, x, y, { px: 12, ink: 'quiet', most: inner / 2 - 6 })
    write(value, x, y + 19, { px: 15, weight: 600, ink: 'text', most: inner / 2 - 6 })
  }

  box(0, 346, size.width, size.height - 346, 0, colour('surface'))
  write(picture.invite, edge, 392, { px: 15, weight: 600, ink: 'text', most: inner - 92 })
  write(picture.code, edge, 416, { px: 17, weight: 700, ink: 'accent', most: inner - 92 })
  // Black on white in both themes, because not every camera reads inverted codes.
  box(size.width - edge - 80, 358, 80, 80, 6, '#fff')
  if (picture.qr) {
    const unit = 70 / picture.qr.size
    pen.save()
    pen.translate(size.width - edge - 75, 363)
    pen.scale(unit, unit)
    pen.fillStyle = '#000'
    pen.fill(new Path2D(picture.qr.path))
    pen.restore()
  }
}

/** @throws when the browser cannot make a picture */
export async function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const picture = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!picture) throw new Error('no picture')
  return picture
}
