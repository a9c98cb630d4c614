import { expect, test } from 'vitest'
import type { NodeDoc, ScreenDoc } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { badInputs, nameOf } from '#tests/support/bad-inputs.ts'

const registry = createRegistry([])
const file = 'schemas/screens/large.json'
/** Like documents of the product: a text key each, and a condition on every fourth. */
const leaf = (i: number): NodeDoc => ({
  id: `n${i}`,
  widget: 'text',
  props: { text: { $t: 'home.title', symbol: 'BTC' }, size: 'sm', tone: 'quiet' },
  ...(i % 4 === 0 && { show: { '===': [{ var: 'state.tab' }, i] } }),
})
const screen = (nodes: number, more: object = {}): ScreenDoc => ({
  kind: 'screen',
  id: 'large',
  format: 1,
  body: [{ id: 'page', widget: 'page', slots: { body: Array.from({ length: nodes - 1 }, (_, i) => leaf(i)) } }],
  ...more,
})
const nested = (levels: number): NodeDoc =>
  levels === 0 ? leaf(0) : { id: `l${levels}`, widget: 'page', slots: { body: [nested(levels - 1)] } }
const filled = (bytes: number) => {
  const short = JSON.stringify(screen(limits.nodesPerScreenMax, { state: { pad: '' } }))
  return JSON.stringify(screen(limits.nodesPerScreenMax, { state: { pad: 'x'.repeat(bytes - short.length) } }))
}

/** Least time of processor, in ms, to compile screens as received: with nothing compiled before. */
function compileMs(texts: string[]): number {
  const spent = Array.from({ length: 9 }, () => {
    const docs = texts.map((text) => JSON.parse(text) as ScreenDoc)
    const before = process.cpuUsage()
    for (const doc of docs) compileScreen(doc, registry)
    return process.cpuUsage(before).user / 1_000
  })
  return Math.min(...spent)
}

test('the largest permitted document is read, and its nodes take no longer each than those of a small one', () => {
  const text = filled(limits.documentBytesMax)
  const { documents, problems } = parse([{ file, text }])
  expect([text.length, problems, documents.length]).toEqual([limits.documentBytesMax, [], 1])
  const { root } = compileScreen(JSON.parse(text) as ScreenDoc, registry)
  expect(root.slots.body?.[0]?.slots.body).toHaveLength(limits.nodesPerScreenMax - 1)
  // A quadratic step would make the ratio 10. Garbage collection of the larger heap makes it more than 1.
  const small = JSON.stringify(screen(limits.nodesPerScreenMax / 10))
  expect(compileMs([text]) / compileMs(Array.from({ length: 10 }, () => small))).toBeLessThan(4)
})

const over: [string, string, RegExp][] = [
  ['a byte too many', filled(limits.documentBytesMax + 1), /at most 1048576 bytes/],
  ['characters of several bytes', JSON.stringify(screen(2, { state: { pad: '字'.repeat(400_000) } })), /at most 1048576 bytes/],
  ['a node too many', JSON.stringify(screen(limits.nodesPerScreenMax + 1)), /at most 5000 nodes, not 5001/],
  ['nodes deep in each other', JSON.stringify(screen(2, { body: [nested(12)] })), /deeper than 32 levels/],
  ['very deep', `{"kind":"screen","state":${'['.repeat(400_000)}`, /deeper than 32 levels/],
]
test.each(over)('%s: refused with a message', (_, text, said) => {
  const { documents, problems } = parse([{ file, text }])
  expect(documents).toEqual([])
  expect(problems).toMatchObject([{ file, severity: 'error', message: expect.stringMatching(said) }])
})

test.each([
  ['a node too many', screen(limits.nodesPerScreenMax + 1)],
  ['nodes deep in each other', screen(2, { body: [nested(limits.nodeDepthMax)] })],
  ['so deep that a call would not come back', screen(2, { body: [nested(5_000)] })],
])('a client refuses a screen that exceeds the limits: %s', (_, doc) => {
  expect(() => compileScreen(doc, registry)).toThrow(/over 5000 nodes, or 20 deep/)
  expect(() => compileScreen(screen(2, { body: [nested(limits.nodeDepthMax - 1)] }), registry)).not.toThrow()
})

const readers = [file, 'schemas/app.json', 'schemas/routes.json', 'schemas/theme.json', 'schemas/prompts/x.json']
test.each(badInputs('config-doc').map((line) => [nameOf(line).slice(0, 120), line.value] as const))('is no document: %s', (_, value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  for (const path of readers) {
    const { documents, problems } = parse([{ file: path, text }])
    expect(documents).toEqual([])
    expect(problems.length).toBeGreaterThan(0)
    for (const { pointer, line, message } of problems)
      expect([pointer, line > 0, message.length > 5]).toEqual([expect.stringMatching(/^(\/|$)/), true, true])
  }
})

const bodies = badInputs('config-doc').flatMap(({ value }) =>
  typeof value === 'object' && value !== null ? [value as Record<string, unknown>] : [],
)
test.each(bodies.map((value) => [JSON.stringify(value).slice(0, 90), value] as const))(
  'in the place of a node, and of its props: %s',
  (_, value) => {
    for (const body of [[value], [{ id: 'a', widget: 'text', props: value }], [{ id: 'a', widget: 'page', slots: value }]]) {
      const { documents, problems } = parse([{ file, text: JSON.stringify(screen(2, { body })) }])
      const found = [
        ...problems,
        ...lint(
          documents,
          {},
          {
            widgets: [
              {
                type: 'text',
                major: 1,
                props: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
                events: [],
                slots: {},
                label: null,
                states: {},
              },
            ],
            functions: [],
            calls: [],
            icons: [],
            topics: [],
            symbols: [],
          },
        ),
      ]
      expect(found.some(({ pointer }) => pointer.startsWith('/body/0'))).toBe(true)
    }
  },
)
