import { propFacts, typeWords } from '#app/gallery/schema.ts'
import { type SampleSchema, sampleAnswer } from '#contract/samples.ts'
import { printPart } from '#language/text/json-text.ts'
import type { CallManifest, JsonSchema } from '#language/types/catalog.ts'
import { cell, code } from '#scripts/widget-guide.ts'

/**
 * docs/guides/calls.md: what documents may ask the API for, from the rows of the contract. Generated, so that it cannot be out of date;
 * `npm run generate -- --check` compares it.
 */
const head = `# Calls

Every call of the API, for those who write screens. Made by \`npm run generate\` from the rows in \`contract/calls/\`: change those, not this page. [Add a call](add-a-call.md)
says how one is added.

A call that reads may be a source of a screen; any other stands in a step. One that needs a login stands on a route with \`auth\`, or behind a guard that reads \`session.logged_in\`. Any
call may also refuse with the problems that all calls have in common. The sample is what flows, state tests and previews get as the answer; it is shown with one row in each list, and they get three.
`

/** What a decimal or a number counts, as the contract says it. */
function countedBy({ unit, coin, per }: JsonSchema): string | false {
  if (typeof unit !== 'string') return false
  return [unit, typeof coin === 'string' && `in ${coin}`, typeof per === 'string' && `for one ${per}`].filter(Boolean).join(' ')
}

/** Descriptions of the building blocks of the contract, which the type or the unit says already. */
const said = new Set(['exact decimal as text', 'milliseconds since 1970 UTC'])

/** Members of an answer by their path, those of rows behind the name of their list. */
function members(schema: JsonSchema, path = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const at = `${path}${name}`
    const row = part.type === 'array' && part.items?.properties ? part.items : undefined
    const below = row ? members(row, `${at}[].`) : part.properties ? members(part, `${at}.`) : []
    const key = typeof part.key === 'string' && `rows are told apart by ${code(part.key)}`
    const notes = [countedBy(part), !said.has(String(part.description)) && part.description, key].filter(Boolean).join('; ')
    return [`| ${code(at)} | ${cell(row ? 'list' : typeWords(part))} | ${cell(notes)} |`, ...below]
  })
}

function sectionOf(call: CallManifest): string {
  const { name, method, path, auth, reads, upload, keyed, problems, summary, input, output } = call
  const lines = [`## ${name}`, '', `${summary}.`, '', `- ${code(`${method} /api${path}`)}`]
  lines.push(`- ${reads ? 'It reads' : 'It changes or sends something'}${auth === 'none' ? '' : ', and needs a login'}`)
  if (keyed) lines.push(`- It takes an idempotency key${keyed === 'money' ? ', and moves money' : ''}`)
  if (upload) lines.push('- It takes one picture')
  if (problems.length > 0) lines.push(`- Problems of its own: ${problems.map(code).join(', ')}`)
  const asked = propFacts({ props: input })
  if (asked.length > 0) {
    lines.push('', '| argument | type | notes |', '| --- | --- | --- |')
    for (const { name: argument, type, required, notes } of asked)
      lines.push(`| ${code(argument)}${required ? ' **required**' : ''} | ${cell(type)} | ${cell(notes)} |`)
  }
  const told = members(output)
  if (told.length === 0) return [...lines, ''].join('\n')
  const sample = printPart(sampleAnswer({ name, output: output as SampleSchema }, {}, { rows: 1 }))
  return [...lines, '', '| answer | type | notes |', '| --- | --- | --- |', ...told, '', '```json', sample, '```', ''].join('\n')
}

export function callGuide(calls: readonly CallManifest[]): string {
  const anchor = (name: string) => name.replace('.', '').toLowerCase()
  const index = calls.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · ')
  return `${[head, index, '', ...calls.map(sectionOf)].join('\n').trimEnd()}\n`
}
