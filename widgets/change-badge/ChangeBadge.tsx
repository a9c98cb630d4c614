import { useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { ChangePill } from '#widgets/parts/figures/ChangePill.tsx'

interface ChangeBadgeProps {
  symbol?: string
  value?: string
}
type Root = ViewProps['root']

/** A signed change in percent: live for a symbol, or a given value. */
export function ChangeBadge({ root, props: { symbol, value } }: ViewProps<ChangeBadgeProps>) {
  return symbol === undefined ? <Given root={root} value={value} /> : <Live root={root} symbol={symbol} value={value} />
}

function Given({ root, value }: { root: Root; value: string | undefined }) {
  return <ChangePill root={{ ...root }} ratio={value} percent={useFormat().percent} />
}

function Live({ root, symbol, value }: { root: Root; symbol: string; value: string | undefined }) {
  return <Given root={root} value={useQuote(symbol)?.change ?? value} />
}
