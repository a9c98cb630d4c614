import { nameIn, valueAt } from '#console/editor/document/pointer.ts'
import type { LintProblem } from '#language/catalog.ts'
import { EditProblem, editText, renameMember } from '#language/edit.ts'
import { distance } from '#language/nearest.ts'

/**
 * The text with the nearest right name in place: as the value, as the path inside of it, or as the name of the member. Undefined where it is not
 * plain what the name stands for.
 */
export function applySuggestion(
  text: string,
  { pointer, suggestion, message }: Pick<LintProblem, 'pointer' | 'suggestion' | 'message'>,
): string | undefined {
  if (suggestion === undefined) return undefined
  try {
    const doc: unknown = JSON.parse(text)
    const value = valueAt(doc, pointer)
    if (value === undefined) return undefined
    const name = nameIn(pointer)
    if (isAboutName(message, name)) return renameMember(text, pointer, suggestion)
    const place = placeOf(value, pointer, suggestion)
    return place === undefined ? undefined : editText(text, place, suggestion)
  } catch (problem) {
    if (problem instanceof EditProblem || problem instanceof SyntaxError) return undefined
    throw problem
  }
}

/** `"tilte" is not a member here`, `no prop "tilte"`: the message speaks of the member's name, not of its value. */
function isAboutName(message: string, name: string): boolean {
  return message.includes(`"${name}"`) && !/^\d+$/.test(name)
}

/** The text in the value that is nearest to the suggestion: the value itself, or one member of an expression. */
function placeOf(value: unknown, pointer: string, suggestion: string): string | undefined {
  if (typeof value === 'string') return pointer
  const texts = [...stringsIn(value, pointer)]
    .map(({ at, text }) => ({ at, steps: distance(text, suggestion) }))
    .sort((a, b) => a.steps - b.steps)
  const [best, second] = texts
  return best && best.steps <= 6 && (second === undefined || second.steps > best.steps) ? best.at : undefined
}

function* stringsIn(value: unknown, pointer: string): Generator<{ at: string; text: string }> {
  if (typeof value === 'string') yield { at: pointer, text: value }
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value))
      yield* stringsIn(part, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}
