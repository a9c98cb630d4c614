import {
  ArrowDownToLine,
  ArrowLeftRight,
  ArrowUpFromLine,
  Bell,
  ChartCandlestick,
  Coins,
  Megaphone,
  ReceiptText,
  Repeat,
  TrendingUp,
  Wallet,
} from 'lucide-react'

/** Icons that the product's first screens show at once; the others are loaded when one is drawn. */
export const firstIcons = {
  'arrow-down-to-line': ArrowDownToLine,
  'arrow-left-right': ArrowLeftRight,
  'arrow-up-from-line': ArrowUpFromLine,
  bell: Bell,
  'chart-candlestick': ChartCandlestick,
  coins: Coins,
  megaphone: Megaphone,
  'receipt-text': ReceiptText,
  repeat: Repeat,
  'trending-up': TrendingUp,
  wallet: Wallet,
} as const
