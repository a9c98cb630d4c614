import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import messages from '#console/editor/problems/messages.json'
import { messageInWords, phraseInWords } from '#console/editor/problems/problem-words.rules.ts'
import { createWords } from '#console/io/words.ts'
import { isTest, readCode } from '#tests/support/house/tidy.files.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Folders whose literals with a blank are messages for people who write documents. */
const rooms = /^(?:language\/(?:lint|types|text|documents|expression)|config-server\/shapes)\/|^language\/edit\/edit\.ts$/
/** Files that write documents, describe members or name things for a program. */
const others = /\/(?:reference|json-text|infix|shorthand|text-code|meta|editor-schemas|walk|nearest)\.ts$/
/** Calls and members whose texts are no messages. */
const notSaid = /^(?:describe|meta|join|split|startsWith|replaceAll|has|add|Error|description|suggestion|title|about|name|nameOrParam|cat)$/
/** Sentences that the checks put together, and below the parts of them that the code holds. */
const assembled = [
  'at least 1 entry',
  'at most 12 characters',
  'there is no kind "screens"',
  'there is no /fields/9',
  '"%" is not available: use "has"',
  '"===" is not available: use "===": it compares decimals by amount and everything else strictly',
  '"log" is not available: there is no console',
  '"a[b": a bracket is not closed or not allowed here',
  'the prompt "a" before b.c is given "form.amount" and does not show it',
  'the prompt "a" before b.c is not given "form.amount", so it cannot show the amount',
  'the answer to previous arguments must not be kept: it contains the balance',
  'the id "a" is already used at /body/0 (from fragment "b"; give the use a name with "as")',
  '"a" of "max" takes a number, not true or false',
  '"a" of "max" takes a text, not array',
  'the field "a" refuses "1e3": it is no number: write digits, with a dot before decimals and without an exponent',
  '"max" is "1e3": it is no number: write digits, with a dot before decimals and without an exponent',
  '"a" takes a whole number of at most 15 digits, not "1.5"',
  '"id" takes an id, and "index" is the place in the list, which changes when a row comes or goes',
  '"id" takes an id, and this is an amount',
  '"amount" takes an amount, and "item.id" is an id',
  '"data.a" is read when the screen opens, and its own answer may not be there yet',
  '"data.a" is read when "b" has its answer, and its own answer may not be there yet',
  'no route shows the screen "a"',
  'nothing uses the fragment "a"',
  'no step confirms with the prompt "a"',
  'no widget shows the quick-entries "a"',
  'no screen shows the form "a"',
  'the text "a.b" has no context "buy" in ja, ko',
  '"muted" on "panel", as badge shows it, has a contrast of 2.10 : 1, at least 4.5 is required',
  '"space" has no "wide", which table and 2 other widgets use',
  'nothing says how many rows this list has at most: with more than 1000, "map" shows an error. Name the greatest number in the contract of the call, or take "first(…, 1000)"',
  'this list may have 5000 rows: with more than 1000, "map" shows an error. Name the greatest number in the contract of the call, or take "first(…, 1000)"',
  '"data.a" is looked up by "id", a number: "form.b" is none',
  'the rate is "USDT" for one "BTC", so an amount of "USDT" is divided by it, not multiplied',
  'milliseconds multiplied by 1000 are no time',
]
const parts = new Set([
  'at least […]',
  'at most […]',
  'there is no kind […]',
  'there is no […]',
  'such place',
  'the top',
  'use "===": it compares decimals by amount and everything else strictly',
  'use "!=="',
  'use "has"',
  'use "if"',
  'there is no console',
  'methods cannot be called',
  'lists are not joined',
  'inside logic, read a path with {"var": "…"}',
  'write t(…) inside logic',
  '"[…]": a bracket is not closed or not allowed here',
  'is given "[…]" and does not show it',
  'is not given "[…]", so it cannot show the amount',
  'the prompt […] before […] [why]',
  'it contains the balance',
  'this screen sends […]',
  ' (from fragment "[…]"; give the use a name with "as")',
  '"[…]" of "[…]" takes [why]',
  'a number, not [why]',
  '[…], not […]',
  'problem code',
  'topic with rows',
  'a step is above zero',
  '"[…]" takes [why]',
  'an id, and "index" is the place in the list, which changes when a row comes or goes',
  'an id, and this is […]',
  'an amount, and "[…]" is an id',
  'when the screen opens',
  'when "[…]" has its answer',
  '"data.[…]" is read […], and its own answer may not be there yet',
  'no route shows',
  'nothing uses',
  'no step confirms with',
  'no widget shows',
  'no screen shows',
  '[…] the […] "[…]"',
  ' in […]',
  'the text "[…]" has no context "[…]"[…]',
  ', as […] shows it,',
  '"[…]" on "[…]"[…] has a contrast of […] : 1, at least […] is required',
  ' and […] other widgets',
  'a path',
  'a text in quotes',
  'a call',
  'an operator',
  'a name',
  '[…] to […]',
  'nothing says how many rows this list has at most',
  'this list may have […] rows',
  '[…]: with more than […], "[…]" shows an error. Name the greatest number in the contract of the call, or take "first(…, […])"',
  '"[…]" [why]: "[…]" is none',
  'is looked up by "[…]"[…]',
  ', a number',
  'divided by it, not multiplied',
  'multiplied by it, not divided',
  '[…] for one […]',
  'the […] is […], so an amount of […] is […]',
  '[…] […] by 1000 are no time',
  '[…] […]',
  '[…] in […]',
])
/** Why a field refuses a value is left to the field: the console says that it does. */
const isPart = (text: string) => parts.has(text) || /^it (?:is|has) /.test(text)

