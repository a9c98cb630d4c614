import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { agrees, judge, kindOf, type PictureKind, pictureKinds, pictureLimits, sizeOf, typeOf } from '#api-server/upload/picture.rules.ts'

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

describe('declared type and file name extension', () => {
  test.each<[PictureKind, string, string, boolean]>([
    ['png', 'image/png', 'x.png', true],
    ['png', 'IMAGE/PNG', 'X.PNG', true],
    ['png', 'image/png', 'blob', true],
    ['png', 'image/png', '', true],
    ['png', 'image/png', 'x.php.png', true],
    ['png', 'image/png', '.htaccess', true],
    ['png', 'image/png', 'x.png.php', false],
    ['png', 'image/png', 'x.png\0.html', false],
    ['png', 'image/png', 'x.', false],
    ['png', 'image/png', 'x.jpg', false],
    ['png', 'image/jpeg', 'x.png', false],
    ['png', 'text/html', 'x.png', false],
    ['png', 'application/octet-stream', 'x.png', false],
    ['png', '', 'x.png', false],
    ['jpeg', 'image/jpeg', 'x.jpeg', true],
    ['jpeg', 'image/jpg', 'x.JPG', true],
    ['jpeg', 'image/jpeg', 'x.webp', false],
    ['webp', 'image/webp', 'x.webp', true],
    ['webp', 'image/svg+xml', 'x.svg', false],
  ])('%s as %s called %j: %s', (kind, type, name, fine) => expect(agrees(kind, type, name)).toBe(fine))
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

/** Builds the header of a PNG of this size, with nothing else valid. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(64)
  bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR').copy(header)
  header.writeUInt32BE(width, 16)
  header.writeUInt32BE(height, 20)
  return header
}

describe('first look', () => {
  const file = (content: Buffer, type: string = typeOf.png, name = 'x.png') => ({ bytes: content, type, name })
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
    ['PNG called JPEG', file(pngHeader(5, 5), typeOf.jpeg, 'x.jpg'), 'file_type_refused'],
  ])('%s', (_name, one, outcome) => expect(judge(one).outcome).toBe(outcome))
})
