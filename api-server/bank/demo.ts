import type { Card, CardKind } from '#api-server/bank/card.rules.ts'
import { createCardStore } from '#api-server/bank/card.store.ts'
import { cardFieldNames } from '#contract/rules/card.rules.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Secrets } from '#server-kit/security/secrets.ts'

/** Fictitious cards: the number of the second is the example IBAN of the standard. */
const holder = { real_name: 'Demo Customer', bank_name: 'Demo Bank', bank_dizhi: '1 Demo Street', phone: '+1 202 555 0143' }
const cards: Record<CardKind, Partial<Card>> = {
  bank: { ...holder, bank_account: '6222020040002468', bank_network: 'Demo Branch' },
  bank_international: {
    ...holder,
    bank_account: 'DE89370400440532013000',
    swift_code: 'DEMODEFFXXX',
    alipay_account: '123456780',
    wechat_account: '1 Demo Street',
  },
}

/** Gives the demonstration account a card of each kind that it does not have, without the waiting time. */
export async function seedDemoCards(database: Database, secrets: Secrets, uid: number, now: number): Promise<void> {
  const store = createCardStore(database, secrets)
  for (const kind of Object.keys(cards) as CardKind[]) {
    if (await store.find(uid, kind)) continue
    const card = Object.fromEntries(cardFieldNames.map((name) => [name, cards[kind][name] ?? ''])) as Card
    await database.transaction((tx) => store.put(tx, uid, kind, { card, changed: now, usableFrom: now }))
  }
}
