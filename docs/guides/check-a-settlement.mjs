#!/usr/bin/env node
// Checks a price of the log from outside, with Node alone: it reads the public calls and computes every hash itself.
//   node check-a-settlement.mjs https://host last <number> <end, ms UTC>            the last price up to the end of an option
//   node check-a-settlement.mjs https://host first <number> <since> up|down <level> the first price that reached a level
// Both then follow the chain to the published end of the day. Exit code: 0 right, 1 wrong, 2 not known yet or not usable.
import { createHash } from 'node:crypto'

const [address, rule, number, ...rest] = process.argv.slice(2)
const end = (code, text) => {
  console.log(text)
  process.exit(code)
}
if (!address || !['last', 'first'].includes(rule) || !(Number(number) > 0) || rest.length < (rule === 'last' ? 1 : 3))
  end(2, 'usage: check-a-settlement.mjs <address> last <number> <end> | first <number> <since> up|down <level>')
const id = Number(number)

async function get(path) {
  const { code, msg, data } = await (await fetch(new URL(`/api/market/${path}`, address))).json()
  return code === 1 ? data : end(2, `${path}: ${msg}`)
}
/** All prices from a number on, each checked against the hash of the one before. */
async function* log(from) {
  let before
  for (;;) {
    const { list } = await get(`ticks?limit=500&from=${before ? before.tick_id + 1 : from}`)
    for (const tick of list) {
      const fields = [tick.prev_hash, tick.tick_id, tick.symbol, tick.price, tick.size, tick.time, tick.source]
      const isNext = before ? tick.tick_id === before.tick_id + 1 && tick.prev_hash === before.hash : tick.tick_id === from
      if (!isNext || createHash('sha256').update(fields.join('\n')).digest('hex') !== tick.hash)
        end(1, `WRONG: the chain breaks at ${tick.tick_id}`)
      yield (before = tick)
    }
    if (list.length < 500) return
  }
}
/** Decimal text as a whole number of 10^-20, so that comparing is exact. */
const exact = (text) => BigInt(text.split('.')[0] + (text.split('.')[1] ?? '').padEnd(20, '0'))
const [, way, level] = rest
const reached = ({ price }) => (way === 'up' ? exact(price) >= exact(level) : exact(price) <= exact(level))

const own = (await get(`ticks?limit=1&from=${id}`)).list[0] ?? end(2, `the log has no number ${id} yet`)
const days = (await get(`dayEnds?limit=366&from=${own.time}`)).list.filter((day) => day.tick_id >= id)
let isDecided = rule === 'first'
let last, day
for await (const tick of log(rule === 'first' ? Math.min(id, Number(rest[0]) + 1) : id)) {
  last = tick
  if (tick.tick_id === days[0]?.tick_id) day = tick
  const isSame = tick.symbol === own.symbol && tick.tick_id !== id
  if (rule === 'first' && isSame && tick.tick_id < id && reached(tick))
    end(1, `WRONG unless the market was closed or halted: ${tick.tick_id} reached ${level} first`)
  if (rule === 'last' && isSame && tick.time >= own.time && tick.time <= Number(rest[0]))
    end(1, `WRONG unless it came after the settlement: ${tick.tick_id} is later`)
  if (rule === 'last' && isSame && tick.time > Number(rest[0])) isDecided = true
  if (tick.tick_id >= id && isDecided && (!days[0] || tick.tick_id >= days[0].tick_id)) break
}
if (rule === 'first' && !reached(own)) end(1, `WRONG: ${own.price} does not reach ${level}`)
if (rule === 'last' && own.time > Number(rest[0])) end(1, 'WRONG: the price is later than the end')
if (!isDecided) end(2, `no later price of ${own.symbol} yet; try again`)
if (!days[0]) end(0, `right: ${own.symbol} ${own.price}, number ${id}; the chain is whole up to ${last.tick_id}; its day has not ended yet`)
if (day?.hash !== days[0].hash) end(1, 'WRONG: the chain does not lead to the published end of the day')
end(0, `right: ${own.symbol} ${own.price}, number ${id}; the chain leads to the end of its day, number ${day.tick_id}, hash ${day.hash}`)
