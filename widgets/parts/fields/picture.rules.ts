export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
/** Limit of the server. */
export const pictureBytesMax = 5 * 1024 * 1024

/** Reasons not to upload a file; the first that applies is returned. */
type PictureRefusal = 'type' | 'empty' | 'size'

export function refusalOf(file: { type: string; size: number }): PictureRefusal | undefined {
  if (!(pictureTypes as readonly string[]).includes(file.type)) return 'type'
  if (file.size === 0) return 'empty'
  if (file.size > pictureBytesMax) return 'size'
  return undefined
}
