import { afterEach, expect, test, vi } from 'vitest'
import { prepared } from '#renderer/calls/picture.ts'

afterEach(() => vi.unstubAllGlobals())

/** The header of a PNG of this size; the rest is zeros. */
function png(width: number, height: number, bytes = 64): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes)
  file.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  const view = new DataView(file.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return file
}
const webp = new Uint8Array(64)
webp.set(new TextEncoder().encode('RIFF\x10\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x0f\0\0'))

/** A device whose canvas encodes to so many bytes. @returns what was decoded and drawn */
function device({
  width,
  height,
  bytes,
  fails = false,
}: {
  width: number
  height: number
  bytes: (type: string, quality?: number) => number
  fails?: boolean
}) {
  const done: unknown[] = []
  const ink = {
    drawImage: (_image: unknown, ...place: number[]) => done.push(place),
    fillRect: () => done.push('ground'),
  }
  const canvas = {
    getContext: () => ink,
    toBlob: (give: (blob: Blob) => void, type: string, quality?: number) =>
      give(new Blob([new Uint8Array(bytes(type, quality))], { type })),
  }
  vi.stubGlobal('document', { createElement: () => canvas })
  vi.stubGlobal(
    'Image',
    class {
      naturalWidth = width
      naturalHeight = height
      decode = () => (fails ? Promise.reject(new Error('no picture')) : Promise.resolve())
      removeAttribute = () => done.push('freed')
    },
  )
  return done
}
const about = async (file: Blob) => {
  const { name, type, size } = await prepared(file)
  return [name, type, size]
}

test.each([
  ['a small picture', new File([png(10, 10)], 'a.png', { type: 'image/png' }), ['picture.png', 'image/png', 64]],
  ['WebP under the name of a JPEG', new File([webp], 'photo.jpg', { type: 'image/jpeg' }), ['picture.webp', 'image/webp', 64]],
  ['a picture without a type', new File([png(10, 10)], 'IMG', { type: '' }), ['picture.png', 'image/png', 64]],
])('%s is sent as it is, named by its content', async (_name, file, sent) => {
  expect(await about(file)).toEqual(sent)
})

test.each([
  ['SVG', new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.png', { type: 'image/png' }), 'file_type_refused'],
  ['GIF', new File(['GIF89a'], 'a.jpg', { type: 'image/jpeg' }), 'file_type_refused'],
  ['nothing', new File([], 'a.png', { type: 'image/png' }), 'file_type_refused'],
  ['a header without a size', new File([png(0, 5)], 'a.png', { type: 'image/png' }), 'file_type_refused'],
  ['more than 100 megapixels', new File([png(10_001, 10_000)], 'a.png', { type: 'image/png' }), 'picture_too_large'],
])('%s is refused before anything is decoded', async (_name, file, name) => {
  const done = device({ width: 1, height: 1, bytes: () => 1 })
  await expect(prepared(file)).rejects.toMatchObject({ name, field: 'file' })
  expect(done).toEqual([])
})

test.each<[why: string, bytes: (type: string, quality?: number) => number, sent: unknown[]]>([
  ['as PNG where that fits', () => 100, ['picture.png', 'image/png', 100]],
  ['as JPEG where PNG does not', (type) => (type === 'image/png' ? 6_000_000 : 200), ['picture.jpg', 'image/jpeg', 200]],
  ['with less quality where it must', (_type, quality = 1) => (quality > 0.6 ? 6_000_000 : 300), ['picture.jpg', 'image/jpeg', 300]],
])('a photo is drawn upright at the stored size, %s', async (_why, bytes, sent) => {
  // The header describes the sensor, the decoded picture stands upright.
  const done = device({ width: 3_024, height: 4_032, bytes })
  expect(await about(new File([png(4_032, 3_024)], 'a.png'))).toEqual(sent)
  expect(done.slice(0, 1)).toEqual([[0, 0, 1_920, 2_560]])
  expect(done.at(-1)).toBe('freed')
})

test('a photo that stays too large, or cannot be decoded, is refused with a code, and its memory is freed', async () => {
  const large = device({ width: 4_032, height: 3_024, bytes: () => 6_000_000 })
  await expect(prepared(new File([png(4_032, 3_024)], 'a.png'))).rejects.toMatchObject({ name: 'file_too_large' })
  const broken = device({ width: 0, height: 0, bytes: () => 1, fails: true })
  await expect(prepared(new File([png(4_032, 3_024)], 'a.png'))).rejects.toMatchObject({ name: 'file_type_refused' })
  expect([large.at(-1), broken]).toEqual(['freed', ['freed']])
})
