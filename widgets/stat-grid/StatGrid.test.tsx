import { expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { StatGrid } from '#widgets/stat-grid/StatGrid.tsx'

vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string) => key,
  useFormat: () => ({ percent: (ratio: string, signed: boolean) => `${signed ? 'signed ' : ''}${ratio}` }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const page = viewStage(StatGrid)
const { show } = page

const stat = { id: 'a', label: 'Profit', value: '+12.50' }
const texts = (selector: string) => [...page.box.querySelectorAll(selector)].map((one) => one.textContent)

test.each<[string, object, string[]]>([
  ['a figure alone', {}, ['+12.50']],
  ['with its unit', { unit: 'USDT' }, ['+12.50 USDT']],
  ['a change has its sign', { change: '0.08' }, ['+12.50', 'signed 0.08']],
  ['a change of nothing is one', { change: '0' }, ['+12.50', 'signed 0']],
  ['a note', { note: 'since May' }, ['+12.50', 'since May']],
  ['what is not known is a dash, without a unit', { value: '', unit: 'USDT' }, ['–']],
])('%s', (_, more, wanted) => {
  show({ items: [{ ...stat, ...more }] })
  expect([texts('dt'), texts('dd')]).toEqual([['Profit'], wanted])
})

test.each([
  [['1', '2'], false, 1],
  [['1'], false, 0],
  [undefined, false, 0],
  [['1', '2'], true, 0],
])('points %j, covered %j: %d small lines', (spark, hidden, lines) => {
  show({ items: [{ ...stat, spark }], hidden })
  expect(page.box.querySelectorAll('svg')).toHaveLength(lines)
})

test('a covered figure stands nowhere', () => {
  show({ items: [{ ...stat, unit: 'USDT' }], hidden: true })
  expect(page.box.innerHTML).not.toContain('12.50')
  expect(texts('dd')).toEqual(['••••••widget.amount_hidden'])
})

test('while it waits there are bones, and later nothing is said to be empty that is not', () => {
  show({ items: undefined, columns: 3 }, { status: 'loading' })
  expect([page.box.querySelectorAll('[aria-hidden]').length, page.box.querySelector('[aria-busy=true]') !== null]).toEqual([6, true])
  show({ items: [] })
  expect(page.box.textContent).toBe('widget.empty')
})
