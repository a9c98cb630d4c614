import { expect, test } from 'vitest'
import { messageInWords } from '#console/editor/problems/problem-words.rules.ts'
import { createWords } from '#console/io/words.ts'
import { editText, rangeOf } from '#language/edit/edit.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { families, familyChecks } from '#tests/mutations/families.ts'
import { meanings } from '#tests/mutations/meanings.ts'
import { type Mistake, mistakes } from '#tests/mutations/mistakes.ts'
import { checkWith, files, placeIn, textOf, withLongNode } from '#tests/mutations/product.ts'
import { unitMistakes } from '#tests/mutations/units.ts'
import { everyNth } from '#tests/support/house/sizes.ts'

interface Made {
  mistake: Mistake
  text: string
  where: string
}
function madeOf(mistake: Mistake): Made {
  const { file, at, value, where } = mistake
  const pointer = placeIn(file, at)
  return {
    mistake,
    text: editText(withLongNode(textOf(file), pointer), pointer, value),
    where: placeIn(file, where ?? at).replace(/\/-$/, ''),
  }
}

const touches = (a: string, b: string) => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)

/** Why a seeded mistake was not found as expected; undefined when it was. */
function missed({ mistake: { file, near }, text, where }: Made, problems: readonly LintProblem[]): string | undefined {
  const own = problems.filter((problem) => problem.file === file || file.startsWith('locales/') || where === '')
  const found = own.filter(({ pointer, file: stands }) => stands !== file || touches(pointer, where))
  if (found.length === 0)
    return problems.length === 0 ? 'nothing was said' : `told elsewhere: ${own.map(({ pointer, message }) => `${pointer} ${message}`)}`
  if (near !== undefined && !found.some(({ suggestion }) => suggestion === near))
    return `suggested ${found.map(({ suggestion }) => suggestion)}, not ${near}`
  const place = found.find((problem) => problem.file === file)
  const range = place && rangeOf(text, place.pointer)
  if (place && range && place.line !== text.slice(0, range.name?.from ?? range.from).split('\n').length)
    return `line ${place.line} is not that of ${place.pointer}`
}

test('the unchanged product has no mistake', () => {
  expect(checkWith({})).toEqual([])
})

test.each([
  ['of names and types', mistakes, 150, 0.98],
  ['of meaning', meanings, 80, 0.95],
  ['of units and money', unitMistakes, 40, 1],
  ['of time, reach, contradictions and numbers', families, 80, 0.95],
] as const)('nearly every mistake %s is found, with its place and the nearest right name', async (_kind, table, atLeast, shareMin) => {
  expect(table.length).toBeGreaterThanOrEqual(atLeast)
  const made = everyNth(table, 10).map(madeOf)
  const failed: string[] = []
  const said = new Set<string>()
  const english = new Set<string>()
  const { say } = await createWords('th')
  let waiting = [...made]
  while (waiting.length > 0) {
    // Mistakes in different files do not hide each other, so they are checked together.
    const round = new Map<string, Made>()
    for (const one of waiting) if (!round.has(one.mistake.file)) round.set(one.mistake.file, one)
    const alone = waiting.filter((one) => round.get(one.mistake.file) === one && checkAlone(one))
    for (const one of alone) report(one, checkWith({ [one.mistake.file]: one.text }))
    const together = [...round.values()].filter((one) => !alone.includes(one))
    const problems = together.length > 0 ? checkWith(Object.fromEntries(together.map(({ mistake, text }) => [mistake.file, text]))) : []
    for (const one of together) report(one, problems)
    waiting = waiting.filter((one) => round.get(one.mistake.file) !== one)
  }
  function report(one: Made, problems: readonly LintProblem[]): void {
    for (const { check, message } of problems) {
      said.add(check)
      if (messageInWords(message, undefined, say, {}) === message) english.add(message)
    }
    const why = missed(one, problems)
    if (why !== undefined) failed.push(`${one.mistake.name}: ${why}`)
  }
  if (table === families && made.length === table.length) expect([...said]).toEqual(expect.arrayContaining([...familyChecks]))
  expect([...english], 'not said in the words of the console').toEqual([])
  expect(failed.length / made.length, failed.join('\n')).toBeLessThanOrEqual(1 - shareMin)
})

/** A parse error ends the checks, so these mistakes are checked one by one. */
function checkAlone({ mistake: { file }, text }: Made): boolean {
  return files.has(file) && checkWith({ [file]: text }, true).length > 0
}
