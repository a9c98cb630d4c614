import type { Router } from 'express'
import type { CallRow } from '#contract/call.ts'
import { ApiProblem } from '#contract/problem.ts'
import { type Handler, type MountOptions, mount } from '#server-kit/http/http.ts'
import { mayUseTestHooks } from '#server-kit/http/local-request.ts'

/** A call that only tests make, under /test. It has a row like any other, so its input is checked in the same way. */
export interface TestHook {
  readonly row: CallRow & { readonly path: `/test/${string}` }
  readonly handler: Handler<CallRow>
}

/**
 * Mounts the hooks. Only called with TEST_HOOKS=1, which the settings allow on a loopback address alone; requests from elsewhere, and of pages of other
 * sites, are refused again here.
 * @param hooks the explicit list; a module exports its hooks and api-server/test-hooks.ts names them
 */
export function mountTestHooks(app: Router, hooks: readonly TestHook[], options: Omit<MountOptions, 'prefix'>): void {
  app.use('/test', (req, _res, next) => {
    if (!mayUseTestHooks(req)) throw new ApiProblem('not_found')
    next()
  })
  for (const { row, handler } of hooks) mount(app, { [row.path]: row }, { [row.path]: handler }, { ...options, prefix: '' })
}
