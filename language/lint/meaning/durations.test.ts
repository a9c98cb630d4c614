import { expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { texts } from '#language/testdata/project.ts'

const file = (path: string, doc: object) => ({ file: path, text: JSON.stringify(doc) })

function found(everyMs: number): [file: string, pointer: string, message: string, suggestion: string | undefined][] {
  const { documents, problems } = parse([
    file('fragment.json', {
      kind: 'fragment',
      id: 'polled',
      format: 2,
      params: { everyMs: { type: 'integer' } },
      data: { rows: { call: 'orders.list', everyMs: '= params.everyMs' } },
      body: [{ id: 'rows', widget: 'button' }],
    }),
    file('screen.json', { kind: 'screen', id: 'orders', format: 2, body: [{ use: 'polled', with: { everyMs } }] }),
  ])
  expect(problems).toEqual([])
  const said = lint(documents, texts(), catalog).filter(({ check }) => check === 'durations')
  return said.map((one) => [one.file, one.pointer, one.message, one.suggestion])
}

test.for([
  [5, [['screen.json', '/body/0', 'this counts in milliseconds, and 5 looks like seconds', '5000']]],
  [999, [['screen.json', '/body/0', 'this counts in milliseconds, and 999 looks like seconds', '999000']]],
  [1_000, []],
] as const)('a use that polls every %s ms', ([everyMs, problems]) => {
  expect(found(everyMs)).toEqual(problems)
})
