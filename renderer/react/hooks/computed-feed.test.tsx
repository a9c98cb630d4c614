import { act } from 'react'
import { expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { NodeDoc } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const label = defineWidget({
  type: 'label',
  props: z.object({ text: z.string() }),
  events: ['press'],
  view: ({ root, props, emit }: ViewProps<{ text: string }, 'press'>) => (
    <button {...root} type="button" onClick={() => emit('press')}>
      {props.text}
    </button>
  ),
})

test('a price whose symbol is computed is asked for by its name, and by the next one', async () => {
  const open = await mountScreen({ widgets: [label] as readonly Widget<View>[], doc: {} })
  const wanted: string[] = []
  open.engine.feed.wantQuotes = (symbols) => {
    wanted.push(...symbols)
    return () => {
      for (const symbol of symbols) wanted.splice(wanted.indexOf(symbol), 1)
    }
  }
  const quotes = { BTCUSDT: { symbol: 'BTCUSDT', last: '64000' }, ETHUSDT: { symbol: 'ETHUSDT', last: '3100' } }
  open.engine.feed.quotes = () => Object.values(quotes) as never
  const body: NodeDoc[] = [
    { id: 'price', widget: 'label', props: { text: { $: 'feed[state.symbol].last' } } },
    { id: 'next', widget: 'label', props: { text: 'Next' }, on: { press: [{ set: { 'state.symbol': 'ETHUSDT' } }] } },
  ]
  await open.show({ state: { symbol: 'BTCUSDT' }, body })
  expect([wanted, open.node('price')?.textContent]).toEqual([['BTCUSDT'], '64000'])
  await open.press('next')
  await act(async () => undefined)
  expect([wanted, open.node('price')?.textContent]).toEqual([['ETHUSDT'], '3100'])
  await open.end()
  expect(wanted).toEqual([])
})
