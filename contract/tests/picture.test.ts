import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fitted, isOversized, kindOf, type PictureKind, pictureKinds, pictureLimits, sizeOf } from '#contract/picture.ts'

const draw = (kind: PictureKind, width: number, height: number, alpha = false, options: object = {}) =>
  sharp({ create: { width, height, channels: alpha ? 4 : 3, background: { r: 9, g: 90, b: 200, alpha: 0.5 } } })
    .toFormat(kind, options)
    .toBuffer()
const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('kind of a file', () => {
  test.each<[string, Buffer, PictureKind | undefined]>([
    ['the signature of PNG', bytes('\x89PNG\r\n\x1a\n'), 'png'],
    ['a signature of PNG with converted line endings', bytes('\x89PNG\n\x1a\n\0'), undefined],
    ['the signature of JPEG', bytes('\xff\xd8\xff\xe0'), 'jpeg'],
    ['the signature of WebP', bytes('RIFF\x10\0\0\0WEBPVP8X'), 'webp'],
    ['audio in the same container', bytes('RIFF\x10\0\0\0WAVEfmt '), undefined],
    ['GIF', bytes('GIF89a'), undefined],
    ['TIFF', bytes('II*\0'), undefined],
    ['HEIF', bytes('\0\0\0\x1cftypheic'), undefined],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
    ['a picture after white space', bytes(' \x89PNG\r\n\x1a\n'), undefined],
    ['nothing', bytes(''), undefined],
  ])('%s', (_name, file, kind) => expect(kindOf(file)).toBe(kind))
})

describe('size from the header', () => {
  const shapes = [
    [1, 1],
    [3, 700],
    [1_025, 17],
  ] as const
  test.each(pictureKinds.flatMap((kind) => shapes.map(([width, height]) => [kind, width, height] as const)))(
    '%s of %i × %i',
    async (kind, width, height) => {
      expect(sizeOf(kind, await draw(kind, width, height))).toEqual({ width, height })
    },
  )
  test.each<[string, PictureKind, boolean, object]>([
    ['WebP without loss', 'webp', false, { lossless: true }],
    ['WebP with transparency', 'webp', true, {}],
    ['progressive JPEG', 'jpeg', false, { progressive: true }],
  ])('%s', async (_name, kind, alpha, options) => {
    expect(sizeOf(kind, await draw(kind, 33, 44, alpha, options))).toEqual({ width: 33, height: 44 })
  })
  test('JPEG with long metadata before its frame', async () => {
    const picture = await sharp(await draw('jpeg', 21, 12))
      .withExif({ IFD0: { Copyright: 'x'.repeat(20_000) } })
      .toBuffer()
    expect(sizeOf('jpeg', picture)).toEqual({ width: 21, height: 12 })
  })
  test.each(pictureKinds)('%s truncated anywhere, or with any byte changed, is read safely', async (kind) => {
    const whole = await draw(kind, 16, 16)
    for (let end = 0; end < Math.min(200, whole.length); end++) sizeOf(kind, whole.subarray(0, end))
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(whole)
        changed[at] = value
        const size = sizeOf(kind, changed)
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
  test('a JPEG with segments of length zero ends the search', () => {
    expect(sizeOf('jpeg', Buffer.concat([bytes('\xff\xd8'), Buffer.alloc(3_000_000, Buffer.from([0xff, 0xe0, 0, 0]))]))).toBeUndefined()
  })
})

test.each<[width: number, height: number, bytes: number, oversized: boolean, fits: [number, number]]>([
  [4_032, 3_024, 7_800_000, true, [2_560, 1_920]],
  [3_024, 4_032, 3_000_000, true, [1_920, 2_560]],
  [2_560, 2_560, 5_242_880, false, [2_560, 2_560]],
  [2_560, 2_560, 5_242_881, true, [2_560, 2_560]],
  [2_561, 10, 1, true, [2_560, 10]],
  [100_000, 1, 1, true, [2_560, 1]],
  [1, 1, 1, false, [1, 1]],
])('%d × %d of %d bytes is made smaller: %s, %j', (width, height, bytes, oversized, [w, h]) => {
  expect(isOversized({ width, height }, bytes)).toBe(oversized)
  expect(fitted({ width, height })).toEqual({ width: w, height: h })
  expect(Math.max(w, h)).toBeLessThanOrEqual(pictureLimits.sideMax)
})
