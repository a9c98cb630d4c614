import type { Query, QueryClient } from '@tanstack/query-core'

/** Kept for longer than this is content, which no action changes. */
const contentMs = 60_000

/**
 * A call of an action has been answered: nothing that was asked for before counts as what is true now. What is on its way is asked for anew at
 * once where its source may still load, the rest when a screen shows it next, however young it is.
 */
export function outdate(queries: QueryClient): void {
  for (const query of queries.getQueryCache().getAll()) {
    if (Number((query.options as { staleTime?: number }).staleTime) > contentMs) continue
    query.invalidate()
    if (query.state.fetchStatus === 'idle') continue
    void query.cancel({ silent: true })
    if (query.getObserversCount() > 0 && !query.isActive()) continue
    query.fetch().catch(() => undefined)
  }
}

/**
 * The server says that some answers are others now: what is shown is asked for again, the rest when it is shown next. What is on its way may
 * have been asked for before. It is let come in first, so that who hears often is not kept waiting for ever.
 */
export function renew(queries: QueryClient, of: (query: Query) => boolean): void {
  for (const query of queries.getQueryCache().getAll().filter(of)) {
    const again = () => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
    if (query.promise) query.promise.then(again, again)
    else void again()
  }
}
