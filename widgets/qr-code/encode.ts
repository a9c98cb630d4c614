import { create } from 'qrcode'
import { squares } from '#widgets/qr-code/qr.rules.ts'

export interface Drawn {
  /** Modules per side, without the quiet zone. */
  size: number
  path: string
}

/** @throws when the text exceeds the capacity (2,331 bytes at this error correction) */
export function encode(text: string): Drawn {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  return { size: modules.size, path: squares(modules.size, (row, column) => modules.get(row, column) !== 0) }
}
