import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { coinCode, decimal, share, timeMs } from '#widgets/parts/props.ts'
import { z } from '#zod'

const price = () => decimal({ unit: 'price', coin: 'quote', per: 'base' })
const amount = () => decimal({ unit: 'amount', coin: 'currency_code' })

export const optionOrder = defineWidget({
  type: 'option-order',
  props: z.object({
    order: z
      .object({
        id: z.int(),
        ...{ symbol: z.string(), name: z.string(), base: coinCode(), quote: coinCode(), tick: price() },
        ...{ currency_code: coinCode(), scale: z.int(), type: z.enum(['up', 'down']), seconds: z.int(), number: amount(), rate: share() },
        ...{ open_price: price(), expires: timeMs(), settle_price: price().nullable(), profit: amount() },
        status: z.enum(['holding', 'settling', 'won', 'lost', 'draw', 'void']),
      })
      .describe('a row of mic.orderList'),
  }),
  events: ['press'],
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/option-order/OptionOrder.tsx')).OptionOrder })),
})
