import { isObject } from '#language/documents/json.ts'
import type { Clause } from '#language/expression/explain.ts'
import type { DocumentKey } from '#language/publish/release.ts'

/**
 * Messages between the console and the frame of the preview, by postMessage. Both pages have one origin; a message of another origin
 * or another window, and an unknown one, is ignored.
 */

export const dataStates = ['ok', 'loading', 'empty', 'error', 'stale'] as const
export type DataState = (typeof dataStates)[number]
export const themes = ['dark', 'light'] as const

/** The options of the preview. */
export interface Switches {
  /** Id of a language of the app document; empty: the app's own choice. */
  language: string
  theme: (typeof themes)[number]
  customer: boolean
  kyc: 0 | 1 | 2
  data: DataState
}

/** A node of a screen or of the app (`app/app`), or a field of a form: `form/login`, `account`. */
export interface NodePlace {
  document: DocumentKey
  node: string
}

/** A document in the form that the engine reads. */
export interface FrameDocument {
  doc: unknown
  uses: readonly string[]
  areas: readonly string[]
}

/** The changes since the documents that the frame has; null: removed. Words: language → area → tree. */
export interface SetChange {
  version: number
  documents: Record<string, FrameDocument | null>
  words: Record<string, Record<string, Record<string, unknown> | null>>
}

/** A node that is hidden or disabled, with the conditions that decide it. Values are masked. */
export interface HiddenNode extends NodePlace {
  widget: string
  /** Key of its row, where it is repeated. */
  row?: string
  shown: boolean
  enabled: boolean
  /** Conditions of its own; absent where it has none. */
  show?: Clause
  enable?: Clause
  /** The hidden parent that hides this node. */
  within?: string
}

/** A call that would have changed something. Nothing was sent. */
export interface DryRun {
  /** Unique id. */
  id: string
  call: string
  /** Secrets are masked. */
  args: unknown
  /** Milliseconds since 1970. */
  at: number
}

export type ToFrame =
  | { kind: 'set'; set: SetChange }
  | { kind: 'switches'; switches: Switches }
  | { kind: 'open'; address: string }
  | { kind: 'prompt'; id: string | null }
  | { kind: 'pick'; on: boolean }
  | { kind: 'select'; place: NodePlace | null }
  | { kind: 'watch'; on: boolean }
  | { kind: 'why'; id: number; place: NodePlace }

export type FromFrame =
  | { kind: 'ready' }
  | { kind: 'drawn'; version: number }
  | { kind: 'where'; address: string; screen: string | null; customer: boolean }
  | { kind: 'picked'; place: NodePlace | null }
  | { kind: 'prompt'; id: string | null }
  | { kind: 'dry'; run: DryRun }
  | { kind: 'hidden'; nodes: HiddenNode[] }
  | { kind: 'why'; id: number; answer: HiddenNode | null }
  | { kind: 'broken'; reason: string }

interface Heard {
  origin: string
  source: unknown
  data: unknown
}
/** The only accepted sender. */
interface Speaker {
  origin: string
  window: unknown
}

const channel = 'tessera-preview'
type Body = Record<string, unknown>
const isPlace = (value: unknown) =>
  isObject(value) && typeof value.document === 'string' && value.document.includes('/') && typeof value.node === 'string'
const isVersion = Number.isSafeInteger
const isFlag = (value: unknown) => typeof value === 'boolean'
const isPrompt = ({ id }: Body) => id === null || (typeof id === 'string' && id !== '' && id.length <= 200)
const isAddress = (value: unknown) => typeof value === 'string' && value.startsWith('/') && value.length <= 2_000

function isSwitches(value: unknown): boolean {
  if (!isObject(value)) return false
  const { language, theme, customer, kyc, data } = value
  return (
    typeof language === 'string' &&
    themes.includes(theme as never) &&
    isFlag(customer) &&
    (kyc === 0 || kyc === 1 || kyc === 2) &&
    dataStates.includes(data as never)
  )
}

const toFrame: Record<ToFrame['kind'], (body: Body) => boolean> = {
  set: ({ set }) => isObject(set) && isVersion(set.version) && isObject(set.documents) && isObject(set.words),
  switches: ({ switches }) => isSwitches(switches),
  open: ({ address }) => isAddress(address),
  prompt: isPrompt,
  pick: ({ on }) => isFlag(on),
  select: ({ place }) => place === null || isPlace(place),
  watch: ({ on }) => isFlag(on),
  why: ({ id, place }) => isVersion(id) && isPlace(place),
}
const fromFrame: Record<FromFrame['kind'], (body: Body) => boolean> = {
  ready: () => true,
  drawn: ({ version }) => isVersion(version),
  where: ({ address, screen, customer }) => isAddress(address) && (screen === null || typeof screen === 'string') && isFlag(customer),
  picked: ({ place }) => place === null || isPlace(place),
  prompt: isPrompt,
  dry: ({ run }) => isObject(run) && typeof run.id === 'string' && typeof run.call === 'string' && Number.isFinite(run.at),
  hidden: ({ nodes }) => Array.isArray(nodes) && nodes.every(isPlace),
  why: ({ id, answer }) => isVersion(id) && (answer === null || isPlace(answer)),
  broken: ({ reason }) => typeof reason === 'string',
}

function read(event: Heard, from: Speaker, known: Readonly<Record<string, (body: Body) => boolean>>): Body | undefined {
  if (event.origin !== from.origin || event.source === null || event.source !== from.window) return undefined
  const { data } = event
  if (!isObject(data) || data.channel !== channel || typeof data.kind !== 'string' || !Object.hasOwn(known, data.kind)) return undefined
  return known[data.kind]?.(data) ? data : undefined
}

/** A message from the console; undefined for anything else. */
export const readToFrame = (event: Heard, from: Speaker) => read(event, from, toFrame) as ToFrame | undefined
/** A message from the frame; undefined for anything else. */
export const readFromFrame = (event: Heard, from: Speaker) => read(event, from, fromFrame) as FromFrame | undefined
/** A message as it is sent. */
export const written = (message: ToFrame | FromFrame) => ({ ...message, channel })
