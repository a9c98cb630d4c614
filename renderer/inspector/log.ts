import type { Step } from '#language/documents/documents.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { mask, oneLine } from '#renderer/inspector/mask.ts'

export type Outcome = 'running' | 'done' | 'failed'

/** One thing that happened. Secrets are masked before it is kept. */
export interface Entry {
  id: number
  /** Milliseconds since 1970. */
  at: number
  kind: 'action' | 'call' | 'live' | 'guard' | 'fault' | 'toast'
  /** The screen, call or node that the entry is about. */
  subject: string
  lines: readonly string[]
  outcome?: Outcome
  /** Of a call that has ended. */
  tookMs?: number
  /** Name of the problem that ended it. */
  problem?: string
}

export interface Log {
  entries(): readonly Entry[]
  clear(): void
  subscribe(wake: () => void): () => void
}

const entriesMax = 200

/** Steps as a person reads them, one a line; what stands inside of an `if` is indented. */
export function stepLines(steps: readonly Step[], indent = ''): string[] {
  return steps.flatMap((step) => {
    if ('if' in step) {
      const otherwise = step.else ? [`${indent}else`, ...stepLines(step.else, `${indent}  `)] : []
      return [`${indent}if ${oneLine(step.if)}`, ...stepLines(step.then, `${indent}  `), ...otherwise]
    }
    const [name = '', main] = Object.entries(step)[0] ?? []
    const { [name]: _, ...rest } = step as Record<string, unknown>
    const more = Object.keys(rest).length > 0 ? ` ${oneLine(mask(rest))}` : ''
    return [`${indent}${name}${main === true ? '' : ` ${typeof main === 'string' ? main : oneLine(mask(main))}`}${more}`]
  })
}

/** Listens to the engine and writes down what it does, newest first. Calls are recorded by an api that wraps the engine's own. */
export function keepLog(engine: Engine): Log {
  const wakes = new Set<() => void>()
  let entries: readonly Entry[] = []
  let next = 1
  const wake = () => {
    for (const one of wakes) one()
  }
  const add = (entry: Omit<Entry, 'id' | 'at'>): number => {
    const id = next++
    entries = [{ id, at: engine.clock.now(), ...entry }, ...entries].slice(0, entriesMax)
    wake()
    return id
  }
  const amend = (id: number, change: Partial<Entry>) => {
    entries = entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry))
    wake()
  }

  engine.bus.on('action', ({ screen, steps }) => void add({ kind: 'action', subject: screen, lines: stepLines(steps) }))
  engine.bus.on('live', ({ topic, change, row }) => void add({ kind: 'live', subject: topic, lines: [oneLine(mask({ change, row }))] }))
  engine.bus.on('guard-closed', ({ screen, node, what, missing }) => {
    add({ kind: 'guard', subject: `${screen} ${node}`, lines: [`${what}: ${missing.join(', ')}`] })
  })
  engine.bus.on('node-stopped', ({ screen, node, what, reason }) => {
    add({ kind: 'fault', subject: `${screen} ${node}`, lines: [`${what}: expression_${reason}`] })
  })
  engine.bus.on('node-broken', ({ screen, node, widget, reason }) => {
    add({ kind: 'fault', subject: `${screen} ${node}`, lines: [`${widget}: ${reason}`] })
  })
  // A call records its own outcome below; an entry without a name is an action that could not be carried out.
  engine.bus.on('call-failed', ({ screen, call, name }) => {
    if (call === '') add({ kind: 'fault', subject: screen, lines: [name] })
  })

  const { api } = engine
  engine.api = {
    ...api,
    async call(name, args, options) {
      const from = performance.now()
      const id = add({ kind: 'call', subject: name, lines: [oneLine(mask(args), 200)], outcome: 'running' })
      const tookMs = () => Math.round(performance.now() - from)
      try {
        const answer = await api.call(name, args, options)
        amend(id, { outcome: 'done', tookMs: tookMs() })
        return answer
      } catch (error) {
        amend(id, { outcome: 'failed', tookMs: tookMs(), problem: error instanceof Error ? error.name : String(error) })
        throw error
      }
    },
  }
  return {
    entries: () => entries,
    clear() {
      entries = []
      wake()
    },
    subscribe(one) {
      wakes.add(one)
      return () => wakes.delete(one)
    },
  }
}
