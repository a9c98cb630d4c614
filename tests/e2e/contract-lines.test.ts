import { afterEach, expect, test } from 'vitest'
import { aidsOf } from '#tests/support/browser/aids.ts'
import { desktop, useBrowser } from '#tests/support/browser/browser.ts'
import { bare, chartLines, plain } from '#tests/support/browser/chart-lines.ts'
import { node, travel, windows } from '#tests/support/browser/journey.ts'
import { person } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp('manual')
const { visit } = useBrowser()
const { api, aid } = aidsOf(app)
afterEach(() => aid('clock', {}))

interface Row {
  id: number
  held: string
  target_profit_price: string | null
  stop_loss_price: string | null
}
const common = { match_id: 'BTCUSDT', side: 'long', lots: '1', multiple: '20' }

test.for(windows)('a customer moves exits and a waiting order on the chart, by pointer and by key, %s', async ([, viewport]) => {
  const ann = await person(app.origin, { nickname: 'Ann' })
  await aid('credit', { user: String(ann.uid), account: 'lever', currency: 'USDT', amount: '1000' })
  // The candle reaches from 49,000 to 51,000, so that the lines are in sight.
  for (const price of ['49000.00', '51000.00', '50000.00']) await app.tick('BTCUSDT', price)
  await api(ann, 'lever.orderOpen', { ...common, type: 'market', target_profit_price: '50600', stop_loss_price: '49700' })
  await api(ann, 'lever.orderOpen', { ...common, type: 'limit', price: '49500', stop_loss_price: '49200' })
  const rowOf = async (call: 'lever.dealall' | 'lever.orderList') =>
    (await api<{ list: Row[] }>(ann, call, call === 'lever.orderList' ? { status: 'entrust' } : {})).list[0]!
  const [position, order] = [await rowOf('lever.dealall'), await rowOf('lever.orderList')]

  await using journey = await travel(visit, {
    target: app.origin,
    who: ann,
    viewport,
    path: 'pages/transaction/contract?symbol=BTCUSDT',
    screen: 'transaction.contract',
  })
  const { page } = journey
  // A phone unfolds the chart.
  if (viewport !== desktop) await node(page, 'fold').click()
  const sent: Record<string, string>[] = []
  page.on('request', (one) => {
    if (/\/lever\/(setStopPrice|orderMove)$/.test(new URL(one.url()).pathname))
      sent.push(Object.fromEntries(new URLSearchParams(one.postData() ?? '')))
  })
  const { lines, at, drag, prompt, answer } = chartLines(page)

  // A stop that is dragged asks with both prices, and is sent as it was asked.
  await at('stop', '49,700.00').waitFor()
  const dragged = await drag(at('stop', '49,700.00'), 12)
  await prompt.waitFor()
  const said = await prompt.innerText()
  expect(Number(plain(dragged))).toBeLessThan(49_700)
  for (const word of ['49,700.00', dragged]) expect(said).toContain(word)
  expect(sent).toEqual([])
  await answer('.prompt-ok')
  await at('stop', dragged).waitFor()
  expect(sent).toMatchObject([{ id: String(position.id), stop_loss_price: bare(dragged) }])
  expect(sent[0]).not.toHaveProperty('target_profit_price')
  expect(await rowOf('lever.dealall')).toMatchObject({ stop_loss_price: plain(dragged), target_profit_price: '50600' })

  // A refused prompt leaves the line where it is.
  await drag(at('target', '50,600.00'), 12)
  await prompt.waitFor()
  await answer('.prompt-cancel')
  await at('target', '50,600.00').waitFor()

  // By key: Escape takes the line back without a question, Enter asks.
  const target = lines('target').first()
  await target.focus()
  await target.press('PageUp')
  await at('target', '50,600.10').waitFor()
  await target.press('Escape')
  await at('target', '50,600.00').waitFor()
  await target.press('ArrowUp')
  await target.press('Enter')
  await prompt.getByText('50,600.01').waitFor()
  await answer('.prompt-ok')
  await at('target', '50,600.01').waitFor()

  // The lines of an order that waits are moved alike.
  const waiting = at('stop', '49,200.00')
  await waiting.focus()
  await lines('stop').filter({ hasText: '49,200.00' }).press('ArrowDown')
  await at('stop', '49,199.99').press('Enter')
  await prompt.getByText('49,199.99').waitFor()
  expect(await prompt.innerText()).toContain('49,200.00')
  await answer('.prompt-ok')
  await at('stop', '49,199.99').waitFor()
  expect(sent.slice(1)).toMatchObject([
    { id: String(position.id), target_profit_price: '50600.01' },
    { id: String(order.id), stop_loss_price: '49199.99' },
  ])
  expect(await rowOf('lever.orderList')).toMatchObject({ stop_loss_price: '49199.99' })

  // The order itself: a refused prompt leaves it, an accepted one moves it with the money that it holds.
  await drag(at('order', '49,500.00'), -8)
  await prompt.waitFor()
  await answer('.prompt-cancel')
  await at('order', '49,500.00').waitFor()
  const moved = await drag(at('order', '49,500.00'), -8, (price) => price > 49_500)
  await prompt.waitFor()
  const asked = await prompt.innerText()
  const price = Number(plain(moved))
  expect(price).toBeGreaterThan(49_500)
  expect(price).toBeLessThan(50_000)
  // Margin and fee of one lot.
  const held = price * 0.01 * (1 / 20 + 0.0005)
  for (const word of ['49,500.00', moved, (Math.floor(held * 100 + 1e-6) / 100).toFixed(2)]) expect(asked).toContain(word)
  await answer('.prompt-ok')
  await at('order', moved).waitFor()
  expect(sent.slice(3)).toMatchObject([{ id: String(order.id), price: bare(moved) }])
  const row = await rowOf('lever.orderList')
  expect(row).toMatchObject({ id: order.id, price: plain(moved), stop_loss_price: '49199.99' })
  expect(Number(row.held)).toBeCloseTo(held, 6)
})
