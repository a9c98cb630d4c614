import { type IdentityDeps, identityHandlers } from '#api-server/identity/identity.handlers.ts'
import type { IdentityReviews } from '#api-server/identity/review.ts'
import { createReviews, type ReviewsDeps } from '#api-server/identity/reviews.ts'

export interface Identity {
  readonly handlers: ReturnType<typeof identityHandlers>
  /** Reviews for the back office. */
  readonly reviews: IdentityReviews
}

/** Identity verification: submissions of customers and their review. */
export const createIdentity = (deps: IdentityDeps & ReviewsDeps): Identity => ({
  handlers: identityHandlers(deps),
  reviews: createReviews(deps),
})
