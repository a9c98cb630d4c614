import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { genesisHash, tickHash } from '#contract/tick-chain.ts'
import { checkLimits, checkPrice, firstRead, isEnough, type LogTick } from '#widgets/price-check/check.rules.ts'
import type { PriceCheckProps } from '#widgets/price-check/price-check.props.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const start = Date.parse('2026-11-20T12:00:00Z')
const day = Date.parse('2026-11-20T00:00:00Z')

/** A log of prices: every second one is of BTCUSDT, a second apart. The hashes are those of Node. */
function logOf(prices: readonly (readonly [symbol: string, price: string, second: number])[]): LogTick[] {
  let prev_hash = genesisHash
  return prices.map(([symbol, price, second], at) => {
    const tick = { id: at + 1, symbol, price, size: '1', time: start + second * 1_000, source: 'manual' }
    const hash = tickHash(sha256, prev_hash, tick)
    const { id: tick_id, ...rest } = tick
    const row = { tick_id, ...rest, prev_hash, hash }
    prev_hash = hash
    return row
  })
}
const log = logOf([
  ['BTCUSDT', '100.00', 0],
  ['ETHUSDT', '90.00', 1],
  ['BTCUSDT', '101.00', 2],
  ['ETHUSDT', '99.00', 3],
  ['BTCUSDT', '102.00', 4],
  ['ETHUSDT', '98.00', 5],
  ['BTCUSDT', '103.00', 6],
])
const third = log[2]!
const found = (props: PriceCheckProps, rows = log, ends: Parameters<typeof checkPrice>[2] = []) =>
  checkPrice(props, rows, ends).map(({ text, values }) => [text, ...Object.values(values)].join(' '))
const logged: PriceCheckProps = { tick: third, rule: 'logged' }
const whole = ['hash_right', 'log_right 3', 'chain_right 7 1 7']

test('a price that stands in an unbroken log', () => {
  expect(found(logged)).toEqual([...whole, 'day_none'])
})

test.each<[string, Partial<LogTick>, string[]]>([
  ['price', { price: '101.01' }, ['hash_wrong', 'log_wrong 3']],
  ['time', { time: start }, ['hash_wrong', 'log_wrong 3']],
  ['size', { size: '2' }, ['hash_wrong', 'log_right 3']],
  ['hash', { hash: genesisHash }, ['hash_wrong', 'log_wrong 3']],
])('a proof with another %s', (_what, change, texts) => {
  expect(found({ ...logged, tick: { ...third, ...change } }).slice(0, 2)).toEqual(texts)
})

test.each<[string, LogTick[], string]>([
  ['a changed price', log.map((row) => (row.tick_id === 4 ? { ...row, price: '1.00' } : row)), 'chain_wrong 4'],
  ['a missing price', log.filter((row) => row.tick_id !== 4), 'chain_wrong 5'],
  ['no prices at all', [], 'chain_wrong 3'],
])('a log with %s', (_what, rows, text) => {
  expect(found(logged, rows)[2]).toBe(text)
})

const until = (second: number, over: Partial<PriceCheckProps> = {}): PriceCheckProps => ({
  tick: third,
  rule: 'last',
  until: start + second * 1_000,
  end: 7,
  ...over,
})
test.each<[string, PriceCheckProps, string]>([
  ['the last one, with the next beside it', until(3), 'last_right BTCUSDT 5'],
  ['at the very end', until(2), 'last_right BTCUSDT 5'],
  ['one before the last', until(4), 'last_wrong 5'],
  ['one after the end', until(1), 'last_after'],
  ['a later one that was not in the log yet', until(4, { end: 4 }), 'last_late 5'],
])('%s', (_what, props, text) => {
  expect(found(props)[3]).toBe(text)
})
test('while no later price of the symbol is there, it is open whether it was the last one', () => {
  expect(found(until(3), log.slice(0, 4))[3]).toBe('last_open BTCUSDT 4')
})

const level = (text: string, rising: boolean, since: number): PriceCheckProps => ({
  tick: third,
  rule: 'first',
  level: text,
  rising,
  since,
})
test.each<[string, PriceCheckProps, string[]]>([
  ['reached from below, and by none before', level('101', true, 0), ['reached_right 101', 'first_right BTCUSDT 1']],
  ['compared as numbers', level('99.5', true, 1), ['reached_right 99.5', 'first_right BTCUSDT 2']],
  ['not reached', level('101.01', true, 0), ['reached_wrong 101.01', 'first_right BTCUSDT 1']],
  ['reached earlier', level('100', true, 0), ['reached_right 100', 'first_earlier 1']],
  ['earlier, before the level counted', level('100', true, 1), ['reached_right 100', 'first_right BTCUSDT 2']],
  ['reached from above', level('101', false, 1), ['reached_right 101', 'first_right BTCUSDT 2']],
])('a level %s', (_what, props, texts) => {
  expect(found(props).slice(3, -1)).toEqual(texts)
})
test('where not all prices since the level were read, that is said', () => {
  expect(found(level('101', true, 0), log.slice(1)).slice(3, -1)).toEqual(['reached_right 101', 'first_open BTCUSDT 2 1'])
})

test.each<[string, { day: number; tick_id: number; hash: string }[], string]>([
  ['is reached by the chain', [{ day, tick_id: 6, hash: log[5]!.hash }], `day_right 6 ${log[5]!.hash} 2026-11-20`],
  ['is another', [{ day, tick_id: 6, hash: genesisHash }], `day_wrong 6 ${genesisHash} 2026-11-20`],
  ['was not read', [{ day, tick_id: 900, hash: 'f00' }], 'day_open 900 f00 2026-11-20'],
  ['lies before', [{ day: day - 1, tick_id: 2, hash: log[1]!.hash }], 'day_none'],
])('the end of the day %s', (_what, ends, text) => {
  expect(found(logged, log, ends).at(-1)).toBe(text)
})

test.each<[string, Pick<PriceCheckProps, 'rule' | 'since'>, number, number]>([
  ['some neighbours', { rule: 'logged' }, 500, 480],
  ['from the first one', { rule: 'last' }, 5, 1],
  ['from where the level counts', { rule: 'first', since: 100 }, 500, 101],
  ['some neighbours where the level is young', { rule: 'first', since: 499 }, 500, 480],
  ['no more than the limit', { rule: 'first', since: 1 }, 50_000, 50_000 - checkLimits.before],
])('reads %s', (_what, props, tick_id, from) => {
  expect(firstRead({ ...props, tick: { ...third, tick_id } })).toBe(from)
})

test('it reads on until the next price of the symbol, what was there at the settlement, or the limit', () => {
  expect(isEnough(logged, log.slice(0, 3))).toBe(false)
  expect(isEnough(logged, log.slice(0, 4))).toBe(true)
  expect(isEnough(until(3, { end: 4 }), log.slice(0, 4))).toBe(false)
  expect(isEnough(until(3, { end: 4 }), log.slice(0, 5))).toBe(true)
  expect(isEnough(until(3, { end: 7 }), log.slice(0, 5))).toBe(false)
  expect(isEnough(until(9_999), [{ ...log[6]!, tick_id: 3 + checkLimits.after }])).toBe(true)
})
