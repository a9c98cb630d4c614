import { describe, expect, test } from 'vitest'
import { judge } from '#api-server/upload/picture.rules.ts'
import { pictureLimits } from '#contract/picture.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

/** Builds the header of a PNG of this size, with nothing else valid. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(64)
  bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR').copy(header)
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

describe('first look', () => {
  const file = (content: Buffer) => ({ bytes: content })
  test.each<[string, ReturnType<typeof file>, string]>([
    ['exactly 25 megapixels', file(pngHeader(5_000, 5_000)), 'looks right'],
    ['one row more', file(pngHeader(5_000, 5_001)), 'picture_too_large'],
    ['width and height that overflow 32 bits', file(pngHeader(0xffffffff, 0xffffffff)), 'picture_too_large'],
    ['no width', file(pngHeader(0, 5)), 'file_type_refused'],
    ['a header alone', file(pngHeader(5, 5).subarray(0, 24)), 'file_type_refused'],
    ['exactly 5 MB', file(Buffer.concat([pngHeader(5, 5), Buffer.alloc(pictureLimits.bytesMax - 64)])), 'looks right'],
    ['a byte more', file(Buffer.concat([pngHeader(5, 5), Buffer.alloc(pictureLimits.bytesMax - 63)])), 'file_too_large'],
    [
      'too many bytes and too many pixels',
      file(Buffer.concat([pngHeader(9_000, 9_000), Buffer.alloc(pictureLimits.bytesMax)])),
      'file_too_large',
    ],
    ['a wrong type is reported before a wrong size', file(Buffer.alloc(pictureLimits.bytesMax + 1)), 'file_type_refused'],
  ])('%s', (_name, one, outcome) => expect(judge(one).outcome).toBe(outcome))
})
