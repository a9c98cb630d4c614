import { pointerOf } from '#console/editor/document/pointer.ts'
import { readDocuments } from '#console/editor/document/read.ts'
import { isObject } from '#language/documents/json.ts'
import { segmentsOf } from '#language/text/position.ts'
import { widgetOf } from '#language/text/shorthand.ts'

/** The node or field that contains a pointer, by its name in the preview; null outside of any. */
export function nodeAt(doc: unknown, pointer: string): string | null {
  const steps = segmentsOf(pointer)
  let value = doc
  let found: string | null = null
  const look = () => {
    if (!isObject(value)) return
    if (widgetOf(value) !== '') found = typeof value.id === 'string' ? value.id : typeof value.name === 'string' ? value.name : found
  }
  for (const step of steps) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
    look()
  }
  return found
}

/** Pointer of a node of the preview. For a node of a fragment it is the pointer of the `use` that includes the fragment. */
export function pointerOfNode(
  files: Readonly<Record<string, string>>,
  place: { document: string; node: string },
): { path: string; pointer: string } | undefined {
  for (const [path, doc] of readDocuments(files)) {
    if (!isObject(doc) || `${String(doc.kind)}/${String(doc.id)}` !== place.document) continue
    const pointer = pointerIn(doc, place.node)
    return { path, pointer: pointer ?? '' }
  }
  return undefined
}

/** Pointer of the node or field with the name; else of the `use` that has its prefix, or of the only `use`. */
export function pointerIn(doc: unknown, node: string): string | undefined {
  const uses: { pointer: string; as: string | undefined }[] = []
  let found: string | undefined
  const walk = (value: unknown, path: readonly (string | number)[]) => {
    if (found !== undefined || typeof value !== 'object' || value === null) return
    if (isObject(value)) {
      if (widgetOf(value) !== '' && (value.id === node || (value.id === undefined && value.name === node))) {
        found = pointerOf(path)
        return
      }
      if (typeof value.use === 'string' && path.length > 0)
        uses.push({ pointer: pointerOf(path), as: typeof value.as === 'string' ? value.as : undefined })
    }
    for (const [name, part] of Object.entries(value)) walk(part, [...path, name])
  }
  walk(doc, [])
  if (found !== undefined) return found
  const prefixed = uses.find(({ as }) => as !== undefined && node.startsWith(`${as}-`))
  return (prefixed ?? (uses.length === 1 ? uses[0] : uses.find(({ as }) => as === undefined)))?.pointer
}
