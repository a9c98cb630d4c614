import encodeQR from 'qr'
import { squares } from '#widgets/parts/qr/qr.rules.ts'

export interface Drawn {
  /** Modules per side, without the quiet zone. */
  size: number
  path: string
}

/** @throws when the text exceeds the capacity (2,331 bytes at this error correction) */
export function encode(text: string): Drawn {
  // One light square around the code is the least that the package makes.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const size = rows.length - 2
  return { size, path: squares(size, (row, column) => rows[row + 1]?.[column + 1] === true) }
}
