import type { CallName } from '#contract/contract.ts'

/**
 * Sentences of help that deny a product which exists. A product is named in each language by a part of a regular expression; a language
 * has frames of denial in which `W` stands for such a name.
 */

export const languages = ['en', 'zh', 'hk', 'ja', 'ko', 'es', 'fr', 'th'] as const
export type Lng = (typeof languages)[number]
type Names = Readonly<Record<Lng, string>>

interface Product {
  /** The call that makes the product exist. */
  call: CallName
  names: Names
}
const product = (call: CallName, ...names: string[]): Product => ({
  call,
  names: Object.fromEntries(languages.map((lng, at) => [lng, names[at]])) as Names,
})

// biome-ignore format: one product a paragraph, one language a column
export const products: Readonly<Record<string, Product>> = {
  accounts: product('user.register', 'accounts?|profiles?', '账户|用户画像', '帳戶|個人檔案', '口座|アカウント|プロフィール', '계정|프로필',
    'cuentas?|perfil(?:es)?', 'comptes?|profils?', 'บัญชี|โปรไฟล์'),
  identity: product('user.real', 'personal data|identity', '个人数据|身份认证', '個人資料|身份認證', '個人データ|本人確認', '개인정보|본인 인증',
    'datos personales|verificación de identidad', 'données? personnelles?|vérification d’identité', 'ข้อมูลส่วนบุคคล|ยืนยันตัวตน'),
  orders: product('lever.orderOpen', 'orders?|order ticket|trading|trades?', '下单|委托|交易', '落盤|買賣指示|交易', '注文|取引', '주문|거래',
    'órdenes|operaciones|negociación', 'ordres|trading', 'คำสั่ง(?:ซื้อขาย)?|ซื้อขาย'),
  deposits: product('wallet.recharge', 'deposits?', '充值', '存款|存入', '入金', '입금', 'depósitos?', 'dépôts?', 'การฝาก|ฝากเงิน'),
  withdrawals: product('wallet.withdraw', 'withdrawals?', '提现', '提款', '出金', '출금', 'retiradas?', 'retraits?', 'การถอน|ถอนเงิน'),
  transfers: product('wallet.transfer', 'transfers?', '划转', '轉帳', '振替', '이체', 'transferencias?', 'transferts?', 'การโอน'),
  exchange: product('wallet.exchange', 'conver(?:sions?|ting)', '兑换', '兌換', '両替', '환전', 'conversi(?:ón|ones)', 'conversions?', 'การแลกเปลี่ยน'),
  spot: product('c2c.trade', 'spot', '现货', '現貨', '現物', '현물', 'contado', 'comptant', 'สปอต'),
  contracts: product('lever.orderOpen', 'futures|contracts', '合约', '合約', '先物', '선물', 'futuros', 'futures', 'ฟิวเจอร์ส'),
  options: product('mic.orderOpen', 'options', '期权', '期權', 'オプション', '옵션', 'opciones', 'options', 'ออปชัน'),
  stocks: product('lever.orderOpen', 'stocks|shares', '股票', '股票', '株式', '주식', 'acciones', 'actions', 'หุ้น'),
  copying: product('follow.follow', 'copy trading', '跟单', '跟單', 'コピートレード', '카피 트레이딩', 'copy trading', 'copy trading', 'คัดลอกเทรด'),
  otc: product('otc.order', 'otc', '场外交易|otc', '場外交易|otc', 'otc(?:取引)?', '장외거래|otc', 'otc', 'gré à gré|otc', 'otc'),
  dual: product(
    'dual.buyDual',
    'dual investments?',
    '双币投资',
    '雙幣投資',
    'デュアル投資',
    '듀얼 투자',
    'inversi[oó]n(?:es)? dual(?:es)?',
    'placements? doubles?',
    'การลงทุนสองเหรียญ',
  ),
  fees: product('c2c.trade', 'fees?', '手续费', '手續費', '手数料', '수수료', 'comision(?:es)?', 'frais', 'ค่าธรรมเนียม'),
}

