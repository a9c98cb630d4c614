import { below, segmentsOf } from '#language/text/position.ts'

/** JSON pointers of a document: `/body/0/slots/head`. */

export function pointerOf(segments: readonly (string | number)[]): string {
  return segments.reduce<string>(below, '')
}

/** Pointer of the parent; the parent of "" is "". */
export function around(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
}

/** Last segment of a pointer, unescaped. */
export function nameIn(pointer: string): string {
  return segmentsOf(pointer).at(-1) ?? ''
}

/** The value at a pointer; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let current = root
  for (const name of segmentsOf(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}

/** True where `inner` is `outer` or below it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`)
}
