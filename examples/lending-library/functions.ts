import { type AnyFunction, defineFunction, operatorsOf } from '#contract/functions/define.ts'

const dayMs = 86_400_000

export const libraryDue = defineFunction({
  name: 'library.due',
  about: 'When a book is due: so many weeks after it was lent, and on the Monday where that is a Sunday (UTC), as the room is closed then.',
  params: { since: 'integer', weeks: 'integer' },
  result: 'integer',
  examples: [
    { args: { since: 1_767_225_600_000, weeks: 2 }, gives: 1_768_435_200_000 },
    { args: { since: 1_767_484_800_000, weeks: 1 }, gives: 1_768_176_000_000 },
  ],
  run({ since, weeks }) {
    const due = since + weeks * 7 * dayMs
    return new Date(due).getUTCDay() === 0 ? due + dayMs : due
  },
})

export const functions = [libraryDue] as unknown as readonly AnyFunction[]

/** The functions as operators of the language, by name. */
export const functionOperators = operatorsOf(functions)
