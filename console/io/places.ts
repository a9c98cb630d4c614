import { areaOf } from '#console/io/sources.ts'

/** Address of a place in a draft: `/draft/3/document/schemas/forms/a.json?at=%2Ffields%2F0`, or its line among the texts. */
export function placeIn(draft: number, path: string, pointer = ''): string {
  const place = areaOf(path)
  if (place)
    return `/draft/${draft}/texts?area=${encodeURIComponent(place[1])}${pointer ? `&search=${encodeURIComponent(pointer.split('/').at(-1) ?? '')}` : ''}`
  if (path === 'schemas/theme.json') return `/draft/${draft}/theme`
  return `/draft/${draft}/document/${path}${pointer ? `?at=${encodeURIComponent(pointer)}` : ''}`
}
