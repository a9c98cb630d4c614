/** The indicators that the chart draws: moving averages, exponential ones, Bollinger bands, convergence and divergence, relative strength. */
export const indicatorIds = ['MA', 'EMA', 'BOLL', 'MACD', 'RSI'] as const
export type IndicatorId = (typeof indicatorIds)[number]

/** One line of an indicator. */
export interface Study {
  /** As the field writes it, in every language: MA(7). */
  name: string
  /** Over the prices, or in a pane of its own below them. */
  pane: 'price' | 'MACD' | 'RSI'
  shape: 'line' | 'dashes' | 'bars'
  tone: 'accent' | 'warn' | 'up' | 'quiet'
  /** One for each candle. */
  values: readonly (number | undefined)[]
}

/** The panes below the prices, in their order. */
export const panesOf = (studies: readonly Study[]): Study['pane'][] =>
  [...new Set(studies.map(({ pane }) => pane))].filter((pane) => pane !== 'price')

type LineKind = 'entry' | 'up' | 'down' | 'target' | 'stop' | 'order' | 'liquidation'

/** A price that matters to the customer, as the chart draws it. */
export interface ChartLine {
  /** Of the position or order. */
  id: number
  kind: LineKind
  price: string
  label: string
  movable: boolean
}

/** Returns whether the customer may move a line: an entry and a liquidation price follow from the trade. */
export const isMovable = (kind: LineKind) => kind === 'target' || kind === 'stop' || kind === 'order'

const tones = { entry: 'accent', up: 'up', down: 'down', target: 'up', stop: 'down', order: 'quiet', liquidation: 'down' } as const
export const toneOf = (kind: LineKind) => tones[kind]
