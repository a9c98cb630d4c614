/** Pictures that customers send: what they are by their content, and the bounds of the server. App and server use the same functions. */

/** Limits of uploaded pictures. Bytes and pixels refer to the upload; stored pictures are re-encoded and no larger than `sideMax`. */
export const pictureLimits = {
  bytesMax: 5_242_880,
  pixelsMax: 25_000_000,
  /** Longest side of a stored picture, in pixels. */
  sideMax: 2_560,
  /** A picture that exceeds this size after re-encoding is refused. */
  keptBytesMax: 10_485_760,
} as const

export const pictureKinds = ['jpeg', 'png', 'webp'] as const
export type PictureKind = (typeof pictureKinds)[number]

/** Content-Type of a stored picture. */
export const typeOf = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const satisfies Record<PictureKind, string>

const pngSign = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Number of bytes that identify a file's kind. */
export const signBytes = 16

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** Kind of a file by its first bytes; undefined for any other kind. */
export function kindOf(bytes: Uint8Array): PictureKind | undefined {
  if (pngSign.every((byte, at) => bytes[at] === byte)) return 'png'
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 15) === 'WEBPVP8') return 'webp'
  return undefined
}

export interface Size {
  width: number
  height: number
}

const u16 = (bytes: Uint8Array, at: number) => (bytes[at]! << 8) | bytes[at + 1]!
const u32 = (bytes: Uint8Array, at: number) => ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0
const u16le = (bytes: Uint8Array, at: number) => bytes[at]! | (bytes[at + 1]! << 8)
const u24le = (bytes: Uint8Array, at: number) => u16le(bytes, at) | (bytes[at + 2]! << 16)

function sizeOfPng(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 33 || text(bytes, 12, 16) !== 'IHDR') return undefined
  return { width: u32(bytes, 16), height: u32(bytes, 20) }
}

/** Walks the segments to the frame header. A file has a few dozen segments; the walk ends at the end of the bytes. */
function sizeOfJpeg(bytes: Uint8Array): Size | undefined {
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    if (marker === 0xff) at++
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return { width: u16(bytes, at + 7), height: u16(bytes, at + 5) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += 2 + Math.max(2, u16(bytes, at + 2))
  }
  return undefined
}

function sizeOfWebp(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 30) return undefined
  const form = text(bytes, 12, 16)
  if (form === 'VP8X') return { width: u24le(bytes, 24) + 1, height: u24le(bytes, 27) + 1 }
  if (form === 'VP8L') {
    const bits = (bytes[21]! | (bytes[22]! << 8) | (bytes[23]! << 16) | (bytes[24]! << 24)) >>> 0
    return bytes[20] === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : undefined
  }
  return { width: u16le(bytes, 26) & 0x3fff, height: u16le(bytes, 28) & 0x3fff }
}

/** Width and height in the header of a picture; undefined when they cannot be read. */
export function sizeOf(kind: PictureKind, bytes: Uint8Array): Size | undefined {
  const size = kind === 'png' ? sizeOfPng(bytes) : kind === 'jpeg' ? sizeOfJpeg(bytes) : sizeOfWebp(bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

/** Whether the server would make a picture smaller, or refuse it, so that the device does so before it is sent. */
export const isOversized = ({ width, height }: Size, bytes: number): boolean =>
  bytes > pictureLimits.bytesMax || Math.max(width, height) > pictureLimits.sideMax

/** Width and height within the longest side that is stored, in the same proportion. */
export function fitted({ width, height }: Size): Size {
  const by = Math.min(1, pictureLimits.sideMax / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * by)), height: Math.max(1, Math.round(height * by)) }
}
