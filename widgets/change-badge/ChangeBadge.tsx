import { useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import type { ChangeBadgeProps } from '#widgets/change-badge/change-badge.props.ts'
import { ChangePill } from '#widgets/parts/figures/ChangePill.tsx'

type Root = ViewProps['root']

/** A change in percent with its sign: of a live symbol, or a given one. */
export function ChangeBadge({ root, props: { symbol, value } }: ViewProps<ChangeBadgeProps>) {
  return symbol === undefined ? <Given root={root} value={value} /> : <Live root={root} symbol={symbol} value={value} />
}

function Given({ root, value }: { root: Root; value: string | undefined }) {
  return <ChangePill root={{ ...root }} ratio={value} percent={useFormat().percent} />
}

function Live({ root, symbol, value }: { root: Root; symbol: string; value: string | undefined }) {
  return <Given root={root} value={useQuote(symbol)?.change ?? value} />
}
