import type { Catalog, JsonSchema } from '#language/types/catalog.ts'

/** Widgets and calls of the small product. */

const text: JsonSchema = { type: 'string', text: true }
const decimal: JsonSchema = { type: 'string', decimal: true }
const object = (properties: Record<string, JsonSchema>, required: string[] = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})
const states = {}

export const catalog: Catalog = {
  symbols: ['BTC', 'ETH'],
  functions: [
    {
      name: 'orders.fee',
      about: 'The fee of an order.',
      params: [
        { name: 'amount', type: decimal },
        { name: 'side', type: { type: 'string' } },
      ],
      result: decimal,
      examples: [],
    },
  ],
  widgets: [
    {
      type: 'page',
      major: 1,
      props: object({ title: text }, []),
      events: [],
      slots: { head: { max: 1 }, body: { min: 1 } },
      label: null,
      states,
    },
    {
      type: 'list',
      major: 2,
      props: object({ more: { type: 'boolean' } }, []),
      events: ['end'],
      slots: { row: { allow: ['row'], max: 1 } },
      label: null,
      states,
    },
    {
      type: 'row',
      major: 1,
      props: object({ title: { type: 'string' }, price: { ...decimal, unit: 'price' }, side: { type: 'string', enum: ['buy', 'sell'] } }, [
        'title',
      ]),
      events: ['press'],
      slots: {},
      label: null,
      states,
    },
    {
      type: 'button',
      major: 1,
      props: object(
        {
          label: text,
          icon: { type: 'string', ref: 'icon' },
          size: { type: 'integer', minimum: 1, maximum: 3 },
          ratio: { type: 'string', pattern: '^\\d:\\d$' },
          to: { type: 'string', ref: 'route' },
          status: { type: 'string', shows: { text: 'label', tone: 'size' } },
        },
        [],
      ),
      events: ['press'],
      slots: {},
      label: 'label',
      states,
    },
    {
      type: 'form',
      major: 1,
      props: object({ form: { type: 'string', ref: 'form' } }),
      events: [],
      slots: {},
      label: null,
      states,
    },
    {
      type: 'text-field',
      major: 1,
      props: object({ unit: text, maxLength: { type: 'integer' }, min: decimal, max: decimal }, []),
      events: ['send'],
      slots: {},
      label: null,
      states,
    },
    {
      type: 'tab-bar',
      major: 1,
      props: object({ list: { type: 'string', ref: 'quick-entries', fits: 24 }, label: text }),
      events: [],
      slots: {},
      label: 'label',
      states,
    },
  ],
  calls: [
    {
      name: 'order.list',
      method: 'POST',
      path: '/order/list',
      auth: 'user',
      reads: true,
      input: object({ status: { type: 'string', enum: ['open', 'done'] }, page: { type: 'string' }, size: { type: 'string' } }, ['status']),
      output: object({
        list: {
          type: 'array',
          key: 'id',
          items: object({
            id: { type: 'integer' },
            symbol: { type: 'string' },
            price: { ...decimal, unit: 'price' },
            filled: { ...decimal, unit: 'share' },
            side: { type: 'string', enum: ['buy', 'sell'] },
            note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          }),
        },
        total: { type: 'integer' },
      }),
      problems: [],
      summary: 'Orders',
    },
    {
      name: 'order.cancel',
      method: 'POST',
      path: '/order/cancel',
      auth: 'user',
      input: object({ id: { type: 'string' } }),
      output: object({ id: { type: 'integer' } }),
      problems: ['not_found', 'too_late'],
      summary: 'Cancels',
    },
    {
      name: 'order.place',
      method: 'POST',
      path: '/order/place',
      auth: 'user',
      input: object({ symbol: { type: 'string' }, amount: { type: 'string' } }),
      output: object({ id: { type: 'integer' } }),
      problems: ['too_much', 'too_late'],
      summary: 'Places',
    },
    {
      name: 'site.info',
      method: 'GET',
      path: '/site/info',
      auth: 'none',
      reads: true,
      input: object({}),
      output: object({
        name: { type: 'string' },
        open: { type: 'boolean' },
        links: { type: 'array', items: object({ id: { type: 'string' }, url: { type: 'string' } }) },
      }),
      problems: [],
      summary: 'Site',
    },
  ],
  topics: [
    { name: 'balance', about: 'Balances' },
    { name: 'orders', about: 'Orders', rows: { call: 'order.list', key: 'id', newest: 'first', by: {} } },
  ],
  icons: ['home', 'search'],
}
