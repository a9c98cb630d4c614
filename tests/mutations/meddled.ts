import fc from 'fast-check'

/** A document with one thing wrong, or not: what a slip of the hand or a bad merge leaves behind. */

type Json = unknown
type Holder = Record<string | number, Json>
const odd: readonly Json[] = [
  null,
  true,
  -1,
  1e9,
  0.5,
  '',
  'x',
  'pages/common/login',
  '= data.x',
  "= '@home.search'",
  '@home.search',
  'x'.repeat(200),
  'größe',
  '$t(home.search)',
  '__proto__',
  [],
  {},
  [[]],
  [null],
  { $: 'data.x' },
  { $: 'params.' },
  { $: { '===': [{ var: 'state.x' }, 1] } },
  { $: { cat: [] } },
  { $t: 'home.search' },
  { $t: 1 },
  { id: 'odd', widget: 'text', props: { text: '—' } },
  { use: 'content' },
  { '!': { var: 'session.logged_in' } },
  { constructor: 1 },
  { test: 'value > 0', message: '@home.search' },
  { go: '/' },
]

/** `kind` and `at` pick what is done and where; `text` is that of the document. */
interface Slip {
  kind: number
  at: number
  pick: number
}
export const slip: fc.Arbitrary<Slip> = fc.record({ kind: fc.nat(8), at: fc.nat(100_000), pick: fc.nat(10_000) })

/** Every object and list with a member that can be meddled with. */
function holdersIn(value: Json): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Object.keys(value).map((name): [Holder, string] => [value as Holder, name])
  return [...own, ...Object.values(value).flatMap(holdersIn)]
}

export function meddled(text: string, { kind, at, pick }: Slip): string {
  if (kind === 8) {
    const place = at % text.length
    return text.slice(0, place) + ('{}[],:"\\\u0000x1\n'[pick % 12] as string) + text.slice(place + (pick % 3))
  }
  const root = JSON.parse(text) as Json
  const holders = holdersIn(root)
  const [holder, name] = holders[at % holders.length] as [Holder, string]
  const [other, otherName] = holders[pick % holders.length] as [Holder, string]
  if (kind === 0) delete holder[name]
  else if (kind === 1) holder[name] = odd[pick % odd.length]
  else if (kind === 2) holder[`${name}x`] = holder[name]
  else if (kind === 3 && typeof holder[name] === 'string') holder[name] = `${holder[name]}`.replace(/.$/, '')
  else if (kind === 4) holder[name] = structuredClone(other[otherName])
  else if (kind === 5 && Array.isArray(holder)) holder.push(structuredClone(holder[Number(name)]))
  else if (kind === 6 && Array.isArray(holder)) holder.reverse()
  else holder[name] = [holder[name]]
  return JSON.stringify(root, null, 2)
}
