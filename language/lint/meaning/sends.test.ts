import { expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { type Change, filesWith } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'
import type { CallManifest, JsonSchema } from '#language/types/catalog.ts'

const home = 'schemas/screens/home.json'
const text: JsonSchema = { type: 'string' }
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const call = (name: string, more: Partial<CallManifest>): CallManifest => ({
  name,
  method: 'POST',
  path: `/${name}`,
  auth: 'none',
  input: object({ client: text, text, picture: text }, ['client', 'text']),
  output: object({}),
  problems: [],
  summary: name,
  ...more,
})
const row = object({ client: text, text, mine: { type: 'boolean' }, at: { type: 'integer', unit: 'ms' }, picture: text })
const calls = [
  call('note.list', {
    method: 'GET',
    reads: true,
    input: object({}),
    output: object({ list: { type: 'array', key: 'client', items: row } }),
  }),
  call('note.send', { keyed: 'data' }),
  call('note.plain', {}),
  call('note.pay', { keyed: 'money', unprompted: true }),
  call('note.login', { keyed: 'data', input: object({ client: text, text: { ...text, secret: true } }) }),
  call('note.number', { keyed: 'data', input: object({ client: { ...text, pattern: '^[0-9]+$' }, text }) }),
  call('note.short', { keyed: 'data', input: object({ client: { ...text, maxLength: 20 }, text }) }),
]

const send = { call: 'note.send', id: 'client', optimistic: { mine: true, at: { $: { now: [] } } } }
const source = { call: 'note.list', send }
const press = (step: object) => ({ press: [step] })
const step = { call: 'note.send', args: { text: 'x' } }
const button = '/body/0/slots/body/0'
const changes = (made: Change[]): Change[] => [
  [home, '/data/notes', structuredClone(source)],
  [home, `${button}/on`, press(step)],
  [home, `${button}/repeat`, { each: { $: 'data.notes.list' }, key: 'client' }],
  [home, `${button}/show`, { '===': [{ var: 'item.sending' }, 'failed'] }],
  ...made,
]

function found(made: Change[]): [check: string, pointer: string, message: string, severity: string, suggestion: string | undefined][] {
  const parsed = parse(filesWith(changes(made)))
  const problems = [...parsed.problems, ...lint(parsed.documents, texts(), { ...catalog, calls: [...catalog.calls, ...calls] })]
  return problems.map((one) => [one.check, one.pointer, one.message, one.severity, one.suggestion])
}

const at = '/data/notes/send'
const sends = (pointer: string, message: string, suggestion?: string) => ['sends', pointer, message, 'error', suggestion]
const sending = (name: string): Change[] => [
  [home, `${at}/call`, name],
  [home, `${button}/on`, press({ ...step, call: name })],
]

test.each<[string, Change[]]>([
  ['the engine gives the id, and rows have `sending`', []],
  ['steps about a row that failed', [[home, '/enter', [{ resend: 'x' }, { discard: 'x' }]]]],
  ['members made of the arguments', [[home, `${at}/optimistic/picture`, { $: 'value.picture' }]]],
])('right: %s', (_, made) => {
  expect(found(made)).toEqual([])
})

test.each<[string, Change[], ReturnType<typeof sends>]>([
  ['an unknown call', [[home, `${at}/call`, 'note.sent']], sends(`${at}/call`, 'there is no call "note.sent"', 'note.send')],
  ['a call without a key', sending('note.plain'), sends(`${at}/call`, 'note.plain takes no key: sent again, it could be stored twice')],
  [
    'a call that moves money',
    sending('note.pay'),
    sends(`${at}/call`, 'note.pay moves money: nothing may look done before the server has agreed'),
  ],
  ['a secret', sending('note.login'), sends(`${at}/call`, '"text" of note.login is a secret, and unsent rows are kept on the device')],
  ['an unknown argument for the id', [[home, `${at}/id`, 'clint']], sends(`${at}/id`, 'note.send takes no "clint"', 'client')],
  [
    'an argument that takes numbers',
    sending('note.number'),
    sends(`${at}/id`, '"client" of note.number takes no id such as 00000000-0000-4000-8000-000000000000'),
  ],
  [
    'an argument that is too short',
    sending('note.short'),
    sends(`${at}/id`, '"client" of note.short takes no id such as 00000000-0000-4000-8000-000000000000'),
  ],
  [
    'a source that is no list',
    [
      [home, '/data/site/send', { ...send, optimistic: {} }],
      [home, '/data/notes/send', undefined],
    ],
    sends('/data/site/send', 'site.info answers no list in which a row could stand'),
  ],
  [
    'a member that rows have not',
    [[home, `${at}/optimistic/mien`, true]],
    sends(`${at}/optimistic/mien`, 'rows of note.list have no "mien"', 'mine'),
  ],
  ['the id itself', [[home, `${at}/optimistic/client`, 'x']], sends(`${at}/optimistic/client`, 'the device gives the row its "client"')],
  [
    'members that are missing',
    [[home, `${at}/optimistic`, {}]],
    sends(at, 'until the server answers the row has no "mine", "at": give it in "optimistic"'),
  ],
  [
    'two sources that send one call',
    [[home, '/data/more', source]],
    sends('/data/more/send/call', 'another source of this document sends note.send already'),
  ],
  [
    'a result that is named',
    [[home, `${button}/on`, press({ ...step, as: 'sent' })]],
    sends(`${button}/on/press/0/as`, 'the row shows at once, before note.send has an answer: there is no result to name'),
  ],
  [
    'an id that the document makes',
    [[home, `${button}/on`, press({ ...step, args: { text: 'x', client: '1' } })]],
    sends(`${button}/on/press/0/args/client`, 'the device makes "client" for each row that it sends'),
  ],
  [
    'a step about rows where no source sends any',
    [['schemas/screens/orders/detail.json', '/enter', [{ discard: 'x' }]]],
    sends('/enter/0/discard', 'no source of this screen has "send"'),
  ],
])('wrong: %s', (_, made, problem) => {
  expect(found(made)).toContainEqual(problem)
})

test('a row that nothing sends, and a member of another type', () => {
  expect(found([[home, `${button}/on`, undefined]])).toEqual([['sends', `${at}/call`, 'no step here sends note.send', 'warn', undefined]])
  expect(found([[home, `${at}/optimistic/mine`, 'yes']]).map(([check, pointer]) => [check, pointer])).toEqual([
    ['sends', `${at}/optimistic/mine`],
  ])
})
