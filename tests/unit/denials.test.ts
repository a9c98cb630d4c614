import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSeed } from '#api-server/content/seed.ts'
import { denied, type Lng, languages } from '#tests/support/denials.ts'

/** Help, policies, articles and texts of screens never deny a product that exists. */

/** An empty list, an unknown order, a market without options, a page that an installation leaves out: these texts deny nothing that is there. */
const emptyKey = /(?:^|_)(?:none|no|empty|unfound|untraded|unknown|looking|filled|off|shut)(?:_|$)/

/** Every text below a value, with its place. */
const textsOf = (value: unknown, place: string): [string, string][] =>
  typeof value === 'string'
    ? [[place, value]]
    : Object.entries((value ?? {}) as object).flatMap(([key, inner]) => textsOf(inner, `${place}.${key}`))

const seed = readSeed('api-server/content/seed')
const screens = (lng: Lng) =>
  readdirSync(join('locales', lng)).flatMap((name) =>
    textsOf(JSON.parse(readFileSync(join('locales', lng, name), 'utf8')), name).filter(
      ([place]) => !emptyKey.test(place.split('.').at(-1)!),
    ),
  )

/** Denials that stood in the help of the first versions; the last of each language stands for products that are newer. */
const denials: Readonly<Record<Lng, readonly (readonly [string, string])[]>> = {
  en: [
    ['orders', 'No. This version shows markets only and has no order ticket. No real money is involved.'],
    ['deposits', 'Placing orders, accounts, deposits and withdrawals are not part of this version. You will not find buttons for them.'],
    ['accounts', 'No account, so no profile.'],
    [
      'orders',
      'This installation is a demonstration with simulated prices. It holds no customer money, executes no orders and is not a licensed exchange, broker or adviser.',
    ],
    ['identity', 'The demonstration needs no personal data beyond what running it requires.'],
    ['fees', 'Rewards are a share of trading fees. No trading fees are charged yet, so there are no rewards so far.'],
    ['copying', 'Copy trading and OTC are not available yet.'],
  ],
  zh: [
    ['orders', '不可以。本版本只提供行情，没有下单功能，也不涉及真实资金。'],
    ['deposits', '下单、账户、充值和提现不属于本版本，您也不会看到相应的按钮。'],
    ['accounts', '没有账户，因此没有用户画像。'],
    ['orders', '本站是使用模拟价格的演示，不持有客户资金，不执行委托，也不是持牌的交易所、经纪商或顾问。'],
    ['identity', '演示只需要运行所必需的数据，不收集其他个人数据。'],
    ['fees', '返佣来自好友的交易手续费。目前尚未收取手续费，因此暂无返佣。'],
    ['copying', '跟单和场外交易尚未开放。'],
  ],
  hk: [
    ['orders', '不可以。此版本只提供行情，沒有落盤功能，亦不涉及真實資金。'],
    ['deposits', '落盤、帳戶、存款及提款不屬此版本，你亦不會看到相關按鈕。'],
    ['accounts', '沒有帳戶，因此沒有個人檔案。'],
    ['orders', '本站是使用模擬價格的示範，不持有客戶資金，不執行買賣指示，亦非持牌交易所、經紀或顧問。'],
    ['identity', '示範只需運作所必需的資料，不收集其他個人資料。'],
    ['fees', '回贈來自朋友的交易手續費。目前尚未收取手續費，因此暫無回贈。'],
    ['copying', '跟單及場外交易尚未開放。'],
  ],
  ja: [
    ['orders', 'いいえ。このバージョンはマーケットの閲覧のみで、注文機能はありません。実際のお金も動きません。'],
    ['deposits', '注文、口座、入金、出金はこのバージョンに含まれず、そのためのボタンもありません。'],
    ['accounts', '口座がないため、プロフィールも作りません。'],
    [
      'orders',
      'この環境はシミュレーション価格によるデモです。お客様の資金を預からず、注文を執行せず、免許を受けた取引所、業者、助言者でもありません。',
    ],
    ['identity', 'デモの運用に必要な範囲を超えて個人データを求めません。'],
    ['fees', '報酬は取引手数料の一部を還元するものです。手数料はまだ発生していないため、報酬もまだありません。'],
    ['copying', 'コピートレードとOTC取引はまだ利用できません。'],
  ],
  ko: [
    ['orders', '아니요. 이 버전은 시세만 제공하며 주문 기능이 없습니다. 실제 돈도 오가지 않습니다.'],
    ['deposits', '주문, 계정, 입금, 출금은 이 버전에 없으며 관련 버튼도 없습니다.'],
    ['accounts', '계정이 없으므로 프로필도 없습니다.'],
    [
      'orders',
      '이곳은 모의 가격을 쓰는 데모입니다. 고객 자금을 보관하지 않고, 주문을 집행하지 않으며, 인가받은 거래소나 중개인, 자문사가 아닙니다.',
    ],
    ['identity', '데모 운영에 필요한 것 외의 개인정보를 요구하지 않습니다.'],
    ['fees', '리워드는 거래 수수료의 일부입니다. 아직 수수료를 받지 않아 리워드도 없습니다.'],
    ['copying', '카피 트레이딩과 장외거래는 아직 지원하지 않습니다.'],
  ],
  es: [
    ['orders', 'No. Esta versión solo muestra mercados y no permite enviar órdenes. No hay dinero real de por medio.'],
    [
      'deposits',
      'Las órdenes, las cuentas, los depósitos y las retiradas no forman parte de esta versión. No encontrarás botones para ello.',
    ],
    ['accounts', 'No hay cuenta y, por tanto, tampoco perfil.'],
    [
      'orders',
      'Esta instalación es una demostración con precios simulados. No custodia dinero de clientes, no ejecuta órdenes y no es una bolsa, un intermediario ni un asesor autorizado.',
    ],
    ['identity', 'La demostración no pide datos personales más allá de lo necesario para funcionar.'],
    ['fees', 'Las recompensas son una parte de las comisiones de negociación. Aún no se cobran, así que todavía no hay recompensas.'],
    ['copying', 'El copy trading y el OTC no están disponibles todavía.'],
  ],
  fr: [
    ['orders', 'Non. Cette version présente seulement les marchés et ne permet pas de passer d’ordres. Aucun argent réel n’est en jeu.'],
    ['deposits', 'Les ordres, les comptes, les dépôts et les retraits n’en font pas partie. Vous ne trouverez aucun bouton pour cela.'],
    ['accounts', 'Pas de compte, donc pas de profil.'],
    [
      'orders',
      'Cette installation est une démonstration à cours simulés. Elle ne détient pas de fonds, n’exécute pas d’ordres et n’est ni une bourse, ni un courtier, ni un conseiller agréé.',
    ],
    ['identity', 'La démonstration ne demande aucune donnée personnelle au-delà de ce qu’exige son fonctionnement.'],
    [
      'fees',
      'Les récompenses sont une part des frais de trading. Aucuns frais ne sont encore prélevés, il n’y a donc pas encore de récompenses.',
    ],
    ['copying', 'Le copy trading et le gré à gré ne sont pas encore disponibles.'],
  ],
  th: [
    ['orders', 'ไม่ได้ เวอร์ชันนี้แสดงข้อมูลตลาดเท่านั้น ส่งคำสั่งไม่ได้ และไม่มีเงินจริงเกี่ยวข้อง'],
    ['deposits', 'การส่งคำสั่งซื้อขาย บัญชี การฝาก และการถอน ไม่ได้อยู่ในเวอร์ชันนี้ จึงไม่มีปุ่มสำหรับสิ่งเหล่านี้'],
    ['accounts', 'ไม่มีบัญชี จึงไม่มีโปรไฟล์'],
    ['orders', 'ระบบนี้เป็นการสาธิตด้วยราคาจำลอง ไม่ถือเงินของลูกค้า ไม่ส่งคำสั่งซื้อขาย และไม่ใช่ตลาดซื้อขาย นายหน้า หรือที่ปรึกษาที่ได้รับใบอนุญาต'],
    ['identity', 'การสาธิตไม่ขอข้อมูลส่วนบุคคลเกินกว่าที่จำเป็นต่อการทำงาน'],
    ['fees', 'รางวัลมาจากส่วนแบ่งค่าธรรมเนียมการซื้อขาย ขณะนี้ยังไม่มีการเก็บค่าธรรมเนียม จึงยังไม่มีรางวัล'],
    ['copying', 'คัดลอกเทรดและ OTC ยังไม่เปิดให้บริการ'],
  ],
}

describe.for(languages)('%s', (lng) => {
  test.for(denials[lng])('a denial of %s is found: %s', ([name, text]) => {
    expect(denied(lng, text).map((found) => found.slice(0, found.indexOf(':')))).toContain(name)
  })

  test('no text denies a product', () => {
    const texts = [...textsOf(seed.get(lng), 'seed'), ...screens(lng)]
    expect(texts.length).toBeGreaterThan(1000)
    expect(texts.flatMap(([place, text]) => denied(lng, text).map((found) => `${place} ${found}`))).toEqual([])
  })
})
