import { expect, test } from 'vitest'
import * as z from 'zod'
import { eventually } from '#tests/support/eventually.ts'
import { createNetwork } from '#tests/support/servers/faulty-network.ts'

const number = z.object({ n: z.int() })
const sent = 200

/** Returns the messages that one node receives from another one, and the places where it was notified of a possible loss. */
async function heardOn(seed: number): Promise<(number | 'lost')[]> {
  const network = createNetwork(seed)
  const [from, to] = [await network.join('from'), await network.join('to')]
  const heard: (number | 'lost')[] = []
  to.subscribe(
    'a',
    number,
    ({ n }) => heard.push(n),
    () => heard.push('lost'),
  )
  for (let n = 1; n <= sent; n++) {
    from.publish('a', { n })
    network.pass()
    await new Promise(setImmediate)
  }
  expect(Object.values(network.counts()).reduce((sum, count) => sum + count, 0)).toBe(sent)
  for (const [fate, count] of Object.entries(network.counts())) expect([fate, count > 0]).toEqual([fate, true])
  return heard
}

test.each([1, 2, 3])('what is lost, late or overtaken is told as lost, and nothing is heard twice or too late: seed %i', async (seed) => {
  const heard = await heardOn(seed)
  const numbers = heard.filter((one) => one !== 'lost')
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  expect(numbers.length).toBeGreaterThan(sent / 2)
  let last = numbers[0]!
  for (const [at, one] of heard.entries()) {
    if (one === 'lost') continue
    if (at > 0) expect(heard[at - 1] === 'lost').toBe(one > last + 1)
    last = one
  }
  expect(await heardOn(seed)).toEqual(heard)
})

test('a node whose connection is cut neither hears nor is heard, and is told that messages may be missing', async () => {
  const network = createNetwork(1)
  const [one, two] = [await network.join('one'), await network.join('two')]
  const heard: string[] = []
  for (const [name, bus] of Object.entries({ one, two }))
    bus.subscribe(
      'a',
      number,
      ({ n }) => heard.push(`${name} ${n}`),
      () => heard.push(`${name} lost`),
    )
  network.cut('two')
  for (let n = 1; n <= 20; n++) {
    one.publish('a', { n })
    two.publish('a', { n: -n })
  }
  await new Promise(setImmediate)
  expect(heard.filter((line) => /one -|two \d|lost/.test(line))).toEqual([])
  expect(two.counts()).toMatchObject({ connected: 0, missed: 20, sent: 0 })
  network.mend('two')
  expect(heard.filter((line) => line.endsWith('lost'))).toEqual(['two lost'])
  await eventually(() => {
    one.publish('a', { n: 100 })
    two.publish('a', { n: 200 })
    return heard
  }).toEqual(expect.arrayContaining(['two 100', 'one 200']))
})
