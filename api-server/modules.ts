import { createAccountStore } from '#api-server/account/account.store.ts'
import { demoAccount } from '#api-server/account/demo.ts'
import { freezeProposals } from '#api-server/back-office/freezing.ts'
import { ruleTerms } from '#api-server/back-office/rule-of-two.ts'
import { bankHandlers } from '#api-server/bank/bank.handlers.ts'
import { bankMigrations } from '#api-server/bank/bank.migration.ts'
import { createCardReads } from '#api-server/bank/card.reads.ts'
import { seedDemoCards } from '#api-server/bank/demo.ts'
import { contentHandlers } from '#api-server/content/content.handlers.ts'
import { currencyHandlers } from '#api-server/currency/currency.handlers.ts'
import { rateHook } from '#api-server/currency/rate.hook.ts'
import { favouritesHandlers } from '#api-server/favourites/favourites.handlers.ts'
import { favouritesMigrations } from '#api-server/favourites/favourites.migration.ts'
import { createFavouritesStore } from '#api-server/favourites/favourites.store.ts'
import { copyTexts, orderTexts, otcTexts, statementTexts } from '#api-server/file-texts.ts'
import { financeOf } from '#api-server/finance/finance.ts'
import { followChecks } from '#api-server/follow/follow.checks.ts'
import { followMigrations } from '#api-server/follow/follow.migration.ts'
import { createFollow } from '#api-server/follow/follow.ts'
import { traderQueue } from '#api-server/follow/trader.queue.ts'
import { outcomeHandlers } from '#api-server/idempotency/outcome.ts'
import { identityMigrations } from '#api-server/identity/identity.migration.ts'
import { identityQueue } from '#api-server/identity/identity.queue.ts'
import { createIdentity } from '#api-server/identity/identity.ts'
import { defineModule, type Module, type ModuleParts } from '#api-server/kit/module.ts'
import { officeMigrations } from '#api-server/kit/office.migration.ts'
import { creditHook } from '#api-server/ledger/credit.hook.ts'
import { leverChecks, leverHolds } from '#api-server/lever/lever.checks.ts'
import { leverMigrations } from '#api-server/lever/lever.migration.ts'
import { createLever } from '#api-server/lever/lever.ts'
import { createListings, type Titles } from '#api-server/market/listings.ts'
import { createMarketHandlers } from '#api-server/market/market.handlers.ts'
import { tickHook } from '#api-server/market/tick.hook.ts'
import { optionChecks, optionHolds } from '#api-server/mic/mic.checks.ts'
import { micMigrations } from '#api-server/mic/mic.migration.ts'
import { createMic } from '#api-server/mic/mic.ts'
import { closedOffersCheck, offerProposals } from '#api-server/otc/offers.ts'
import { otcChecks, otcHolds } from '#api-server/otc/otc.checks.ts'
import { otcMigrations } from '#api-server/otc/otc.migration.ts'
import { otcQueue } from '#api-server/otc/otc.queue.ts'
import { createOtc } from '#api-server/otc/otc.ts'
import { outboxHook } from '#api-server/outbox/outbox.hook.ts'
import { messageHandlers } from '#api-server/outbox/outbox.office.ts'
import type { ServerPorts } from '#api-server/ports.ts'
import { products } from '#api-server/products.ts'
import { ratesHandlers } from '#api-server/rates/rates.handlers.ts'
import { ratesMigrations } from '#api-server/rates/rates.migration.ts'
import { embeddedProvider, httpProvider } from '#api-server/rates/rates.provider.ts'
import { createRatesStore } from '#api-server/rates/rates.store.ts'
import { spotChecks, spotHolds } from '#api-server/spot/spot.checks.ts'
import { spotMigrations } from '#api-server/spot/spot.migration.ts'
import { createSpot } from '#api-server/spot/spot.ts'
import { hoursProposals } from '#api-server/trading/hours.review.ts'
import { instrumentHook } from '#api-server/trading/instrument.hook.ts'
import { tradingTerms } from '#api-server/trading/terms.ts'
import { portraitHandlers } from '#api-server/upload/portrait.handlers.ts'
import { fundingChecks, fundingHolds } from '#api-server/wallet/funding.checks.ts'
import { rechargeQueue, withdrawalQueue } from '#api-server/wallet/funding.queue.ts'
import { walletMigrations } from '#api-server/wallet/wallet.migration.ts'
import { walletTerms } from '#api-server/wallet/wallet.terms.ts'
import { createWallet } from '#api-server/wallet/wallet.ts'
import { readLimits } from '#api-server/wallet/withdraw/limits.reads.ts'
import { followCalls } from '#contract/calls/follow.calls.ts'
import { defaultAreaCode } from '#contract/credentials.ts'
import { loginOf } from '#contract/rules/contact.rules.ts'

/** Modules of the server that need more than the ports of products. */
const serverModule = <Parts extends ModuleParts>(name: string, definition: Parameters<typeof defineModule<Parts, ServerPorts>>[1]) =>
  defineModule<Parts, ServerPorts>(name, definition)

const content = serverModule('content', {
  make: ({ content: reads, env }) => ({
    handlers: contentHandlers(reads, { source: env.FEED, passwordMin: env.PASSWORD_MIN }),
    // The first visitor does not wait for it.
    start: () => reads.content(),
  }),
})

const market = serverModule('market', {
  migrations: favouritesMigrations,
  checks: [hoursProposals.check],
  terms: Object.values(tradingTerms),
  make({ market: open, content: { symbolTitle }, database, terms, trading, clock }) {
    const titles: Titles = (lang, symbol) => symbolTitle(symbol, lang)
    return {
      handlers: {
        ...createMarketHandlers(open, titles),
        ...favouritesHandlers({
          store: createFavouritesStore(database),
          isKnown: (symbol) => open.reads.instrument(symbol) !== undefined,
          listing: createListings(open, titles).one,
        }),
      },
      hooks: [...(open.manual ? [tickHook(open.manual)] : []), instrumentHook({ database, store: terms, trading, clock })],
    }
  },
})

