import { nearest } from '#language/documents/nearest.ts'
import type { Catalog, LintProblem, SourceDocument, SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** The result of a command: text for people, data for machines. */
export interface Answer {
  ok: boolean
  text: string
  json: unknown
}

/** The input of a command. */
export interface Call {
  /** Folder of the project. */
  root: string
  words: readonly string[]
  options: ReadonlyMap<string, string>
  /** Says how far it is, while it works; not part of the answer. */
  tell: (text: string) => void
}

export interface Command {
  name: string
  /** The arguments after the name: `<screen> <node> --scope file.json`. */
  takes: string
  /** One line. */
  does: string
  /** Options and examples, for `help <command>`. */
  more?: string
  run: (call: Call) => Answer | Promise<Answer>
}

/** Documents and words of one state of the product, read and parsed. */
export interface Project {
  name: string
  /** Sources by path. */
  files: Readonly<Record<string, string>>
  /** The documents among them, as text. */
  sources: readonly SourceFile[]
  documents: SourceDocument[]
  texts: TextCatalog
  catalog: Catalog
  /** Problems of the files that could not be read. */
  problems: LintProblem[]
  /** The readable rest of documents that could not be read. */
  partial: SourceDocument[]
  /** Where a file of the set stands in the project; undefined for one that belongs to another set and is checked there. */
  pathOf: (file: string) => string | undefined
}

/** Options that have no value behind them. */
export const flags: ReadonlySet<string> = new Set([
  'json',
  'help',
  'logout',
  'prepared',
  'api',
  'prune',
  'flows',
  'write',
  'force',
  'fill',
  'emergency',
  'logic',
  'planned',
])

export const failed = (text: string): Answer => ({ ok: false, text, json: { ok: false, message: text } })

/** `; nearest: home`, or nothing. */
export function hint(word: string, names: readonly string[]): string {
  const near = nearest(word, names)
  return near === undefined ? '' : `; nearest: ${near}`
}

export function showProblem({ file, line, column, pointer, check, severity, message, suggestion }: LintProblem): string {
  const near = suggestion === undefined ? '' : `\n    nearest: ${suggestion}`
  return `${file}:${line}${column === undefined ? '' : `:${column}`} ${severity} ${check} ${pointer}\n    ${message}${near}`
}

/** Words and options of a line; an option is followed by its value unless it is a flag. */
export function readLine(argv: readonly string[]): { words: string[]; options: Map<string, string> } {
  const words: string[] = []
  const options = new Map<string, string>()
  for (let i = 0; i < argv.length; i += 1) {
    const word = argv[i] as string
    if (!word.startsWith('--')) words.push(word)
    else if (flags.has(word.slice(2))) options.set(word.slice(2), '')
    else {
      i += 1
      options.set(word.slice(2), argv[i] ?? '')
    }
  }
  return { words, options }
}
