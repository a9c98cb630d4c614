import * as z from 'zod'
import { amountIn, coinCode, decimal, symbol } from '#contract/fields.ts'

/**
 * Kinds of notices: the only list of the messages that a customer gets. Each has its sentence `sentence_<kind>`, or
 * `sentence_<kind>_<word>` for each of its words, in locales/<language>/notice.json; toast, inbox and e-mail say the same one.
 */

/** Figures that a sentence may name. Exact decimals, codes and texts; they do not depend on the language. */
export const noticeFigures = {
  symbol: symbol.optional().describe('of the market, for the link'),
  market: z.string().max(40).optional().describe('name of the market: BTC/USDT'),
  name: z.string().max(120).optional().describe('of a trader, an address, a card or a device'),
  reason: z.string().max(600).optional().describe('as an operator wrote it'),
  coin: coinCode.optional(),
  amount: amountIn('coin').optional(),
  result: amountIn('coin').optional().describe('what was credited, or a profit with its sign'),
  price: decimal({ unit: 'price' }).optional(),
}
export type NoticeFigure = keyof typeof noticeFigures

/** Groups by which the inbox is filtered. */
export const noticeGroups = ['trade', 'funds', 'account'] as const
/** Things that notices are about; several of one are told together. */
export const noticeThings = ['option', 'position', 'order', 'copy', 'otc', 'dual', 'ieo', 'record', 'account'] as const
export const noticeTones = ['info', 'success', 'warn', 'error'] as const

interface NoticeKind {
  group: (typeof noticeGroups)[number]
  about: (typeof noticeThings)[number]
  tone: (typeof noticeTones)[number]
  /** A route of the app, with `{id}` for the number of its subject and the figures by their names. */
  link: string
  figures: readonly NoticeFigure[]
  /** Variants, each with a sentence of its own. */
  words?: readonly string[]
  /**
   * An e-mail goes out as well, or a text message where the account has no address. An `alarm` also says what to do if it was not the customer.
   */
  mail?: 'news' | 'alarm'
  /** About the security of the account: no setting will turn it off. */
  security?: true
  /** The customer has pressed it just now: it is kept, and no toast shows it. */
  pressed?: true
}

const option = { group: 'trade', about: 'option', link: 'pages/transaction/seconds_order?symbol={symbol}&order={id}' } as const
const position = {
  group: 'trade',
  about: 'position',
  link: 'pages/transaction/position?id={id}',
  figures: ['market', 'price', 'result', 'coin'],
} as const
const copied = { group: 'trade', about: 'copy', mail: 'news', link: 'pages/copytrade/my' } as const
const record = { group: 'funds', about: 'record', mail: 'news', link: 'pages/fund/receive_withdraw_record?id={id}' } as const
const otc = { group: 'trade', about: 'otc', mail: 'news', link: 'pages/transaction/otc_order?id={id}' } as const
const dual = {
  group: 'trade',
  about: 'dual',
  mail: 'news',
  link: 'pages/invest/mine?id={id}',
  figures: ['market', 'result', 'coin'],
} as const
const ieo = { group: 'trade', about: 'ieo', mail: 'news', link: 'pages/ieo/order?id={id}' } as const
const mining = { group: 'trade', about: 'order', mail: 'news', link: 'pages/lockming/order?id={id}', figures: ['amount', 'coin'] } as const
const identity = { group: 'account', about: 'account', mail: 'news', link: 'pages/setting/real', words: ['1', '2'] } as const
const security = { group: 'account', about: 'account', mail: 'alarm', security: true, figures: [] } as const
const pressed = { ...security, tone: 'info', link: 'pages/setting/security', pressed: true } as const
const trader = { group: 'account', about: 'copy', mail: 'news', link: 'pages/copytrade/trader' } as const

