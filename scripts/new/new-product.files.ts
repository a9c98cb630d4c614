import type { NewFile } from '#scripts/new/new.files.ts'

/** Files and changes of `npm run new:product`. Pure functions, which can be tested without a folder. */

/** Folder of the starting product; each file has `.txt` after its name, and its path is that in the project. */
export const templatesFolder = 'scripts/new/product'

/** Why a product may not have this name; undefined when it may. @param taken names of areas and folders that exist */
export function refusal(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'a name is required, such as: npm run new:product gold-plan'
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name))
    return `${name}: small letters and digits, in words with a hyphen between them, and each word begins with a letter`
  if (name.length > 24) return `${name} is longer than 24 characters`
  if (taken.includes(name) || taken.includes(name.replaceAll('-', '_'))) return `${name} is taken`
  return undefined
}

/** The starting product has a name in each spelling; the new one gets its own in the same places. */
const spellings = (name: string) => {
  const words = name.split('-')
  const upper = (word: string) => word[0]!.toUpperCase() + word.slice(1)
  const pascal = words.map(upper).join('')
  return {
    'sample-plan': name,
    sample_plan: words.join('_'),
    samplePlan: pascal[0]!.toLowerCase() + pascal.slice(1),
    SamplePlan: pascal,
    'Sample plan': upper(words.join(' ')),
    'sample plan': words.join(' '),
    // In a pattern of SQL that stands in a text of TypeScript.
    'sample\\\\_plan': words.join('\\\\_'),
  }
}
/** A text of the starting product with the name of the new one. */
export const renamed = (text: string, name: string) =>
  Object.entries(spellings(name)).reduce((done, [from, to]) => done.replaceAll(from, to), text)

/** @param templates files of the starting product, as they are in its folder */
export const filesOf = (name: string, templates: readonly NewFile[]): NewFile[] =>
  templates.map(({ path, text }) => ({ path: renamed(path.replace(/\.txt$/, ''), name), text: renamed(text, name) }))

/** Lines that are put into a file that exists, before the last place where it says `before`. */
export interface Insertion {
  file: string
  before: string
  text: string
  /** Nothing is put in where the file says this already: several products have a member of terms of one name. */
  unless?: string
}

const languages = ['en', 'zh', 'hk', 'ja', 'ko', 'es', 'fr', 'th'] as const
/** Members of the terms of the starting product, with their labels in the order of the languages. */
const terms: Readonly<Record<string, readonly string[]>> = {
  coin: ['Coin', '币种', '幣種', 'コイン', '코인', 'Moneda', 'Coin', 'เหรียญ'],
  lock_days: ['Days', '天数', '天數', '日数', '일수', 'Días', 'Jours', 'จำนวนวัน'],
  daily: ['Income a day', '每日收益', '每日收益', '1日の収益', '하루 수익', 'Rendimiento al día', 'Revenu par jour', 'ผลตอบแทนต่อวัน'],
  least: [
    'Least of one order',
    '单笔最小',
    '單筆最小',
    '1注文の最小',
    '주문당 최소',
    'Mínimo por orden',
    'Minimum par ordre',
    'ขั้นต่ำต่อคำสั่ง',
  ],
  most: ['Most of one order', '单笔最大', '單筆最大', '1注文の最大', '주문당 최대', 'Máximo por orden', 'Maximum par ordre', 'สูงสุดต่อคำสั่ง'],
}
const words: Record<(typeof languages)[number], { buy: string; pay: string; sentence: string }> = {
  en: {
    buy: 'Sample plan bought',
    pay: 'Sample plan paid back',
    sentence: 'Your sample plan of {{amount}} has ended: {{result}} was credited.',
  },
  zh: { buy: 'Sample plan 购买', pay: 'Sample plan 返还', sentence: '您的 Sample plan（{{amount}}）已到期，{{result}} 已入账。' },
  hk: { buy: 'Sample plan 購買', pay: 'Sample plan 返還', sentence: '你的 Sample plan（{{amount}}）已到期，{{result}} 已入賬。' },
  ja: {
    buy: 'Sample plan の購入',
    pay: 'Sample plan の払い戻し',
    sentence: 'Sample plan（{{amount}}）が満了し、{{result}} を入金しました。',
  },
  ko: { buy: 'Sample plan 구매', pay: 'Sample plan 지급', sentence: 'Sample plan({{amount}})이 만료되어 {{result}} 지급되었습니다.' },
  es: {
    buy: 'Compra de Sample plan',
    pay: 'Devolución de Sample plan',
    sentence: 'Tu Sample plan de {{amount}} ha terminado: se han abonado {{result}}.',
  },
  fr: {
    buy: 'Achat de Sample plan',
    pay: 'Remboursement de Sample plan',
    sentence: 'Votre Sample plan de {{amount}} est terminé\u202f: {{result}} ont été crédités.',
  },
  th: {
    buy: 'ซื้อ Sample plan',
    pay: 'คืนเงิน Sample plan',
    sentence: 'Sample plan {{amount}} ของคุณครบกำหนดแล้ว ได้รับ {{result}}',
  },
}
const member = (key: string, text: string) => `,\n  "${key}": ${JSON.stringify(text)}`
const imported = (members: string, from: string) => `import ${members} from '${from}'\n`

