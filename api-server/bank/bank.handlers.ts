import type { Proofs } from '#api-server/account/proof.ts'
import { type Card, type CardKind, maskCard, readCard, usableFrom } from '#api-server/bank/card.rules.ts'
import { createCardStore, type StoredCard } from '#api-server/bank/card.store.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { identityCalls } from '#contract/calls/identity.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { ApiProblem } from '#contract/problem.ts'
import { cardFieldNames } from '#contract/rules/card.rules.ts'
import type { Handlers, UserCaller } from '#server-kit/http/http.ts'

type CardCalls = 'user.cashInfo' | 'user.cashSave' | 'user.cashInfoInternational' | 'user.cashSaveInternational'

interface BankDeps extends Pick<ProductPorts, 'database' | 'clock' | 'log' | 'secrets' | 'once' | 'notices'> {
  proofs: Pick<Proofs, 'lock' | 'secondFactor'>
}

const noCard = Object.fromEntries(cardFieldNames.map((name) => [name, ''])) as Card
const shown = (stored: StoredCard | undefined) => ({
  saved: stored !== undefined,
  ...maskCard(stored?.card ?? noCard),
  changed: stored?.changed ?? null,
})

/** @throws ApiProblem card_wrong, parameter_missing */
function cardOf(input: CallInput<'user.cashSave'>, before: StoredCard | undefined): Card {
  const read = readCard(input, before?.card)
  if (read.outcome !== 'read') throw new ApiProblem(read.outcome, { field: read.field })
  return read.card
}

/** Handlers of bank cards. Answers mask the numbers. The customer gets a notice when a card's destination changes. */
export function bankHandlers({
  database,
  clock,
  log,
  secrets,
  once,
  proofs,
  notices,
}: BankDeps): Pick<Handlers<typeof identityCalls>, CardCalls> {
  const store = createCardStore(database, secrets)

  const info =
    (kind: CardKind) =>
    async (_input: object, { user }: UserCaller) =>
      shown(await store.find(user.uid, kind))
  const save = (call: CardCalls, kind: CardKind) => async (input: CallInput<'user.cashSave'>, caller: UserCaller) => {
    const { uid } = caller.user
    // Invalid input is refused before any row is locked.
    const prove = async () => {
      cardOf(input, await store.find(uid, kind))
      await proofs.secondFactor(caller, input.totp)
    }
    const saved = await once.run(caller, { call, input, prove }, async (tx) => {
      await proofs.lock(tx, uid)
      const before = await store.find(uid, kind, tx)
      const read = cardOf(input, before)
      const now = clock.now()
      const stored = { card: read, changed: now, usableFrom: usableFrom(read, before, now) }
      await store.put(tx, uid, kind, stored)
      const card = maskCard(read).bank_account
      if (stored.usableFrom > now) await notices.notify(tx, uid, { kind: 'card_changed', figures: { name: card } })
      return shown(stored)
    })
    log.info({ event: 'card_saved', kind, uid, ip: caller.ip }, 'a bank card was saved')
    return saved
  }

  return {
    'user.cashInfo': info('bank'),
    'user.cashSave': save('user.cashSave', 'bank'),
    'user.cashInfoInternational': info('bank_international'),
    'user.cashSaveInternational': save('user.cashSaveInternational', 'bank_international'),
  }
}
