import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A file of the project; `path` is relative to its root, with slashes. */
export interface CodeFile {
  path: string
  text: string
}
export interface Import {
  /** As written. */
  from: string
  line: number
  /** Removed by compilation. */
  typeOnly: boolean
}

const notOurs = new Set(['node_modules', 'dist', 'data', '.git', 'coverage', 'test-results'])
const code = /\.(?:ts|tsx|mjs|css)$/

/** Every code file in `root`. */
export function readCode(root: string): CodeFile[] {
  const files: CodeFile[] = []
  const walk = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (notOurs.has(entry.name)) continue
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (code.test(entry.name)) files.push({ path, text: readFileSync(join(root, path), 'utf8') })
    }
  }
  walk('')
  return files
}

export function readIfThere(root: string, path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
}

const blank = (text: string) => text.replace(/[^\n]/g, ' ')

const stringOrComment = /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/g

/**
 * Replaces comments by spaces, so that lines keep their numbers and examples in comments do not count as code. Strings with slashes are
 * kept.
 */
export function withoutComments(text: string): string {
  return text.replace(stringOrComment, (match, literal) => literal ?? blank(match))
}

/** Returns the lines of all comments, without their marks, with the numbers of the lines in the file. */
export function commentLines(text: string): { line: number; text: string }[] {
  return [...text.matchAll(stringOrComment)].flatMap((match) => {
    if (match[1] !== undefined) return []
    const first = text.slice(0, match.index).split('\n').length
    return match[0].split('\n').map((one, at) => ({ line: first + at, text: one.replace(/^\s*(?:\/\*+|\*\/?|\/\/)\s*/, '') }))
  })
}

const statement =
  /(?:^|[\n;])\s*(?:import|export)\s+(type\s+)?([^'";]*?)\s*from\s*['"]([^'"]+)['"]|(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export function importsOf(file: CodeFile): Import[] {
  const text = withoutComments(file.text)
  return [...text.matchAll(statement)].map((match) => {
    const names = /^\{([\s\S]*)\}$/.exec(match[2] ?? '')?.[1]
    const onlyTypes = names
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .every((name) => name.startsWith('type '))
    const start = match.index + (match[0].length - match[0].trimStart().length)
    return {
      from: (match[3] ?? match[4] ?? match[5])!,
      line: text.slice(0, start).split('\n').length,
      typeOnly: Boolean(match[1]) || (names !== undefined && onlyTypes === true),
    }
  })
}

export const isTest = (path: string) => /(?:\.test|-fixture)\.tsx?$/.test(path) || path.startsWith('tests/')
export const roomOf = (path: string) => path.split('/')[0]!
/** `react-dom/client` belongs to react-dom, `@base-ui/react/dialog` to @base-ui/react. */
export const packageOf = (from: string) =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
