import decodeQR from 'qr/decode.js'
import { expect, test } from 'vitest'
import { encode } from '#widgets/parts/qr/encode.ts'

const quiet = 4
const scale = 4

/** Returns the picture that a camera sees: each square `scale` pixels wide, with light ones around the code. */
function pictureOf({ size, path }: ReturnType<typeof encode>) {
  const side = (size + 2 * quiet) * scale
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g)) {
    const left = (Number(x) + quiet) * scale
    for (let row = (Number(y) + quiet) * scale, end = row + scale; row < end; row++)
      for (let at = left; at < left + Number(length) * scale; at++) data.fill(0, (row * side + at) * 4, (row * side + at) * 4 + 3)
  }
  return { width: side, height: side, data }
}

test.each([
  ['tron:TJ8example'],
  ['otpauth://totp/Tessera:me?secret=JBSWY3DPEHPK3PXP&issuer=Tessera'],
  ['地址 ที่อยู่ 주소'],
  ['x'.repeat(2_331)],
])('%.20s is read again', (text) => {
  expect(decodeQR(pictureOf(encode(text)))).toBe(text)
})
test('a text that no code holds is refused', () => {
  expect(() => encode('x'.repeat(2_332))).toThrow()
})
