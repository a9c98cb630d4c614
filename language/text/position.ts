import { limits } from '#language/documents/limits.ts'
import { isExact } from '#language/expression/decimal.ts'

/** Result of one pass over the text of a document, before JSON.parse. */
interface Outline {
  /** Line number, from 1, of each JSON pointer. */
  lines: ReadonlyMap<string, number>
  /**
   * The first forbidden construct: too deep nesting, a repeated name in an object, a name that objects inherit, or a number that
   * a double cannot hold: JSON.parse would round it without a word.
   */
  problem?: { pointer: string; line: number; message: string }
}

/** Names that objects inherit: as a key they would change all objects, so no part of a document, no file and no folder has one. */
export const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

interface Level {
  pointer: string
  /** Names so far in an object; undefined in a list. */
  names: Set<string> | undefined
  index: number
}

/**
 * Finds the position of every part. Syntax errors are left to JSON.parse. Stops at the depth limit, so that hostile nesting costs nothing.
 */
export function outline(text: string): Outline {
  const lines = new Map<string, number>([['', 1]])
  const levels: Level[] = []
  let line = 1
  let pointer = ''
  let atName = false
  let i = 0
  while (i < text.length) {
    const char = text[i]
    if (char === '\n') line += 1
    else if (char === '{' || char === '[') {
      if (levels.length >= limits.documentDepthMax)
        return { lines, problem: { pointer, line, message: `deeper than ${limits.documentDepthMax} levels` } }
      lines.set(pointer, lines.get(pointer) ?? line)
      levels.push({ pointer, names: char === '{' ? new Set() : undefined, index: 0 })
      atName = char === '{'
      if (char === '[') {
        pointer = `${pointer}/0`
        lines.set(pointer, line + newLines(text, i + 1, skipBlank(text, i + 1)))
      }
    } else if (char === '}' || char === ']') {
      pointer = levels.pop()?.pointer ?? ''
      atName = false
    } else if (char === ',') {
      const level = levels.at(-1)
      if (level?.names) atName = true
      else if (level) {
        level.index += 1
        pointer = `${level.pointer}/${level.index}`
        const from = skipBlank(text, i + 1)
        lines.set(pointer, line + newLines(text, i + 1, from))
      }
    } else if (char === '"') {
      const end = endOfString(text, i)
      const level = levels.at(-1)
      if (atName && level?.names) {
        const name = nameOf(text.slice(i, end))
        pointer = `${level.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
        if (level.names.has(name)) return { lines, problem: { pointer, line, message: `"${name}" occurs twice in this object` } }
        if (inherited.has(name)) return { lines, problem: { pointer, line, message: `"${name}" may not be a name` } }
        level.names.add(name)
        lines.set(pointer, line)
        atName = false
      }
      i = end
      continue
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) {
      numberAt.lastIndex = i
      const found = numberAt.exec(text)?.[0] ?? char
      if (!isExact(found) && found !== '-')
        return { lines, problem: { pointer, line, message: `${found} has more digits than a number keeps: write it as text, "${found}"` } }
      i += found.length
      continue
    }
    i += 1
  }
  return { lines }
}

const numberAt = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Index after the closing quote. */
function endOfString(text: string, open: number): number {
  let i = open + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return Math.min(i + 1, text.length)
}

function nameOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}

function skipBlank(text: string, from: number): number {
  let i = from
  while (i < text.length && /\s/.test(text[i] as string)) i += 1
  return i
}

function newLines(text: string, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i += 1) if (text[i] === '\n') count += 1
  return count
}

/** Line of a pointer, or of the nearest part around it. */
export function lineOf(lines: ReadonlyMap<string, number>, pointer: string): number {
  let at = pointer
  while (at !== '') {
    const line = lines.get(at)
    if (line !== undefined) return line
    at = at.slice(0, at.lastIndexOf('/'))
  }
  return 1
}

/** Line at which JSON.parse failed, from its message. */
export function lineOfSyntax(text: string, message: string): number {
  const position = /position (\d+)/.exec(message)?.[1]
  return newLines(text, 0, position === undefined ? text.length : Number(position)) + 1
}

/** Appends a name to a pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** Names of a pointer, unescaped. "" is the document itself and has none. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Lists of nodes around the body of a screen with a title: `/toolbar`, `/head` and `/foot` of the document. */
export const frameLists = ['toolbar', 'head', 'foot'] as const
