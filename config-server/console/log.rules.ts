import { type ConsoleAction, consoleActions, type LogChoice, type LogRow, type LogValue, logMost } from '#contract/console/console.rows.ts'
import { isObject } from '#language/documents/json.ts'
import type { AuditRow } from '#language/publish/publishing.ts'

/** Rows of the log of publishing as pages show them: values before and after, and other values, each with the name of its label. */

type Shown = { name: LogValue; choice: '' | LogChoice; values: string[] }
/** A value of `detail`: its label, and how its value is shown. */
type Reader = (value: unknown) => Shown[]

const listed = (value: unknown): string[] => {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.slice(0, logMost.parts).flatMap(listed)
  return [typeof value === 'object' ? JSON.stringify(value) : String(value)]
}
const of =
  (name: LogValue, choice: '' | LogChoice = ''): Reader =>
  (value) => [{ name, choice, values: listed(value) }]
const timeOf = (value: unknown) =>
  typeof value === 'number' ? [`${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`] : []

/** Share and customers of a rollout. */
function rolloutOf(value: unknown): Shown[] {
  if (!isObject(value)) return []
  const segment = isObject(value.segment) ? value.segment : {}
  const { languages, loggedIn, kyc, caps } = segment
  return [
    { name: 'percent', choice: '', values: value.percent === undefined ? [] : [`${String(value.percent)} %`] },
    { name: 'languages', choice: '', values: listed(languages) },
    { name: 'logged_in', choice: 'yes', values: listed(loggedIn) },
    { name: 'kyc', choice: 'kyc', values: listed(kyc) },
    { name: 'parts', choice: '', values: listed(caps) },
  ]
}

/** Members of `detail` that stand for themselves, whatever the action. */
const readers: Readonly<Record<string, Reader>> = {
  name: of('name'),
  note: of('note'),
  base: of('base'),
  paths: of('files'),
  documents: of('files'),
  roles: of('roles', 'role'),
  kind: of('purpose', 'purpose'),
  agent: of('device'),
  ended: of('ended'),
  stopped: of('stopped'),
  forced: of('forced', 'yes'),
  emergency: of('emergency', 'yes'),
  draft: of('draft'),
  rollout: rolloutOf,
  at: (value) => [{ name: 'due', choice: '', values: timeOf(value) }],
  flows: of('flows', 'flows'),
  state: of('flows', 'flows'),
  total: of('flows_total'),
  failed: of('failed'),
  unrunFlows: of('unrun'),
  step: of('step', 'step'),
  problems: of('problems'),
  first: of('first'),
  screens: (value) => [
    {
      name: 'screens',
      choice: '',
      values: listed(Array.isArray(value) ? value.map((one) => (isObject(one) ? one.document : one)) : value),
    },
  ],
  actor: of('actor'),
  action: of('action'),
  subject: of('subject'),
  length: of('length'),
}
/** Members with another meaning in these actions. */
const own: Partial<Record<string, Readonly<Record<string, Reader>>>> = {
  'draft.create': { from: of('copied_from') },
  'audit.export': {
    from: (value) => [{ name: 'from', choice: '', values: timeOf(value) }],
    to: (value) => [{ name: 'to', choice: '', values: timeOf(value) }],
  },
}
/** Pairs of members that are one value before and after the action. */
const pairs: Partial<Record<string, readonly [before: string, after: string, reader: Reader]>> = {
  'operator.roles': ['from', 'to', of('roles', 'role')],
  'release.rollout': ['from', 'to', rolloutOf],
  'release.rollback': ['from', 'to', of('live')],
  'release.restored': ['from', 'to', of('live')],
  'draft.merge': ['from', 'onto', of('base')],
}

const isKnown = (action: string): action is ConsoleAction => (consoleActions as readonly string[]).includes(action)
const same = (a: readonly string[], b: readonly string[]) => a.join('\n') === b.join('\n')

function changesOf({ action, detail }: AuditRow): LogRow['changes'] {
  const pair = pairs[action]
  if (!pair) return []
  const [before, after] = [pair[2](detail[pair[0]]), pair[2](detail[pair[1]])]
  return after.flatMap(({ name, choice, values }) => {
    const was = before.find((one) => one.name === name)?.values ?? []
    return same(was, values) ? [] : [{ name, choice, before: was, after: values }]
  })
}

function detailsOf({ action, detail, reason }: AuditRow): LogRow['details'] {
  const compared = new Set<string>(pairs[action]?.slice(0, 2) as string[] | undefined)
  const refusal: Shown[] = action === 'draft.refused' ? [{ name: 'refusal', choice: 'refusal', values: listed(reason) }] : []
  const all = Object.entries(detail).flatMap(([member, value]) => {
    const special = own[action]
    const reader =
      special && Object.hasOwn(special, member) ? special[member] : Object.hasOwn(readers, member) ? readers[member] : undefined
    return compared.has(member) || !reader ? [] : reader(value)
  })
  const unknown: Shown[] = isKnown(action) ? [] : [{ name: 'action', choice: '', values: [action] }]
  const names = new Set<LogValue>()
  return [...unknown, ...refusal, ...all]
    .filter(({ name, values }) => values.length > 0 && !names.has(name) && names.add(name))
    .slice(0, logMost.values)
}

/** The page that shows the subject of a row: `draft 12`, `release 7`, `operator ann`. @param idOf id of an operator by name; 0 without one */
export function placeOfSubject(subject: string, idOf: (name: string) => number): Pick<LogRow, 'leads_to' | 'number'> {
  const [, kind, number] = /^(draft|release) (\d{1,15})$/.exec(subject) ?? []
  if (kind) return { leads_to: kind as 'draft' | 'release', number: Number(number) }
  const [, name] = /^operator (.+)$/.exec(subject) ?? []
  const id = name === undefined ? 0 : idOf(name)
  return id > 0 ? { leads_to: 'operator', number: id } : { leads_to: 'none', number: 0 }
}

/** A row of the log as a page shows it. @param name of the draft that the row is about @param idOf see placeOfSubject */
export function shownLogRow(row: AuditRow, name: string, idOf: (name: string) => number): LogRow {
  const { id, at, actor, action, subject, reason, detail, fromHash, toHash, chain } = row
  const isFile = typeof detail.path === 'string' && detail.before !== undefined && detail.after !== undefined
  return {
    id,
    time: at,
    operator: actor,
    action: isKnown(action) ? action : 'earlier',
    subject,
    name,
    reason: action === 'draft.refused' ? '' : reason,
    file: isFile ? (detail.path as string) : '',
    changes: changesOf(row),
    details: detailsOf(row),
    from_hash: fromHash ?? '',
    to_hash: toHash ?? '',
    chain,
    ...placeOfSubject(subject, idOf),
  }
}