export const noticeKinds = {
  option_won: { ...option, tone: 'success', figures: ['symbol', 'market', 'amount', 'result', 'coin'] },
  option_lost: { ...option, tone: 'info', figures: ['symbol', 'market', 'amount', 'coin'] },
  option_draw: { ...option, tone: 'info', figures: ['symbol', 'market', 'amount', 'coin'] },
  option_void: { ...option, tone: 'info', figures: ['symbol', 'market', 'amount', 'coin'] },
  take_profit: { ...position, tone: 'success' },
  stop_loss: { ...position, tone: 'warn' },
  closed_at_opening: { ...position, tone: 'info' },
  liquidated: { ...position, tone: 'error', mail: 'news', security: true },
  order_filled: { ...position, about: 'order', tone: 'success', figures: ['market', 'price'] },
  order_cancelled: {
    group: 'trade',
    about: 'order',
    tone: 'warn',
    link: 'pages/transaction/contract_order?list=cancelled',
    figures: ['market'],
    words: ['balance', 'price'],
  },
  spot_filled: {
    group: 'trade',
    about: 'order',
    tone: 'success',
    link: 'pages/transaction/currency_order?id={id}',
    figures: ['market', 'amount', 'coin', 'price'],
    words: ['buy', 'sell'],
  },
  copy_opened: { ...position, about: 'copy', tone: 'info', figures: ['name', 'market', 'price'] },
  copy_closed: {
    ...position,
    about: 'copy',
    tone: 'info',
    figures: ['name', 'market', 'price', 'result', 'coin'],
    words: ['whole', 'part'],
  },
  copy_skipped: {
    ...copied,
    tone: 'warn',
    figures: ['name', 'market'],
    words: ['balance', 'below_one', 'size', 'too_many_open', 'market', 'late', 'frozen'],
  },
  copy_stopped: { ...copied, tone: 'warn', figures: ['name', 'amount', 'coin'] },
  copy_ended: { ...copied, tone: 'warn', figures: ['name'] },
  otc_settled: { ...otc, tone: 'success', figures: ['amount', 'coin'] },
  otc_rejected: { ...otc, tone: 'warn', figures: ['amount', 'coin', 'reason'] },
  dual_paid: { ...dual, tone: 'success' },
  dual_returned: { ...dual, tone: 'warn' },
  ieo_allocated: { ...ieo, tone: 'success', figures: ['name', 'amount', 'coin'] },
  ieo_refunded: { ...ieo, tone: 'info', figures: ['name', 'amount', 'coin'] },
  ieo_unlocked: { ...ieo, tone: 'success', figures: ['name', 'amount', 'coin'] },
  recharge_credited: { ...record, tone: 'success', figures: ['amount', 'coin'] },
  recharge_rejected: { ...record, tone: 'warn', figures: ['amount', 'coin', 'reason'] },
  withdraw_requested: { ...record, tone: 'info', figures: ['amount', 'coin'], security: true, pressed: true },
  withdraw_sent: { ...record, tone: 'success', figures: ['amount', 'coin'], security: true },
  withdraw_rejected: { ...record, tone: 'warn', figures: ['amount', 'coin', 'reason'] },
  address_added: {
    group: 'account',
    about: 'account',
    tone: 'info',
    link: 'pages/setting/wallet',
    figures: ['name'],
    mail: 'news',
    security: true,
    pressed: true,
  },
  card_changed: {
    group: 'account',
    about: 'account',
    tone: 'info',
    link: 'pages/setting/security',
    figures: ['name'],
    mail: 'news',
    security: true,
    pressed: true,
  },
  level_passed: { ...identity, tone: 'success', figures: [] },
  level_failed: { ...identity, tone: 'warn', figures: ['reason'] },
  trader_passed: { ...trader, tone: 'success', figures: ['name'] },
  trader_failed: { ...trader, tone: 'warn', figures: ['name', 'reason'] },
  trader_ended: { ...trader, tone: 'warn', figures: ['name', 'reason'] },
  account_frozen: {
    group: 'account',
    about: 'account',
    tone: 'error',
    link: 'pages/setting/security',
    figures: [],
    mail: 'news',
    security: true,
  },
  account_freed: {
    group: 'account',
    about: 'account',
    tone: 'success',
    link: 'pages/setting/security',
    figures: [],
    mail: 'news',
    security: true,
  },
  new_login: { ...security, tone: 'warn', link: 'pages/setting/sessions', figures: ['name'] },
  recovery_code_used: { ...security, tone: 'warn', link: 'pages/setting/second_factor' },
  password_changed: pressed,
  pay_password_changed: { ...pressed, words: ['first', 'again'] },
  second_factor_on: pressed,
  second_factor_off: pressed,
  mobile_changed: { ...pressed, words: ['first', 'again'] },
  email_changed: { ...pressed, words: ['first', 'again'] },
  mining_paid: { ...mining, tone: 'success' },
  mining_not_renewed: { ...mining, tone: 'warn' },
  mining_renewed: { ...mining, tone: 'success' },
  mining_renews: { ...mining, tone: 'info' },
} as const satisfies Record<string, NoticeKind>
export type NoticeKindName = keyof typeof noticeKinds
export const noticeKindNames = Object.keys(noticeKinds) as readonly NoticeKindName[]
/** A row of the table, whichever. */
export const kindOf = (kind: NoticeKindName): NoticeKind => noticeKinds[kind]

type Row<Kind extends NoticeKindName> = (typeof noticeKinds)[Kind]
type WordOf<Kind extends NoticeKindName> = Row<Kind> extends { words: readonly (infer Word)[] } ? { word: Word } : { word?: undefined }
type SubjectOf<Kind extends NoticeKindName> = Row<Kind>['link'] extends `${string}{id}${string}`
  ? { subject: number }
  : { subject?: number }
/** Something that happened to a customer's thing: `subject` is its number. */
export type Notice = {
  [Kind in NoticeKindName]: { kind: Kind; figures: Record<Row<Kind>['figures'][number], string> } & WordOf<Kind> & SubjectOf<Kind>
}[NoticeKindName]

/** A notice and its customer. */
export type CustomerNotice = Notice & { uid: number }

/** Name of the sentence, without `sentence_`. */
export const sentenceOf = ({ kind, word }: { kind: NoticeKindName; word?: string | null | undefined }): string =>
  word ? `${kind}_${word}` : kind

/** Address in the app of the thing that a notice is about. */
export const linkOf = (kind: NoticeKindName, subject: number | null, figures: Readonly<Record<string, string | undefined>>): string =>
  kindOf(kind).link.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(name === 'id' ? String(subject) : (figures[name] ?? '')))
