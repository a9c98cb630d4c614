import { nearest } from '#language/documents/nearest.ts'
import { EditProblem, editText, renameMember } from '#language/edit/edit.ts'
import { parseLogic } from '#language/text/logic-text.ts'
import { tokensOf } from '#language/text/logic-tokens.ts'
import { below, segmentsOf } from '#language/text/position.ts'
import { lengthened } from '#language/text/shorthand.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Matches suggestions that are a name or a path, and not JSON or advice. */
const plainName = /^[\p{L}\p{N}_$*.:/@#-]+$/u

interface Wrong {
  pointer: string
  /** True when the member's name is wrong, false when its value is. */
  isName: boolean
}

/**
 * Replaces the wrong name by the suggested one: exactly one value or one member's name changes. Undefined when the problem does not clearly
 * identify the name.
 */
export function applySuggestion(
  text: string,
  { pointer, suggestion, message }: Pick<LintProblem, 'pointer' | 'suggestion' | 'message'>,
): string | undefined {
  if (suggestion === undefined || !plainName.test(suggestion)) return undefined
  try {
    const doc = lengthened(JSON.parse(text))
    const inside = inExpression(doc, pointer, suggestion, message)
    if (inside) return editText(text, inside.pointer, inside.text)
    const value = valueAt(doc, pointer)
    if (value === undefined) return undefined
    const wrong = wrongName(value, pointer, suggestion, message)
    if (!wrong) return undefined
    return wrong.isName ? renameMember(text, wrong.pointer, suggestion) : editText(text, wrong.pointer, suggestion)
  } catch (problem) {
    if (problem instanceof EditProblem || problem instanceof SyntaxError) return undefined
    throw problem
  }
}

/** Replaces, in the expression at or around a pointer, the one name that the message means. */
function inExpression(doc: unknown, pointer: string, suggestion: string, message: string): { pointer: string; text: string } | undefined {
  let at = pointer
  while (at !== '' && valueAt(doc, at) === undefined) at = at.slice(0, at.lastIndexOf('/'))
  const text = valueAt(doc, at)
  if (typeof text !== 'string') return undefined
  const read = parseLogic(text)
  const part = pointer.slice(at.length).replace(/^\/\$(?=\/|$)/, '')
  const range = (read.ok && read.places.get(part)) || { from: 0, to: text.length }
  const quoted = new Set([...message.matchAll(/"([^"]+)"/g)].map(([, name]) => name as string))
  const names = namesIn(text).filter(({ from, to, text: name }) => from >= range.from && to <= range.to && name !== text)
  const paths = names.filter(({ bare }) => quoted.has(changedPart(bare, suggestion) ?? ''))
  const [only, ...others] = paths.length > 0 ? paths : names.filter(({ bare }) => quoted.has(bare))
  if (!only || others.length > 0) return undefined
  const isText = only.text !== only.bare
  const written = isText ? only.text[0] + suggestion + only.text[0] : suggestion
  return { pointer: at, text: text.slice(0, only.from) + written + text.slice(only.to) }
}

/** Names, paths and texts of an expression; `bare` is without quotes. */
function namesIn(text: string): { from: number; to: number; text: string; bare: string }[] {
  try {
    return tokensOf(text)
      .filter(({ kind }) => kind === 'path' || kind === 'word' || kind === 'text')
      .map(({ from, to, text: written, value, kind }) => ({ from, to, text: written, bare: kind === 'text' ? String(value) : written }))
  } catch {
    return []
  }
}

/** The one place that the message refers to: the member itself, its value, or one value or name inside it. */
function wrongName(value: unknown, pointer: string, suggestion: string, message: string): Wrong | undefined {
  const quoted = new Set([...message.matchAll(/"([^"]+)"/g)].map(([, name]) => name as string))
  const isMeant = (text: string) => quoted.has(text) || quoted.has(changedPart(text, suggestion) ?? '')
  const own = lastName(pointer)
  if (typeof value === 'string') {
    const [aboutName, aboutValue] = [quoted.has(own), isMeant(value)]
    if (aboutName && aboutValue) return undefined
    if (aboutName) return { pointer, isName: true }
    return aboutValue || nearest(value, [suggestion]) !== undefined ? { pointer, isName: false } : undefined
  }
  if (quoted.has(own) && !/^\d+$/.test(own)) return { pointer, isName: true }
  const places = [...placesIn(value, pointer)]
  const paths = places.filter(({ text }) => quoted.has(changedPart(text, suggestion) ?? ''))
  const found = paths.length > 0 ? paths : places.filter(({ text }) => quoted.has(text))
  if (found.length > 0) return found.length === 1 ? found[0] : undefined
  if (quoted.size > 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Nothing is quoted when the shape is unknown; the similar member name is meant.
  const near = Object.keys(value).filter((name) => nearest(name, [suggestion]) !== undefined)
  return near.length === 1 ? { pointer: below(pointer, near[0] as string), isName: true } : undefined
}

/** The part of a path that differs in the suggested path; undefined unless exactly one differs. */
function changedPart(path: string, suggestion: string): string | undefined {
  const [before, after] = [path.split('.'), suggestion.split('.')]
  if (before.length < 2 || before.length !== after.length) return undefined
  const different = before.filter((part, i) => part !== after[i])
  return different.length === 1 ? different[0] : undefined
}

/** All texts and member names below a place. */
function* placesIn(value: unknown, pointer: string): Generator<Wrong & { text: string }> {
  if (typeof value === 'string') yield { pointer, isName: false, text: value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    const at = below(pointer, name)
    if (!Array.isArray(value)) yield { pointer: at, isName: true, text: name }
    yield* placesIn(part, at)
  }
}

function lastName(pointer: string): string {
  return segmentsOf(pointer).at(-1) ?? ''
}

function valueAt(root: unknown, pointer: string): unknown {
  let current = root
  for (const name of segmentsOf(pointer)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Record<string, unknown>)[name]
  }
  return current
}
