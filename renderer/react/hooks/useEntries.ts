import { useMemo, useSyncExternalStore } from 'react'
import type { EntryDoc, QuickEntriesDoc, Value } from '#language/documents/documents.ts'
import { compile, guard } from '#language/expression/expression.ts'
import { compileValue } from '#language/expression/value.ts'
import { chainOf } from '#renderer/actions/enter-chain.ts'
import { addressOf } from '#renderer/core/route.ts'
import { topicOf } from '#renderer/core/scope.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { useEngine, useRelease } from '#renderer/react/context.ts'
import type { View } from '#renderer/react/view.ts'

/** One quick entry or tab as it is shown. `href` serves links, `go` presses. */
export interface ShownEntry {
  id: string
  icon: string
  label: string
  badge: string | undefined
  href: string
  go: () => void
}

function compileEntry(doc: EntryDoc) {
  const label = compileValue(doc.label)
  const badge = doc.badge === undefined ? undefined : compileValue(doc.badge)
  const params = compileValue((doc.params ?? {}) as Value)
  const show = doc.show === undefined ? undefined : compile(doc.show)
  const paths = [label, badge, params, show].flatMap((part) => part?.deps ?? [])
  return { doc, label, badge, params, show, topics: paths.map(topicOf) }
}

function shown(entries: ReturnType<typeof compileEntry>[], engine: Engine<View>): ShownEntry[] {
  return entries.flatMap(({ doc, label, badge, params, show }) => {
    if (show && !guard(show, engine.outer).open) return []
    const text = (value: typeof label) => String(value.evaluate(engine.outer, engine.say).value ?? '')
    const values = params.evaluate(engine.outer, engine.say).value as Record<string, unknown>
    return [
      {
        id: doc.id,
        icon: doc.icon,
        label: text(label),
        badge: badge && (text(badge) || undefined),
        href: `#${addressOf(doc.to, values)}`,
        go: () => {
          engine.go(doc.to, values, false)
          chainOf(engine).moved(false)
        },
      },
    ]
  })
}

/** The entries of a list in the operators' order, those that may be seen. */
export function useEntries(listId: string): readonly ShownEntry[] {
  const engine = useEngine()
  const release = useRelease()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another release may carry another list
  const source = useMemo(() => {
    const doc = engine.config.document(`quick-entries/${listId}`) as QuickEntriesDoc | undefined
    const entries = (doc?.entries ?? []).map(compileEntry)
    let now: readonly ShownEntry[] | undefined
    return {
      get: () => (now ??= shown(entries, engine)),
      subscribe(wake: () => void) {
        const again = () => {
          now = undefined
          wake()
        }
        const topics = new Set([...entries.flatMap((e) => e.topics), 'session.language'])
        const offs = [...topics].map((topic) => engine.outer.subscribe(topic, again))
        // Nobody was notified of changes since it was drawn.
        const fresh = shown(entries, engine)
        if (JSON.stringify(fresh) !== JSON.stringify(now)) now = fresh
        return () => {
          for (const off of offs) off()
        }
      },
    }
  }, [engine, listId, release])
  return useSyncExternalStore(source.subscribe, source.get)
}