const account = serverModule('account', {
  make: ({ accounts, uploads, outbox, office, secrets, log }) => ({
    handlers: {
      ...accounts.auth,
      ...accounts.user,
      ...uploads.handlers,
      ...portraitHandlers({ uploads, setPortrait: accounts.setPortrait, log }),
    },
    officeHandlers: messageHandlers({ office, secrets }),
    hooks: [accounts.hook, outboxHook(outbox)],
  }),
})

export const identity = serverModule('identity', {
  migrations: [...bankMigrations, ...identityMigrations],
  checks: [identityQueue.check],
  whileBroken: true,
  make({ accounts, uploads, queueChanged, ...ports }) {
    const made = createIdentity({
      ...ports,
      claim: uploads.claim,
      limits: () => readLimits(ports.database),
      changed: queueChanged,
      decided: ports.changed,
    })
    return { handlers: { ...made.handlers, ...bankHandlers(ports), ...accounts.invited }, queue: made.queue, queues: [made.queue] }
  },
})

export const wallet = serverModule('wallet', {
  migrations: [...walletMigrations, ...ratesMigrations],
  checks: [...fundingChecks, rechargeQueue.check, withdrawalQueue.check],
  terms: Object.values(walletTerms),
  holds: fundingHolds,
  async make(ports) {
    const { database, clock, log, secrets, coins, env, uploads, ledger, changed } = ports
    const made = createWallet({
      ...ports,
      texts: statementTexts(),
      cards: createCardReads(database, secrets),
      claim: (uid, address) => uploads.claim(uid, address, 'proof', 'imgs'),
      marksOf: uploads.marksOf,
    })
    const store = createAccountStore(database)
    const guest = ports.demo && (await store.byLogin({ kind: 'email', address: demoAccount.username }))
    if (guest) {
      await made.seedDemo(guest.id)
      await seedDemoCards(database, secrets, guest.id, clock.now())
    }
    const provider = env.RATES_URL ? httpProvider(env.RATES_URL) : embeddedProvider
    const rates = ratesHandlers({ store: createRatesStore(database), provider, clock, log })
    const findUser = async (text: string) => {
      const login = loginOf(text, defaultAreaCode)
      return login && (await store.byLogin(login))?.id
    }
    return {
      handlers: { ...made.handlers, ...made.fundingHandlers, ...currencyHandlers(coins), ...rates },
      queues: Object.values(made.queues),
      terms: made.terms,
      hooks: [creditHook({ database, ledger, clock, findUser, moved: changed }), rateHook(coins)],
      jobs: made.jobs,
    }
  },
})

export const mic = defineModule('mic', {
  migrations: micMigrations,
  checks: optionChecks,
  holds: optionHolds,
  metric: ['tessera_option', 'Seconds options that this node opened and settled'],
  make: (ports) => createMic({ ...ports, texts: statementTexts() }),
})

export const lever = defineModule('lever', {
  migrations: leverMigrations,
  checks: leverChecks,
  holds: leverHolds,
  metric: ['tessera_lever', 'Contract trading on this node'],
  make: (ports, get) =>
    createLever({
      ...ports,
      options: get(mic).reads,
      texts: statementTexts(),
      ticks: (ticked) => ports.market.listen({ ticked, closed: () => {} }),
    }),
})

export const spot = defineModule('spot', {
  migrations: spotMigrations,
  checks: spotChecks,
  holds: spotHolds,
  metric: ['tessera_spot', 'Orders and fills of spot trading'],
  make: (ports) =>
    createSpot({
      ...ports,
      marketDepth: ports.market.depth,
      texts: orderTexts(),
      lastPrice: (symbol) => ports.reads.lastPrice(symbol)?.price,
    }),
})

export const follow = serverModule('follow', {
  migrations: followMigrations,
  checks: [...followChecks, traderQueue.check],
  metric: ['tessera_follow', 'Copies of positions, on this node'],
  make: (ports, get) =>
    createFollow({
      ...ports,
      lever: get(lever),
      admit: () => ports.admit(followCalls['follow.follow']),
      texts: copyTexts(),
      programs: ports.demonstration ? { ledger: ports.ledger, account: ports.accounts.program } : undefined,
    }),
})

export const otc = defineModule('otc', {
  migrations: otcMigrations,
  checks: [...otcChecks, otcQueue.check, offerProposals.check, closedOffersCheck],
  holds: otcHolds,
  make: (ports) => createOtc({ ...ports, desk: ports.demonstration, texts: otcTexts(), limits: () => readLimits(ports.database) }),
})

const notices = serverModule('notices', { whileBroken: true, make: (ports) => ports.notices })

/** Outcomes of calls whose answer was lost. */
const outcomes = serverModule('outcomes', {
  whileBroken: true,
  make: ({ once }, get) => ({ handlers: outcomeHandlers(once, get(spot).answers) }),
})

/** The back office itself. Its tables come last, since their migrations move rows of other modules. */
const office = serverModule('office', {
  migrations: officeMigrations,
  checks: [freezeProposals.check],
  terms: [ruleTerms],
  make: () => ({}),
})

/** The modules of the server in the order in which they are made and started; they stop in the reverse order. */
export const modules: readonly Module<ModuleParts, ServerPorts>[] = [
  content,
  market,
  account,
  identity,
  wallet,
  mic,
  lever,
  spot,
  follow,
  otc,
  ...products,
  financeOf(products),
  notices,
  outcomes,
  office,
]
