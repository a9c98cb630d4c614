import { create } from 'qrcode'
import { squares } from '#widgets/qr-code/qr.rules.ts'

export interface Drawn {
  /** Squares on a side, without the quiet zone. */
  size: number
  path: string
}

/** @throws when the text is longer than a code holds (2,331 bytes at this correction) */
export function encode(text: string): Drawn {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  return { size: modules.size, path: squares(modules.size, (row, column) => modules.get(row, column) !== 0) }
}
