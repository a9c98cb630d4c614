import { isObject } from '#console/editor/document/pointer.ts'
import type { NodePlace } from '#console/preview/protocol.ts'

/** Id of the sheet of a screen in which a node stands, or the form that a field belongs to; undefined where it stands in none. */
export function sheetAround(screen: { id: string; body: unknown }, { document, node }: NodePlace): string | undefined {
  const isMeant = (one: Record<string, unknown>) =>
    document === `screen/${screen.id}` ? one.id === node : isObject(one.props) && document === `form/${String(one.props.form)}`
  const find = (value: unknown, sheet: string | undefined): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined
    let around = sheet
    if (isObject(value) && typeof value.widget === 'string') {
      if (value.widget.split('@', 1)[0] === 'sheet') around = String(value.id)
      if (isMeant(value)) return around
    }
    for (const part of Object.values(value)) {
      const found = find(part, around)
      if (found !== undefined) return found
    }
    return undefined
  }
  return find(screen.body, undefined)
}