interface Node {
  type: string
  start: number
  end: number
  [member: string]: unknown
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** All texts of a source that hold a blank, with […] where something is filled in and [why] where a reason is. */
function textsOf(code: string): string[] {
  const found: string[] = []
  const source = ({ start, end }: Node) => code.slice(start, end).replace(/\s+/g, ' ')
  const nameOf = ({ type, callee, key }: Node) => {
    const named = type === 'Property' ? key : callee
    return isNode(named) ? source(named).split('.').at(-1)!.trim() : ''
  }
  const visit = (value: unknown, around: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, around)
    if (!isNode(value) || /^(?:TS(?!As|Satisf)|ImportDecl)/.test(value.type)) return
    let text = value.type === 'Literal' && typeof value.value === 'string' ? value.value : undefined
    if (value.type === 'TemplateLiteral') {
      const filled = value.expressions as Node[]
      text = (value.quasis as { value: { cooked: string } }[])
        .map((quasi, i) => quasi.value.cooked + (filled[i] ? (/\b(?:why|message)\b/.test(source(filled[i])) ? '[why]' : '[…]') : ''))
        .join('')
    }
    if (text !== undefined && /\S \S/.test(text.replaceAll('[…]', 'x')) && !notSaid.test(around)) found.push(text)
    const within = ['CallExpression', 'NewExpression', 'Property'].includes(value.type) ? nameOf(value) || around : around
    for (const [member, inner] of Object.entries(value)) if (member !== 'key') visit(inner, within)
  }
  visit(parseSync('source.ts', code).program.body, '')
  return found
}

/** A message as it would be written: a reason is a message itself, all else is a 1. */
const sampleOf = (text: string) => text.replaceAll('[why]', 'a value is compared with itself').replaceAll('[…]', '1')

test('each message of the checks is said in the words of the console', async () => {
  const { say } = await createWords('th')
  const code = readCode(projectRoot).filter(({ path }) => rooms.test(path) && !others.test(path) && !isTest(path))
  const said = [...new Set(code.flatMap(({ text }) => textsOf(text)))].filter((text) => !isPart(text) && phraseInWords(text, say) === text)
  expect(said.length).toBeGreaterThan(250)
  const samples = [...assembled, ...said.map(sampleOf)]
  const left = samples.filter((sample) => messageInWords(sample, undefined, say, {}) === sample)
  expect(left).toEqual([])
})

test('each text of the table is one of the console', async () => {
  const { say } = await createWords('en')
  expect(Object.values(messages).filter((key) => say(`said.${key}`).includes(`said.${key}`))).toEqual([])
})

test.each([
  [['world.report("x", `the form has no field ', '{field}`)'].join('$'), ['the form has no field […]']],
  ["z.string().describe('a word of the guide')", []],
  ["const kinds: Record<'a b', string> = { a: 'it is no day' }", ['it is no day']],
  ["words.join(', ')", []],
])('messages of %s', (code, texts) => {
  expect(textsOf(code)).toEqual(texts)
})
