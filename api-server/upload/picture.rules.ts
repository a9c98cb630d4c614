import { kindOf, type PictureKind, pictureLimits, sizeOf } from '#contract/picture.ts'

/** Refusals in order of precedence. */
const pictureOutcomes = ['file_type_refused', 'file_too_large', 'picture_too_large', 'looks right'] as const

/** Checks a file by its first bytes and header, before it is decoded. Its declared type and its name prove nothing. */
export function judge(file: { bytes: Uint8Array }): {
  outcome: (typeof pictureOutcomes)[number]
  kind: PictureKind | undefined
} {
  const kind = kindOf(file.bytes)
  if (!kind) return { outcome: 'file_type_refused', kind }
  if (file.bytes.length > pictureLimits.bytesMax) return { outcome: 'file_too_large', kind }
  const size = sizeOf(kind, file.bytes)
  if (!size) return { outcome: 'file_type_refused', kind }
  return { outcome: size.width * size.height > pictureLimits.pixelsMax ? 'picture_too_large' : 'looks right', kind }
}
