import { type Body, fromEveryFrame, isFlag, type Kinds, readerOf, toEveryFrame } from '#console/frames/protocol.ts'
import { isObject } from '#language/documents/json.ts'
import type { Clause } from '#language/expression/explain.ts'
import type { DocumentKey } from '#language/publish/release.ts'

/** Messages between the console and the frame of the preview; see console/frames/protocol.ts. */

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

const isPlace = (value: unknown) =>
  isObject(value) && typeof value.document === 'string' && value.document.includes('/') && typeof value.node === 'string'
const isVersion = Number.isSafeInteger
const isPrompt = ({ id }: Body) => id === null || (typeof id === 'string' && id !== '' && id.length <= 200)

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

const toFrame: Kinds<ToFrame> = {
  ...toEveryFrame,
  set: ({ set }) => isObject(set) && isVersion(set.version) && isObject(set.documents) && isObject(set.words),
  switches: ({ switches }) => isSwitches(switches),
  prompt: isPrompt,
  pick: ({ on }) => isFlag(on),
  select: ({ place }) => place === null || isPlace(place),
  watch: ({ on }) => isFlag(on),
  why: ({ id, place }) => isVersion(id) && isPlace(place),
}
const fromFrame: Kinds<FromFrame> = {
  ...fromEveryFrame,
  drawn: ({ version }) => isVersion(version),
  where: (body) => fromEveryFrame.where(body) && (body.screen === null || typeof body.screen === 'string') && isFlag(body.customer),
  picked: ({ place }) => place === null || isPlace(place),
  prompt: isPrompt,
  dry: ({ run }) => isObject(run) && typeof run.id === 'string' && typeof run.call === 'string' && Number.isFinite(run.at),
  hidden: ({ nodes }) => Array.isArray(nodes) && nodes.every(isPlace),
  why: ({ id, answer }) => isVersion(id) && (answer === null || isPlace(answer)),
}

/** A message from the console; undefined for anything else. */
export const readToFrame = readerOf<ToFrame>(toFrame)
/** A message from the frame; undefined for anything else. */
export const readFromFrame = readerOf<FromFrame>(fromFrame)
