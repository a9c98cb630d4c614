import type * as z from 'zod'
import { type CallName, contract } from '#contract/contract.ts'

/** Purpose of a field, which decides which bad values apply to it. */
export type Sort =
  | 'word'
  | 'nickname'
  | 'signature'
  | 'login'
  | 'email'
  | 'mobile'
  | 'password'
  | 'newPassword'
  | 'code'
  | 'factor'
  | 'id'
  | 'area'
  | 'amount'
  | 'wallet'
type OtherSort = 'choice' | 'symbol' | 'page' | 'time' | 'url' | 'key' | 'invite'
/**
 * Its sort, and a valid value for testing the other fields. Parts in braces are filled in: a new name or number each time, the name of an
 * account with a second factor, a password, an invite code.
 */
export type Field = readonly [sort: Sort | OtherSort, right: string]

/** All fields of all calls. A missing or unknown field does not compile. */
type Fields = { readonly [N in CallName]: { readonly [F in keyof z.input<(typeof contract)[N]['input']>]-?: Field } }

const area: Field = ['area', '86']
const device: Field = ['key', 'none']
const ticket: Field = ['key', 'none']
const areaId: Field = ['id', '1']
const code: Field = ['code', '000001']
const totp: Field = ['factor', '123456']
const secret: Field = ['password', '{password}']
const fresh: Field = ['newPassword', 'green-horse-18']
const symbol: Field = ['symbol', 'BTCUSDT']
const paged = { page: ['page', '1'], size: ['page', '10'] } as const
const person = { id_type: ['choice', 'passport'], name: ['word', 'Ann Lee'], real_type: ['choice', '1'], email_code: code } as const
const picture: Field = ['url', `/api/upload/${'0'.repeat(40)}`]
const card = {
  real_name: ['word', 'Ann Lee'],
  bank_account: ['word', '6222020280112233'],
  bank_name: ['word', 'Harbour Bank'],
  bank_network: ['word', 'Central'],
  bank_dizhi: ['word', 'Hong Kong'],
  phone: ['word', '+852 5555 0143'],
  alipay_account: ['word', '021000021'],
  wechat_account: ['word', '1 Main Street'],
  wechat_nickname: ['word', 'HARBHKHH'],
  swift_code: ['word', 'HARBHKHHXXX'],
  totp,
} as const
const coin: Field = ['id', '3']
const chain: Field = ['choice', 'ERC20']
const account: Field = ['choice', 'change']
const amount: Field = ['amount', '12.5']
const moved = { currency_id: coin, from: account, to: ['choice', 'lever'] } as const
const billed = { currency_id: coin, account, kind: ['choice', 'transfer'], from: ['time', '0'], to: ['time', '1795000000000'] } as const
const traded: Record<'match_id' | 'side' | 'from' | 'to', Field> = {
  match_id: ['word', 'BTCUSDT'],
  side: ['choice', 'long'],
  from: ['time', '0'],
  to: ['time', '1795000000000'],
}
const closings = { ...traded, position_id: ['id', '1'] } as const
const optionFilter = { status: ['choice', 'history'], symbol, from: ['time', '0'], to: ['time', '1795000000000'] } as const
const time = { from: ['time', '0'], to: ['time', '1795000000000'] } as const
const otcOrders = { status: ['choice', 'settled'], side: ['choice', 'buy'], ...time } as const
const dualOrders = { status: ['choice', 'success'], ...time } as const
const ieoOrders = { status: ['choice', 'applied'], ...time } as const
const copied = { status: ['choice', 'open'], trader_user_id: ['id', '1'], ...time } as const
const wallet = `0x${'a1'.repeat(20)}`
const codeRequest = {
  user_string: ['login', '{fresh}'],
  scene: ['choice', 'register'],
  area_code_id: areaId,
  area_code: area,
  device,
} as const

