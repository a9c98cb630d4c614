import { defineFunction } from '#contract/functions/define.ts'
import { type TermKind, termFits, termKinds } from '#contract/rules/term.rules.ts'

export const termsFits = defineFunction({
  name: 'terms.fits',
  about:
    'Whether a text is a term of a kind: decimal, whole, percent, or a time in UTC such as 2026-12-31 08:00. The range has conditions of a number, such as "> 0, < 100".',
  params: { kind: 'text', text: 'text', range: 'text' },
  result: 'boolean',
  examples: [
    { args: { kind: 'decimal', text: '0.5', range: '> 0' }, gives: true },
    { args: { kind: 'percent', text: '100', range: '>= 0, < 100' }, gives: false },
    { args: { kind: 'time', text: '2026-12-31', range: '' }, gives: false },
  ],
  run({ kind, text, range }) {
    if (!termKinds.includes(kind as TermKind)) throw new RangeError(`there are no terms of the kind ${kind}`)
    return termFits(kind as TermKind, text, range)
  },
})
