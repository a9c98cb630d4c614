import { firstIcons } from '#app/first-icons.ts'
import { createRates, wantListed } from '#app/prices.ts'
import { createSession } from '#app/session/session.ts'
import routes from '#contract/routes.json'
import { topics } from '#contract/topics.ts'
import type { RouteTable } from '#renderer/calls/api.ts'
import type { AppPorts } from '#renderer/start.tsx'
import { addIcons } from '#widgets/parts/look/Icon.tsx'
import { widgets } from '#widgets/registry.ts'

addIcons(firstIcons)

/** The product's ports for the engine. */
export const product: AppPorts = {
  widgets,
  calls: routes as unknown as RouteTable,
  customerCalls: async () => (await import('#contract/routes.user.json')).default as unknown as RouteTable,
  topics,
  feed: () => import('#renderer/feed/feed-page.ts'),
  listed: wantListed,
  session: createSession,
  fiat: createRates,
  functions: async () => (await import('#contract/functions/registry.ts')).functionOperators,
  outcomeCall: 'user.outcome',
  uploadCall: 'common.upload',
}

if (import.meta.env.DEV) product.judge = () => import('#app/judge.ts')
