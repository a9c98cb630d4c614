import { expect, test } from 'vitest'
import { createTickets, ownMac, ticketLimits } from '#config-server/guard/tickets.ts'

const clock = { now: 1_790_000_000_000 }
const tickets = createTickets({ mac: ownMac(), now: () => clock.now })
const home = '203.0.113.7'

test('a ticket is worth something for its release and in its network alone', () => {
  const ticket = tickets.issue(8, home)
  expect(ticket.length).toBeLessThanOrEqual(ticketLimits.lengthMax)
  const mark = tickets.witness([ticket], 8, home)
  expect(mark).toMatch(/^[0-9a-f]{8}$/)
  expect(tickets.witness(['', ticket], 8, '203.0.113.200')).toBe(mark)
  expect(tickets.witness([ticket], 9, home)).toBeUndefined()
  expect(tickets.witness([ticket], 8, '203.0.114.7')).toBeUndefined()
  expect(tickets.witness([], 8, home)).toBeUndefined()
})

test('a ticket is made once for a release, a network and a minute', () => {
  const issue = (release: number, address: string) => tickets.issue(release, address)
  const first = issue(8, home)
  expect([issue(8, home), issue(8, '203.0.113.200')]).toEqual([first, first])
  const others = [issue(9, home), issue(8, '203.0.114.7')]
  clock.now += 60_000
  expect(new Set([first, ...others, issue(8, home)]).size).toBe(4)
  expect(tickets.witness([first], 8, home)).toBe(tickets.witness([issue(8, home)], 8, home))
})

test.each<[string, (parts: string[]) => string[]]>([
  ['another release', ([, ...rest]) => ['9', ...rest]],
  ['another minute', ([release, minute, ...rest]) => [release!, String(Number(minute) + 1), ...rest]],
  ['another client', ([release, minute, , seal]) => [release!, minute!, 'AAAAAAAA', seal!]],
  ['another seal', ([release, minute, client]) => [release!, minute!, client!, 'A'.repeat(22)]],
  ['no seal', (parts) => parts.slice(0, 3)],
])('a ticket with %s is forged', (_, forge) => {
  const ticket = forge(tickets.issue(8, home).split('.')).join('.')
  for (const release of [8, 9]) expect(tickets.witness([ticket], release, home)).toBeUndefined()
})

test('a ticket of another server is forged', () => {
  const other = createTickets({ mac: ownMac(), now: () => clock.now })
  expect(tickets.witness([other.issue(8, home)], 8, home)).toBeUndefined()
})

test('a ticket runs out', () => {
  const ticket = tickets.issue(8, home)
  clock.now += ticketLimits.ageMsMax + 60_000
  expect(tickets.witness([ticket], 8, home)).toBeUndefined()
})

test('clients on this machine are one network, unless each is to count', () => {
  const each = createTickets({ mac: ownMac(), now: () => clock.now, localEach: true })
  const marks = (from: typeof tickets) => new Set([1, 2, 3].map(() => from.witness([from.issue(8, '127.0.0.1')], 8, '127.0.0.1')))
  expect([marks(tickets).size, marks(each).size]).toEqual([1, 3])
})
