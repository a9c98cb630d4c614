import type { Row, TopicMessage } from '#contract/topic.ts'
import { rowsOf } from '#contract/topic.ts'
import type { PushedDoc, Step } from '#language/documents/documents.ts'
import { compile, guard, type Scope } from '#language/expression/expression.ts'
import { areaOf, compileValue } from '#language/expression/value.ts'
import { loadAreas } from '#renderer/config/screens.ts'
import { addressOf } from '#renderer/core/route.ts'
import { overlay } from '#renderer/core/scope.ts'
import { loadOperators } from '#renderer/engine/operators.ts'
import type { Engine } from '#renderer/engine/types.ts'
import type { Toast } from '#renderer/engine/ui.ts'

type Needs = Pick<Engine, 'app' | 'topics' | 'outer' | 'say' | 'ui' | 'config' | 'i18n' | 'functions'>

const pushedLimits = {
  /** Rows that come within this time are shown together. */
  gatherMs: 300,
  /** Keys of rows that are remembered, so that one that is sent again after a reconnect is not shown again. */
  keysMax: 500,
  /** A toast that leads somewhere stays long enough to be pressed. */
  pressMs: 5_000,
} as const

/** Rows that are shown in one toast. */
interface Group {
  rows: Row[]
  toast: Toast | undefined
  timer: ReturnType<typeof setTimeout> | undefined
}

/**
 * Shows rows that the server pushes as toasts, on whichever page, as `pushed` of the app document says. A row whose page is open is not shown.
 * @param perform runs the steps of a press
 * @param where address of the page that is open
 */
export function createPushed(
  engine: Needs,
  perform: (steps: readonly Step[], scope: Scope) => void,
  where: () => string = () => globalThis.location.hash.slice(1),
) {
  const known = new Set<string>()
  const groups = new Map<string, Group>()
  const nothing = () => undefined

  const scopeOf = (item: Row, count: number) => overlay(engine.outer, { item, value: count })
  const read = (value: unknown, item: Row, count: number) => compileValue(value).read(scopeOf(item, count), engine.say, nothing)
  const isNew = (topic: string, row: Row) => {
    const name = `${topic} ${String(row[rowsOf(topic, engine.topics)?.key ?? ''])}`
    if (known.has(name)) return false
    known.add(name)
    if (known.size > pushedLimits.keysMax) known.delete(known.values().next().value!)
    return true
  }

  function show(doc: PushedDoc, group: Group): void {
    group.timer = undefined
    const { rows, toast } = group
    const item = rows.at(-1)!
    const words = rows.length === 1 ? doc.one : doc.many
    const { press } = words
    // One that is still in sight is replaced by the toast for all of them.
    if (toast) engine.ui.drop(toast)
    group.toast = engine.ui.toast(
      String(read(words.toast, item, rows.length) ?? ''),
      words.tone === undefined ? 'info' : (read(words.tone, item, rows.length) as Toast['tone']),
      press && { run: () => perform(press, scopeOf(item, rows.length)), ms: pushedLimits.pressMs },
    )
  }
  async function take(doc: PushedDoc, row: Row): Promise<void> {
    const texts = [doc.one, doc.many].flatMap(({ toast }) => compileValue(toast).texts)
    await Promise.all([loadOperators([doc], engine.functions), loadAreas(engine as Engine, [...new Set(texts.map(areaOf))])])
    if (doc.show !== undefined && !guard(compile(doc.show), scopeOf(row, 1)).open) return
    const open = where()
    if ([doc.one, doc.many].some(({ press }) => press?.some((step) => 'go' in step && isOpen(open, String(read(step.go, row, 1)))))) return
    const by = String(read(doc.by, row, 1))
    const group = groups.get(by)
    const isShown = group !== undefined && (group.timer !== undefined || engine.ui.toasts().some((one) => one === group.toast))
    const now: Group = isShown ? group : { rows: [], toast: undefined, timer: undefined }
    groups.set(by, now)
    now.rows.push(row)
    now.timer ??= setTimeout(() => show(doc, now), pushedLimits.gatherMs)
  }

  return {
    /** A row that the server has pushed. Never throws: words that cannot be had are not shown, and the row stands in its list. */
    take({ topic, change, row }: TopicMessage): void {
      const doc = change === 'insert' && row ? engine.app().pushed?.find((one) => one.topic === topic) : undefined
      if (doc && row && isNew(topic, row)) void take(doc, row).catch(nothing)
    },
  }
}

/** Whether the page at an address shows what another address leads to: the same path, and at least its parameters. */
export function isOpen(open: string, to: string): boolean {
  const [at = '', has = ''] = addressOf(open).split('?')
  const [path = '', wants = ''] = addressOf(to).split('?')
  const given = new URLSearchParams(has)
  return at === path && [...new URLSearchParams(wants)].every(([name, value]) => given.get(name) === value)
}
