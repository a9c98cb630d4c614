export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
/** As the server takes them. */
export const pictureBytesMax = 5 * 1024 * 1024

/** Why a file is not even sent; the first that applies. */
type PictureRefusal = 'type' | 'empty' | 'size'

export function refusalOf(file: { type: string; size: number }): PictureRefusal | undefined {
  if (!(pictureTypes as readonly string[]).includes(file.type)) return 'type'
  if (file.size === 0) return 'empty'
  if (file.size > pictureBytesMax) return 'size'
  return undefined
}
