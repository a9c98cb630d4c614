import { limits } from '#language/documents/limits.ts'
import type { ActionPlace, Result } from '#renderer/actions/place.ts'
import type { Effect } from '#renderer/core/plan.ts'

/** A browser that was asked to save reads the address for a while yet. */
const readMs = 10_000
const byteOrderMark = '\uFEFF'

/**
 * A name that every system takes as the name of one file: nothing that leads elsewhere, nothing unseen, no end that is cut off silently.
 * Empty when nothing is left of it.
 */
export function fileName(wanted: string): string {
  const plain = wanted
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/[\\/:*?"<>|]/g, '-')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  if (plain.length <= limits.savedNameMax) return plain
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? ''
  // Whole characters only: half of a pair is none.
  const kept = plain.slice(0, limits.savedNameMax - ending.length).replace(/[\uD800-\uDBFF]$/, '')
  return kept.trimEnd() + ending
}

/** Step `save`: the browser keeps a text as a file, where it keeps downloads. */
export function save({ name, text, type }: Extract<Effect, { do: 'save' }>, { engine }: ActionPlace): Result {
  const file = fileName(name)
  if (file === '' || text === '' || text.length > limits.savedTextMax) {
    engine.ui.toast(engine.say('engine.save_failed'), 'error')
    return 'failed'
  }
  // Spreadsheets read UTF-8 only where the file declares it.
  const body = type === 'text/csv' && !text.startsWith(byteOrderMark) ? byteOrderMark + text : text
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([body], { type: `${type};charset=utf-8` }))
  link.download = file
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), readMs)
  return 'done'
}

/** Answer of a call that exports rows as CSV. `cut`: there are more rows than the file has. */
export interface Exported {
  name: string
  text: string
  rows: number
  cut: boolean
}

/** Step `export`: saves the file of an answer and says how many rows it has, or that there is none. */
export function saveAnswer({ name, text, rows, cut }: Exported, place: ActionPlace): Result {
  const { ui, say } = place.engine
  if (rows < 1) {
    ui.toast(say('engine.export_none'), 'warn')
    return 'done'
  }
  const result = save({ do: 'save', name, text, type: 'text/csv' }, place)
  if (result === 'done') ui.toast(say(cut ? 'engine.export_cut' : 'engine.export_done', { count: rows }), cut ? 'warn' : 'success')
  return result
}
