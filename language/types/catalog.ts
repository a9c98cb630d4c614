import type { AnyDoc, Computed } from '#language/documents/documents.ts'
import type { DocumentKey } from '#language/publish/release.ts'

/** The unit of a number. A `share` is 0 to 1 and a `percent` 0 to 100. `money` is a number that a field shows with a currency: an amount or a price. */
export type UnitKind = 'amount' | 'money' | 'share' | 'percent' | 'rate' | 'price' | 'lots' | 'ms' | 's'

/** Statuses of the contract (contract/status.ts): stem of the texts, and the tone of each status. */
export interface StatusSet {
  text: string
  tones: Readonly<Record<string, string>>
}

/** JSON Schema as written by zod (draft 2020-12). The members from `ref` on are annotations of this product. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  /** The least and the most entries of a list. */
  minItems?: number
  maxItems?: number
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  /** Kind of name in the text: quick-entries, route, icon, prompt, sheet, symbol. */
  ref?: string
  /** Displayed text, which comes from a text key. */
  text?: boolean
  decimal?: boolean
  /** Maximum width in letters (`textWidth`) of a narrow place. For a list of entries: the width of each label. */
  fits?: number
  unit?: UnitKind
  /**
   * For an amount, a rate or a price: the member of the same or an outer row that names the currency, or a currency code in capitals.
   * For a text `true`: it is the code of a currency.
   */
  coin?: string | true
  /** For a rate or a price: the currency of which it is for one unit. */
  per?: string
  /** Receiver of money: shown by the prompt before a call that moves it. */
  receiver?: boolean
  /** Of a prop: the risk of a product, shown before it is bought. */
  risk?: boolean
  /** Of the words of a contract: each is a status with the text `<text>_<word>` and a tone. */
  status?: StatusSet
  /** Of a prop that takes a status: the props beside it that show its text and its tone. */
  shows?: { text: string; tone: string }
  /** Of the format of a member, with the kind `status`: the prop with the rows whose member is a status. */
  statusOf?: string
  /** A password or a code: only arguments marked as secret take it, and it is never displayed. */
  secret?: boolean
  /** Member that identifies the rows of a list. */
  key?: string
  [more: string]: unknown
}

/** One entry of widgets/manifest.json. */
export interface WidgetManifest {
  type: string
  major: number
  props: JsonSchema
  events: string[]
  slots: Record<string, { allow?: string[]; min?: number; max?: number }>
  label: string | null
  /** The parts of the theme that its styles use; absent for none. */
  looks?: WidgetLooks
  states: Record<string, unknown>
}

/** Read from the styles of a widget when the manifest is generated. */
export interface WidgetLooks {
  /** Names of the theme, by group. When the theme lacks one, the widget draws nothing in its place. */
  names: { colour: string[]; space: string[]; radius: string[]; type: string[] }
  /** Text colours with the background of the same rule; of several names, the first in the theme counts. */
  pairs: [text: string[], ground: string[]][]
}

/** One entry of contract/manifest.json. */
export interface CallManifest {
  name: string
  method: string
  path: string
  auth: 'none' | 'user' | 'operator'
  /** The call changes something and accepts an idempotency key; money: the answer is stored in the transaction that moves the money. */
  keyed?: 'money' | 'data'
  /** A customer whose account is frozen may call it. */
  whileFrozen?: true
  /** Of a call with `keyed`: names that older apps send with it and that mean nothing. */
  ignored?: string[]
  /** Of a call with `keyed: 'money'`: it moves none at once, so it needs no prompt. */
  unprompted?: true
  /** It buys a product whose worst case is a loss: its screen shows the risk before. */
  risk?: true
  /** The call changes the session's data about its user. */
  changesSession?: true
  /** The call only reads, so it may be a source of a screen. */
  reads?: true
  /** Takes one file in the field `file`, in addition to its input. */
  upload?: true
  /** No server answers it yet. */
  planned?: true
  input: JsonSchema
  output: JsonSchema
  problems: string[]
  summary: string
}

/** One entry of contract/functions/manifest.json, called by documents as `wallet.withdrawFee(…)`. */
export interface FunctionManifest {
  name: string
  about: string
  /** Parameters in order. */
  params: { name: string; type: JsonSchema }[]
  result: JsonSchema
  examples: { args: Record<string, unknown>; gives: unknown }[]
}

/** One entry of contract/topics.json, named by sources in `live`. */
export interface TopicManifest {
  name: string
  about: string
  /** The topic carries changed rows of this call's list, identified by `key`. */
  rows?: { call: string; key: string; stamp?: string; newest: 'first' | 'last'; by: Record<string, string> }
}

/** Names that documents may use. */
export interface Catalog {
  widgets: WidgetManifest[]
  functions: FunctionManifest[]
  /** Topics for `live` of sources. */
  topics: TopicManifest[]
  calls: CallManifest[]
  icons: string[]
  /** Calls and topics are those of the set itself, so an app that shows the set must be given them. */
  ownContract?: true
  /** Symbols of the instruments of a new database. When empty, symbols are not checked. */
  symbols: string[]
}

/** A file that was read; `file` is its path relative to the project, with slashes. */
export interface SourceFile {
  file: string
  text: string
}
export interface SourceDocument extends SourceFile {
  key: DocumentKey
  doc: AnyDoc
}
/** Texts: language → area → key path → text. */
export type TextCatalog = Record<string, Record<string, Record<string, string>>>

/** Finding of a check. `pointer` is a JSON pointer; `suggestion` the nearest valid name. */
export interface LintProblem {
  check: string
  severity: 'error' | 'warn'
  file: string
  line: number
  /** Column in an expression, from 1. */
  column?: number
  pointer: string
  message: string
  suggestion?: string
}

/** A document ready for publishing: fragments inlined; `requires`, `uses` and `areas` computed. */
export interface PreparedDocument {
  key: DocumentKey
  doc: AnyDoc
  /** Canonical JSON: sorted keys, no white space. Its sha256 is the address of the revision. */
  canonical: string
  computed: Omit<Computed, 'sha256'>
}