export const callFields: Fields = {
  'common.getSetting': { keyword: ['word', 'site_name'] },
  'common.getSiteConfig': {},
  'common.getPageSet': { type: ['word', 'home'] },
  'news.indexPop': {},
  'news.getList': { type: ['choice', 'news'], ...paged },
  'news.getNewsDetail': { nid: ['id', '1'] },
  'news.list': { c_id: ['id', '1'], ...paged },
  'common.menu': {},
  'common.faq': {},
  'common.contactus': {},
  'common.aboutus': {},
  'common.operational_compliance': {},
  'common.upload': { purpose: ['choice', 'draft'] },
  'auth.smsMail': { ...codeRequest, email_code: ['word', '1'] },
  'auth.smsSend': { ...codeRequest, user_string: ['login', '{mobile}'], email_code: ['word', '1'] },
  'user.checkEmail': { email: ['email', '{fresh}'] },
  'user.register': {
    username: ['login', '{fresh}'],
    code,
    ticket,
    password: fresh,
    re_password: fresh,
    mpassword: ['newPassword', '246813579'],
    extension_code: ['invite', '{invite}'],
    type: ['choice', 'email'],
    area_code: area,
  },
  'user.login': { username: ['login', '{second}'], password: secret, area_code: area, totp, device },
  'user.logout': {},
  'user.info': {},
  'user.uploadHeadPortrait': { url: ['url', `/api/upload/${'0'.repeat(43)}.png`] },
  'user.editNickname': { nickname: ['nickname', 'ann'], signature: ['signature', 'hello there'] },
  'user.resetpwd': {
    account: ['login', '{fresh}'],
    area_code: area,
    password: secret,
    newpassword: fresh,
    code,
    ticket,
    totp,
  },
  'user.resetmpwd': { password: secret, newpassword: fresh, code, totp },
  'user.emsSend': { email: ['email', '{fresh}'], event: ['choice', 'bind_email'], device },
  'user.smsSend': { mobile: ['mobile', '{mobile}'], type: ['choice', 'bind_mobile'], area_code_id: areaId, area_code: area, device },
  'user.checkMobile': { mobile: ['mobile', '{mobile}'], area_code: area, captcha: code, ticket },
  'user.safeMobile': { mobile: ['mobile', '{mobile}'], area_code_id: areaId, area_code: area, code, password: secret, totp },
  'user.safeEmail': { email: ['email', '{fresh}'], code, password: secret, totp },
  'user.sessions': {},
  'user.endSession': { id: ['key', 'nothing'], password: secret },
  'user.endOtherSessions': { password: secret },
  'user.totpSetup': {},
  'user.totpConfirm': { code, password: secret },
  'user.totpRemove': { password: secret, code: ['factor', '123456'] },
  'user.invite': {},
  'user.addOptional': { symbol },
  'user.delOptional': { symbol },
  'user.getOptionalList': {},
  'common.areas': { keyword: ['word', 'ja'] },
  'user.getAuth': {},
  'user.real': { ...person, card_id: ['word', 'K1234567'] },
  'user.doAuth': { ...person, real_type: ['choice', '2'], idnumber: ['word', 'K1234567'], front_pic: picture, reverse_pic: picture },
  'user.cashInfo': {},
  'user.cashSave': card,
  'user.cashInfoInternational': {},
  'user.cashSaveInternational': card,
  'user.invited': { ...paged, generation: ['choice', '1'] },
  'user.outcome': { key: ['key', 'nothing'] },
  'market.getHomeQuotaList': {},
  'market.quotation': {},
  'market.getQuota': { match_id: ['word', 'BTCUSDT'] },
  'market.kline': { symbol, period: ['choice', '1m'], from: ['time', '0'], to: ['time', '1795000000'], limit: ['id', '300'] },
  'market.ticks': { from: ['id', '1'], limit: ['page', '5'] },
  'market.dayEnds': { from: ['time', '0'], limit: ['page', '5'] },
  'currency.list': {},
  'wallet.getRateCurrency': {},
  'currency.userCurrencyList': {},
  'wallet.getWalletInfo': {},
  'wallet.getAsset': { account },
  'wallet.getCurrencyAsset': { currency_id: coin },
  'wallet.getBalance': { currency_id: coin, account },
  'wallet.getSymbolList': {},
  'wallet.getWalletLog': { ...paged, ...billed },
  'wallet.exportLog': billed,
  'wallet.getTransferList': { currency_id: coin },
  'wallet.transfer': { amount, ...moved },
  'user.Transfer': { number: amount, ...moved },
  'wallet.hzhistory': { ...paged, currency_id: coin },
  'wallet.getExchangeRate': { from_currency_id: coin, to_currency_id: ['id', '1'] },
  'wallet.exchange': { amount, from_currency_id: coin, to_currency_id: ['id', '1'], quote_id: ['key', 'nothing'] },
  'wallet.getPayable': {},
  'wallet.getInAddress': { currency_id: coin, chain },
  'wallet.recharge': { imgs: picture, amount, currency_id: coin, type: ['word', 'voucher'], chain },
  'wallet.getRecord': { ...paged, type: ['choice', 'withdraw'], currency_id: coin, id: ['id', '1'] },
  'wallet.getWithdrawInfo': { currency_id: coin, channel: ['choice', 'address'], chain },
  'wallet.withdraw': {
    currency_id: coin,
    amount,
    channel: ['choice', 'address'],
    address_id: ['id', '1'],
    fee: ['amount', '4'],
    pay_password: secret,
    code,
    totp,
  },
  'wallet.cancelWithdraw': { id: ['id', '1'] },
  'wallet.addAddress': {
    currency_id: coin,
    chain,
    name: ['word', 'mine'],
    address: ['wallet', wallet],
    tag: ['word', ''],
    qrcode: ['word', wallet],
    pay_password: secret,
    code,
    totp,
  },
  'wallet.delAddress': { address_id: ['id', '1'] },
  'wallet.getAddressList': { ...paged, currency_id: coin, chain },
  'lever.deal': { match_id: ['word', 'BTCUSDT'], currency_id: ['id', '1'], legal_id: coin },
  'lever.orderOpen': {
    match_id: ['word', 'BTCUSDT'],
    currency_id: ['id', '1'],
    legal_id: coin,
    side: ['choice', 'long'],
    type: ['choice', 'market'],
    lots: ['amount', '1'],
    multiple: ['id', '20'],
    price: ['amount', '50000'],
    worst_price: ['amount', '50500'],
    target_profit_price: ['amount', '60000'],
    stop_loss_price: ['amount', '40000'],
    outside_hours: ['choice', 'queue'],
    terms_version: ['id', '1'],
  },
  'lever.dealall': {},
  'lever.order': { id: ['id', '1'] },
  'lever.orderList': { ...paged, ...traded, status: ['choice', 'entrust'] },
  'lever.close': { id: ['id', '1'], lots: ['amount', '1'], price: ['amount', '50000'], worst_price: ['amount', '49000'] },
  'lever.closeAll': { type: ['choice', '1'], match_id: ['word', 'BTCUSDT'], worst_unrealised: ['choice', '-100'] },
  'lever.orderMove': { id: ['id', '1'], price: ['amount', '49000'] },
  'lever.setStopPrice': { id: ['id', '1'], target_profit_price: ['amount', '60000'], stop_loss_price: ['amount', '40000'] },
  'lever.closeAtOpening': { id: ['id', '1'], wanted: ['choice', '1'] },
  'lever.margin': { id: ['id', '1'], action: ['choice', 'add'], amount },
  'lever.reverse': { id: ['id', '1'], price: ['amount', '50000'], worst_price: ['amount', '49000'], terms_version: ['id', '1'] },
  'lever.cancel': { id: ['id', '1'] },
  'lever.history': { ...paged, ...closings },
  'lever.closing': { id: ['id', '1'] },
  'lever.exportHistory': closings,
  'lever.profit': { month: ['word', '2026-11'], product: ['choice', 'option'] },
  'mic.payableCurrencies': {},
  'mic.getSeconds': { match_id: symbol },
  'mic.orderOpen': {
    match_id: symbol,
    currency_id: coin,
    type: ['choice', 'up'],
    seconds: ['choice', '60'],
    number: amount,
    price: ['amount', '50000'],
    rate: ['amount', '0.3'],
    oid: ['key', '{fresh}'],
  },
  'mic.orderList': { ...paged, ...optionFilter },
  'mic.exportList': optionFilter,
  'mic.getOrderDetail': { id: ['id', '1'] },
  'c2c.detail': { symbol },
  'c2c.trade': {
    terms_version: ['id', '1'],
    amount: ['amount', '0.001'],
    target_price: ['amount', '50000'],
    currency_id: ['id', '1'],
    legal_id: ['id', '3'],
    type: ['choice', 'buy'],
    tradeType: ['choice', 'limit'],
    time_in_force: ['choice', 'gtc'],
    worst_price: ['amount', '50000'],
  },
  'c2c.move': { id: ['id', '1'], price: ['amount', '49000'] },
  'c2c.cancel': { id: ['id', '1'] },
  'c2c.cancelAll': { symbol },
  'c2c.orderList': {
    ...paged,
    status: ['choice', 'doing'],
    symbol,
    type: ['choice', 'buy'],
    from: ['time', '0'],
    to: ['time', '1795000000'],
  },
  'c2c.exportOrders': { status: ['choice', 'doing'], symbol, type: ['choice', 'buy'], from: ['time', '0'], to: ['time', '1795000000'] },
  'c2c.order': { id: ['id', '1'] },
  'c2c.fills': { ...paged, order_id: ['id', '1'], symbol, from: ['time', '0'], to: ['time', '1795000000'] },
  'follow.index': {
    ...paged,
    sort: ['choice', 'accuracy'],
    gaining: ['choice', '1'],
    accuracy: ['page', '60'],
    closed: ['page', '10'],
    search: ['word', 'Ann'],
  },
  'follow.traderDetail': { trader_user_id: ['id', '1'] },
  'follow.historyTrade': { ...paged, trader_user_id: ['id', '1'] },
  'follow.follow': {
    trader_user_id: ['id', '1'],
    number: ['amount', '1.5'],
    type: ['choice', 'multiple'],
    stop_loss: ['amount', '500'],
    agree_en: ['choice', '1'],
    agree_zh: ['choice', '1'],
  },
  'follow.cancel': { trader_user_id: ['id', '1'] },
  'follow.selfHolding': { transaction_id: ['id', '1'] },
  'follow.mine': {},
  'follow.copies': { ...paged, ...copied },
  'follow.exportCopies': copied,
  'follow.application': {},
  'otc.offers': { ...paged, side: ['choice', 'buy'] },
  'otc.order': { offer_id: ['id', '1'], amount: ['amount', '1.5'] },
  'otc.orders': { ...paged, id: ['id', '1'], ...otcOrders },
  'otc.exportOrders': otcOrders,
  'otc.cancel': { id: ['id', '1'] },
  'notice.list': { ...paged, group: ['choice', 'trade'] },
  'notice.unread': {},
  'notice.seen': { id: ['id', '1'] },
  'notice.seenAll': { until: ['id', '1'] },
  'dual.index': { ...paged, base: ['word', 'BTC'], type: ['choice', 'call'] },
  'dual.coins': {},
  'dual.detail': { id: ['id', '1'] },
  'dual.buyDual': {
    id: ['id', '1'],
    num: ['id', '2'],
    currency_id: coin,
    type: ['choice', 'call'],
    terms_version: ['id', '1'],
  },
  'dual.dualList': { ...paged, ...dualOrders },
  'dual.exportList': dualOrders,
  'dual.getOrderDetail': { id: ['id', '1'] },
  'ieo.projects': { ...paged, state: ['choice', 'ended'] },
  'ieo.detail': { id: ['id', '1'] },
  'ieo.order': {
    project_id: ['id', '1'],
    amount: ['amount', '12.5'],
    pay_currency: ['word', 'USDT'],
    price: ['amount', '0.05'],
    rate: ['amount', '1'],
    terms_version: ['id', '1'],
  },
  'ieo.cancel': { project_id: ['id', '1'] },
  'ieo.orders': { ...paged, ...ieoOrders },
  'ieo.orderDetail': { id: ['id', '1'] },
  'finance.index': {},
  'finance.offers': { coin: ['word', 'USDT'], term: ['choice', 'week'], risk: ['choice', '3'] },
  'follow.apply': { nickname: ['nickname', 'Ann'], introduction: ['word', 'I trade gold'] },
  'mining.productList': { ...paged, kind: ['choice', 'lock'] },
  'mining.product': { mid: ['id', '1'] },
  'mining.orderList': { ...paged, status: ['choice', 'running'], ...time },
  'mining.order': { id: ['id', '1'] },
  'mining.deposit': { mid: ['id', '1'], amount: ['amount', '12.5'], terms_version: ['id', '1'] },
  'mining.close': { id: ['id', '1'] },
  'mining.renewal': { id: ['id', '1'], renewal: ['choice', 'principal'] },
}

/** All fields: call, name, sort, and a valid value. */
export const allFields = (Object.keys(contract) as CallName[]).flatMap((call) =>
  Object.entries(callFields[call] as Record<string, Field>).map(([field, [sort, right]]) => ({ call, field, sort, right })),
)
