import type { AnyDoc, Computed } from '#language/documents/documents.ts'
import type { DocumentKey } from '#language/publish/release.ts'

/** What a number counts. `money` is what people enter in a field with a coin behind it: an amount or a price. */
export type UnitKind = 'amount' | 'money' | 'share' | 'rate' | 'price' | 'lots' | 'ms' | 's'

/** JSON Schema as zod writes it (draft 2020-12). The members from `ref` on are this product's own annotations. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  /** Kind of thing that the text names: quick-entries, route, icon, prompt, sheet, symbol. */
  ref?: string
  /** People read it, so it comes from a text key. */
  text?: boolean
  decimal?: boolean
  /** The place is narrow: how wide a text may be, in letters (`textWidth`). Of a list of entries: each of their labels. */
  fits?: number
  unit?: UnitKind
  /**
   * Of an amount, a rate or a price: the member of the same row, or of a row around it, that names the coin, or the code of a coin in
   * capitals. Of a text `true`: it is the code of a coin.
   */
  coin?: string | true
  /** Of a rate or a price: the coin that it is for one of. */
  per?: string
  /** Where money goes: shown by the question before a call that moves it. */
  receiver?: boolean
  /** A password or a code: taken by no other argument, shown nowhere. */
  secret?: boolean
  /** Member that tells the rows of a list apart. */
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
  /** What its styles take from the theme. Absent: nothing. */
  looks?: WidgetLooks
  states: Record<string, unknown>
}

/** Read from the styles of a widget when the manifest is generated. */
export interface WidgetLooks {
  /** Names of the theme, by group: a widget that finds one missing draws nothing in its place. */
  names: { colour: string[]; space: string[]; radius: string[]; type: string[] }
  /** Colours of text, each with the colour that the same rule puts behind it; of several names the first that the theme has counts. */
  pairs: [text: string[], ground: string[]][]
}

/** One entry of contract/manifest.json. */
export interface CallManifest {
  name: string
  method: string
  path: string
  auth: 'none' | 'user' | 'operator'
  /** It changes something, and takes an idempotency key; money: the answer is kept in the transaction that moves it. */
  keyed?: 'money' | 'data'
  /** It only reads, so it may be data of a screen. */
  reads?: true
  /** Takes one file in the field `file`, beside its input. */
  upload?: true
  input: JsonSchema
  output: JsonSchema
  problems: string[]
  summary: string
}

/** One entry of contract/functions/manifest.json: what documents call as `wallet.withdrawFee(…)`. */
export interface FunctionManifest {
  name: string
  about: string
  /** In the order in which they are given. */
  params: { name: string; type: JsonSchema }[]
  result: JsonSchema
  examples: { args: Record<string, unknown>; gives: unknown }[]
}

/** One entry of contract/topics.json: what a source may name in `live`. */
export interface TopicManifest {
  name: string
  about: string
  /** It carries the changed rows of this call's list, which are told apart by `key`. */
  rows?: { call: string; key: string; stamp?: string; newest: 'first' | 'last'; by: Record<string, string> }
}

/** What documents may name. */
export interface Catalog {
  widgets: WidgetManifest[]
  functions: FunctionManifest[]
  /** What a source may name in `live`. */
  topics: TopicManifest[]
  calls: CallManifest[]
  icons: string[]
  /** Calls and topics are those of the set itself, so an app that shows the set must be given them. */
  ownContract?: true
  /** Markets that a new database trades. Empty: none are known, and none are checked. */
  symbols: string[]
}

/** A file as it was read; `file` is its path below the project, with slashes. */
export interface SourceFile {
  file: string
  text: string
}
export interface SourceDocument extends SourceFile {
  key: DocumentKey
  doc: AnyDoc
}
/** Words: language → area → key path → text. */
export type TextCatalog = Record<string, Record<string, Record<string, string>>>

/** What a check found. `pointer` is a JSON pointer; `suggestion` the nearest right name. */
export interface LintProblem {
  check: string
  severity: 'error' | 'warn'
  file: string
  line: number
  /** Of an expression, from 1. */
  column?: number
  pointer: string
  message: string
  suggestion?: string
}

/** A document ready to be published: fragments inlined, `requires`, `uses` and `areas` computed. */
export interface PreparedDocument {
  key: DocumentKey
  doc: AnyDoc
  /** Canonical JSON: keys sorted, no white space. Its sha256 is the address of the revision. */
  canonical: string
  computed: Omit<Computed, 'sha256'>
}