const insertions: readonly Insertion[] = [
  {
    file: 'api-server/products.ts',
    before: '\n/**\n * Products that need',
    text: imported('{ samplePlan }', '#api-server/sample-plan/sample-plan.ts'),
  },
  { file: 'api-server/products.ts', before: ']\n\n/** Terms of all products', text: ', samplePlan' },
  {
    file: 'contract/contract.ts',
    before: 'import { userCalls }',
    text: imported('{ samplePlanCalls }', '#contract/calls/sample-plan.calls.ts'),
  },
  { file: 'contract/contract.ts', before: '} as const\n\nexport type CallName', text: '  ...samplePlanCalls,\n' },
  ...Object.keys(terms).map((name) => ({
    file: 'contract/calls/office.terms.calls.ts',
    before: '] as const\nconst typed =',
    text: `  '${name}',\n`,
    unless: `'${name}'`,
  })),
  { file: 'contract/accounts.ts', before: '] as const\nexport type EventKind', text: "  'sample_plan_buy',\n  'sample_plan_pay',\n" },
  {
    file: 'contract/calls/notice.kinds.ts',
    before: '} as const satisfies Record<string, NoticeKind>',
    text: `  sample_plan_paid: {
    group: 'trade',
    about: 'order',
    tone: 'success',
    link: 'pages/sample_plan/sample_plan',
    figures: ['amount', 'result', 'coin'],
    mail: 'news',
  },
`,
  },
  {
    file: 'contract/topics.ts',
    before: '} as const satisfies Record<string, Topic<CallName>>',
    text: `  sample_plan_orders: {
    about: 'an order of the sample plan was made, or its state has changed',
    rows: { call: 'sample_plan.orders', key: 'id', stamp: 'version', newest: 'first', by: {} },
  },
`,
  },
  {
    file: 'schemas/routes.json',
    before: '    "pages/common/article"',
    text: '    "pages/sample_plan/sample_plan": { "screen": "sample_plan.sample_plan", "auth": true },\n',
  },
  {
    file: 'schemas/quick-entries/home.json',
    before: '    { "id": "start"',
    text: '    { "id": "sample_plan", "to": "pages/sample_plan/sample_plan", "icon": "piggy-bank", "label": "@sample_plan.title" },\n',
  },
  ...languages.flatMap((language, place): Insertion[] => [
    ...Object.entries(terms).map(([name, labels]) => ({
      file: `console/locales/${language}/office.json`,
      before: '\n}\n',
      text: member(`term_${name}`, labels[place]!),
      unless: `"term_${name}"`,
    })),
    {
      file: `console/locales/${language}/office.json`,
      before: '\n}\n',
      text: member('product_sample_plan', 'Sample plan'),
    },
    {
      file: `locales/${language}/event.json`,
      before: '\n}\n',
      text: member('kind_sample_plan_buy', words[language].buy) + member('kind_sample_plan_pay', words[language].pay),
    },
    {
      file: `locales/${language}/notice.json`,
      before: '\n}\n',
      text: member('sentence_sample_plan_paid', words[language].sentence),
    },
  ]),
  {
    file: 'tests/support/right-inputs.ts',
    before: '} as const satisfies Partial<Record<CallName',
    text: "  'sample_plan.buy': { plan_id: '1', amount: '100' },\n",
  },
  {
    file: 'tests/support/right-inputs.ts',
    before: '}\n\n/** Valid fields of every call',
    text: "  'sample_plan.plans': {},\n  'sample_plan.orders': {},\n",
  },
  {
    file: 'tests/support/call-fields.ts',
    before: '}\n\n/** All fields: call',
    text: `  'sample_plan.plans': {},
  'sample_plan.buy': { plan_id: ['id', '1'], amount: ['amount', '12.5'], terms_version: ['id', '1'] },
  'sample_plan.orders': paged,
`,
  },
  {
    file: 'tests/support/people/product-calls.ts',
    before: "    'user.real': async () =>",
    text: "    'sample_plan.buy': withFields({ plan_id: '1', amount: '100' }),\n",
  },
  {
    file: 'api-server/idempotency/crash.store.test.ts',
    before: ']\nconst productOf',
    text: "  ['sample_plan.buy', '1 after'],\n",
  },
  { file: 'tests/servers/access.test.ts', before: ']\n/** Orders', text: "  'sample_plan.buy plan_id',\n" },
]

/** @throws Error when a file does not have the expected form */
export function inserted(before: string, { file, ...one }: Insertion): string {
  if (one.unless !== undefined && before.includes(one.unless)) return before
  const at = before.lastIndexOf(one.before)
  if (at < 0) throw new Error(`${file} does not have the expected form: it has no ${JSON.stringify(one.before)}`)
  return before.slice(0, at) + one.text + before.slice(at)
}

export const insertionOf = (one: Insertion, name: string): Insertion => ({ ...one, text: renamed(one.text, name) })
export const insertionsOf = (name: string): Insertion[] => insertions.map((one) => insertionOf(one, name))

/** Adds the hash of the guards of the new product to the table of a test. */
export const guardInsertion = (name: string, hash: string): Insertion => ({
  file: 'api-server/states.store.test.ts',
  before: "}\ntest('a changed guard",
  text: `  '${name}-states-1': '${hash}',\n`,
})

/** Next steps of the developer, as the command prints them. */
export const nextOf = (name: string): string => {
  const { 'sample-plan': folder, sample_plan: area } = spellings(name)
  return `npm run dev, log in as demo and open /#/pages/${area}/${area}. Then make it yours, in this order:
  1. contract/calls/${folder}.calls.ts               the calls, their fields and refusals
  2. api-server/${folder}/${folder}.rules.ts         states and sums, with the test beside it
     api-server/${folder}/${folder}.terms.ts         members of the terms, and the first terms of a new platform
  3. api-server/${folder}/${folder}.migration.ts     the table and the columns that never change
  4. api-server/${folder}/${folder}.handlers.ts, ${folder}.ts, ${folder}.store.ts   the work
  5. api-server/${folder}/${folder}.checks.ts        the checks of the audit
  6. schemas/screens/${area}, schemas/forms/${area}, locales/*/${area}.json   the screen and its words
  npx vitest run --project store api-server/${folder}
  docs/guides/add-a-product.md has each step`
}
