/** View of a picture: `turn` in degrees, `zoom` where 1 fits, `x` and `y` in px from the middle. */
export interface Look {
  turn: 0 | 90 | 180 | 270
  zoom: number
  x: number
  y: number
}
export type LookStep = 'left' | 'right' | 'larger' | 'smaller' | 'whole'

export const straight: Look = { turn: 0, zoom: 1, x: 0, y: 0 }
const zooms = { step: 1.5, max: 8 } as const

/** The next view. A picture that fits is centred. */
export function looked(look: Look, step: LookStep): Look {
  switch (step) {
    case 'left':
      return { ...look, turn: ((look.turn + 270) % 360) as Look['turn'], x: 0, y: 0 }
    case 'right':
      return { ...look, turn: ((look.turn + 90) % 360) as Look['turn'], x: 0, y: 0 }
    case 'larger':
      return { ...look, zoom: Math.min(zooms.max, look.zoom * zooms.step) }
    case 'smaller': {
      const zoom = look.zoom / zooms.step
      return zoom <= 1 ? { ...look, zoom: 1, x: 0, y: 0 } : { ...look, zoom }
    }
    case 'whole':
      return { ...look, zoom: 1, x: 0, y: 0 }
  }
}

/** View after a drag; a picture that fits does not move. */
export function moved(look: Look, dx: number, dy: number): Look {
  return look.zoom === 1 ? look : { ...look, x: look.x + dx, y: look.y + dy }
}

interface Size {
  width: number
  height: number
}
/** Scale at which a picture that fits upright also fits when rotated by 90°. */
export function sideways(picture: Size, room: Size): number {
  if (picture.width <= 0 || picture.height <= 0) return 1
  return Math.min(room.width / picture.height, room.height / picture.width)
}

/** Action of a key in the large view. */
export function stepOfKey(key: string): LookStep | 'next' | 'previous' | undefined {
  switch (key) {
    case 'ArrowRight':
      return 'next'
    case 'ArrowLeft':
      return 'previous'
    case 'r':
      return 'right'
    case 'l':
      return 'left'
    case '+':
    case '=':
      return 'larger'
    case '-':
      return 'smaller'
    case '0':
      return 'whole'
    default:
      return undefined
  }
}