/** Frames of denial by language; Spanish has one without a name, for a sentence that only refers to it. */
const frames: Readonly<Record<Lng, readonly string[]>> = {
  en: [
    '\\b(?:there (?:is|are) no|needs? no|has no|have no|executes? no|offers? no)(?: \\w+)? (?:W)\\b',
    '(?:^|[.,;] )no (?:\\w+ )?(?:W)(?:, so| (?:is|are) (?:charged|offered|executed|part))',
    '\\b(?:W)\\b[^.]*\\b(?:is|are) not (?:yet )?(?:a )?(?:part|included|available|offered|charged|possible)\\b',
    '\\bdoes not (?:offer|include|have|execute)[^.]* (?:W)\\b',
  ],
  zh: [
    '(?:没有|不含|不包括|无需|不执行|不提供|不支持|不收集其他)(?:W)',
    '(?:尚未|没有)收取(?:W)',
    '(?:W)[^。；，]*(?:不属于|尚未开放|尚未提供|暂不支持|暂不提供)',
  ],
  hk: [
    '(?:沒有|不含|不包括|毋須|不執行|不提供|不支援|不收集其他)(?:W)',
    '(?:尚未|沒有)收取(?:W)',
    '(?:W)[^。；，]*(?:不屬|尚未開放|尚未提供|暫不支援|暫不提供)',
  ],
  ja: [
    '(?:W)[^。]*(?:含みません|含まれず|含まれません|要りません|執行せず|求めません|対応していません|利用できません)',
    '(?:W)(?:機能)?(?:は|も)(?:まだ)?(?:ありません|発生していない|ないため)',
    '(?:W)がないため',
  ],
  ko: [
    '(?:W)[^.]*(?:포함되지 않|버전에 없|지원하지 않|제공하지 않|집행하지 않|요구하지 않|받지 않아)',
    '(?:W)(?: 기능)?(?:이|가|도)? (?:없습니다|없으므로|필요 없습니다)',
  ],
  es: [
    '\\b(?:no incluye|no necesita|no ejecuta|no permite enviar|no hay|no pide|no ofrece)(?: la| las| los)? (?:W)(?![\\p{L}])',
    '(?:W)(?![\\p{L}])[^.]*\\bno (?:forman? parte|están? (?:incluid|disponible)|se (?:cobran?|ofrecen?))',
    '\\baún no se (?:cobran?|ofrecen?)\\b',
  ],
  fr: [
    '(?:ni|aucune?s?|pas de|pas d’|n’exécute pas d’|passer d’)\\s?(?:W)(?![\\p{L}])(?=[^.]*(?:\\.|,|$))',
    '(?:W)(?![\\p{L}])[^.]*(?:n’en font pas partie|ne (?:sont|est) pas (?:encore )?(?:disponible|inclus|proposé))',
  ],
  th: [
    '(?:ไม่มี|ไม่รวม|ไม่ต้องมี|ไม่ส่ง|ไม่ขอ|ไม่รองรับ|ยังไม่มีการเก็บ)(?:การส่ง)?(?:W)',
    '(?:W)[^<]*(?:ไม่ได้อยู่ในเวอร์ชันนี้|ยังไม่เปิดให้บริการ|ยังใช้ไม่ได้)',
    '(?:W)ไม่ได้',
  ],
}

const compiled = new Map<string, RegExp[]>()
function patternsOf(lng: Lng, name: string): RegExp[] {
  const key = `${lng} ${name}`
  const kept = compiled.get(key)
  if (kept) return kept
  const made = frames[lng].map((frame) => new RegExp(frame.replaceAll('W', products[name]!.names[lng]), 'iu'))
  compiled.set(key, made)
  return made
}

/** Sentences of one text, without markup. Thai has no full stop, and its blanks part too loosely: a paragraph is one sentence. */
const sentencesOf = (text: string) =>
  text
    .split(/<[^>]+>/)
    .flatMap((part) => part.split(/(?<=[。！？])|(?<=[.!?])\s(?=\p{Lu})/u))
    .map((part) => part.replaceAll('\u00a0', ' ').trim())
    .filter(Boolean)

/** The products that a text denies. @returns `product: sentence` for each */
export const denied = (lng: Lng, text: string): string[] =>
  sentencesOf(text).flatMap((sentence) =>
    Object.keys(products).flatMap((name) => (patternsOf(lng, name).some((one) => one.test(sentence)) ? [`${name}: ${sentence}`] : [])),
  )
