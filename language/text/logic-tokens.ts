import { isExact } from '#language/expression/decimal.ts'

/** Tokens of an expression text. */

/** A syntax error of an expression text, for people. Offsets are in the text, `to` exclusive. */
export class LogicProblem extends Error {
  readonly from: number
  readonly to: number
  /** The tokens that would be valid there. */
  readonly expected: readonly string[]
  readonly suggestion: string | undefined
  constructor({ from, to }: { from: number; to: number }, message: string, expected: readonly string[], suggestion?: string) {
    super(message)
    this.name = 'LogicProblem'
    this.from = from
    this.to = to
    this.expected = expected
    this.suggestion = suggestion
  }
}

export interface Token {
  kind: 'number' | 'text' | 'path' | 'word' | 'sign' | 'end'
  text: string
  from: number
  to: number
  /** Value of a number or text. */
  value?: unknown
}

const textMax = 20_000
const number = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const quoted = /"(?:[^"\\]|\\.)*"|'[^'\\\n]*'/y
const name = /[A-Za-z_]\w*/y
/** After a root; a dash belongs to the name when a letter or digit follows it. */
const member = /\.\w+(?:-\w+)*/y
const own = /\.(?:\w+(?:-\w+)*)?/y
const sign = /\?\?|===|!==|==|!=|<=|>=|&&|\|\||!!|[=<>≤≥≠+\-*/%(),![\]]/y

/** @throws LogicProblem at the first character that starts no token */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  if (text.length > textMax)
    throw new LogicProblem({ from: textMax, to: text.length }, `an expression has at most ${textMax} characters`, [])
  let at = 0
  const scan = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0]
  }
  const add = (kind: Token['kind'], written: string, value?: unknown) => {
    tokens.push({ kind, text: written, from: at, to: at + written.length, ...(value !== undefined && { value }) })
    at += written.length
  }
  while (at < text.length) {
    const char = text[at] as string
    if (/\s/.test(char)) at += 1
    else if (char === '"' || char === "'") {
      const found = scan(quoted)
      const value = found === undefined ? undefined : read(found)
      if (found === undefined || value === undefined)
        throw new LogicProblem({ from: at, to: text.length }, 'a text is not closed, or has a character that needs a backslash', [char])
      add('text', found, value)
    } else if (/\d/.test(char)) {
      const found = scan(number) as string
      if (!isExact(found))
        throw new LogicProblem(
          { from: at, to: at + found.length },
          `${found} has more digits than a number keeps: write it as text, '${found}'`,
          [],
        )
      add('number', found, Number(found))
    } else if (/[A-Za-z_.]/.test(char)) {
      const found = wholePath(text, at, scan)
      add(/[.[]/.test(found) ? 'path' : 'word', found)
    } else {
      const found = scan(sign)
      if (found === undefined) throw new LogicProblem({ from: at, to: at + 1 }, `${JSON.stringify(char)} is not allowed here`, [])
      add('sign', found)
    }
  }
  tokens.push({ kind: 'end', text: '', from: text.length, to: text.length })
  return tokens
}

function read(found: string): string | undefined {
  if (found.startsWith("'")) return found.slice(1, -1)
  try {
    return JSON.parse(found) as string
  } catch {
    return undefined
  }
}

function wholePath(text: string, from: number, scan: (pattern: RegExp) => string | undefined): string {
  let to = from + (scan(text[from] === '.' ? own : name) ?? '').length
  for (;;) {
    member.lastIndex = to
    const found = member.exec(text)?.[0]
    if (found !== undefined) to += found.length
    else if (text[to] === '[') {
      const close = closing(text, to)
      if (close === undefined) throw new LogicProblem({ from: to, to: text.length }, 'a bracket is not closed', [']'])
      to = close + 1
    } else if (text[to] === '.' && to > from + 1)
      throw new LogicProblem({ from: to, to: to + 1 }, 'a name is missing after the dot', ['a name'])
    else return text.slice(from, to)
  }
}

function closing(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '[') depth += 1
    else if (text[at] === ']') depth -= 1
    if (depth === 0) return at
  }
  return undefined
}
