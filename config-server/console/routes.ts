import { bodies, queries } from '#config-server/console/bodies.ts'
import type { ConsoleParts } from '#config-server/console/console.ts'
import { draftHandlers } from '#config-server/console/draft.handlers.ts'
import { logHandlers } from '#config-server/console/log.handlers.ts'
import { operatorHandlers } from '#config-server/console/operator.handlers.ts'
import { releaseHandlers } from '#config-server/console/release.handlers.ts'
import { type Route, route } from '#config-server/console/route.ts'
import type { Role } from '#language/publish/publishing.ts'

const editor: readonly Role[] = ['editor']
const approver: readonly Role[] = ['approver']
const publisher: readonly Role[] = ['publisher']
const administrator: readonly Role[] = ['administrator']
const commenters: readonly Role[] = ['editor', 'approver', 'publisher', 'administrator']

/**
 * Everything that /console/api answers, and who may ask it. Roles are checked here and again by publishing itself.
 * `operator` is everybody who is logged in; a customer is nobody here.
 */
export function routes(parts: ConsoleParts): Route[] {
  const operators = operatorHandlers(parts)
  const drafts = draftHandlers(parts)
  const releases = releaseHandlers(parts)
  const log = logHandlers(parts)
  return [
    // Before a login.
    route({ method: 'GET', path: '/setup', who: 'nobody', handle: operators.setupState }),
    route({ method: 'POST', path: '/setup', who: 'nobody', guarded: true, body: bodies.setup, handle: operators.setup }),
    route({ method: 'POST', path: '/setup/confirm', who: 'nobody', guarded: true, body: bodies.setupConfirm, handle: operators.confirm }),
    route({ method: 'POST', path: '/login', who: 'nobody', guarded: true, body: bodies.login, handle: operators.login }),

    // One's own session.
    route({ method: 'GET', path: '/me', who: 'operator', handle: operators.me }),
    route({ method: 'POST', path: '/logout', who: 'operator', handle: operators.logout }),
    route({ method: 'POST', path: '/fresh', who: 'operator', guarded: true, body: bodies.fresh, handle: operators.fresh }),
    route({ method: 'GET', path: '/sessions', who: 'operator', handle: operators.sessions }),
    route({ method: 'DELETE', path: '/sessions/:session', who: 'operator', handle: operators.endSession }),

    route({ method: 'POST', path: '/password', who: 'operator', fresh: true, body: bodies.password, handle: operators.changePassword }),
    route({ method: 'POST', path: '/factor', who: 'operator', fresh: true, handle: operators.proposeFactor }),
    route({
      ...{ method: 'POST', path: '/factor/confirm', who: 'operator', fresh: true, guarded: true },
      body: bodies.factorConfirm,
      handle: operators.confirmFactor,
    }),
    route({ method: 'GET', path: '/recovery', who: 'operator', handle: operators.recoveryLeft }),
    route({ method: 'POST', path: '/recovery', who: 'operator', fresh: true, handle: operators.makeRecoveryCodes }),

    // Operators.
    route({ method: 'GET', path: '/operators', who: administrator, handle: operators.list }),
    route({ method: 'POST', path: '/operators', who: administrator, fresh: true, body: bodies.operator, handle: operators.invite }),
    route({
      method: 'PATCH',
      path: '/operators/:id',
      who: administrator,
      fresh: true,
      body: bodies.operatorChange,
      handle: operators.change,
    }),
    route({ method: 'POST', path: '/operators/:id/reset', who: administrator, fresh: true, handle: operators.reset }),

    // What is there to edit.
    route({ method: 'GET', path: '/catalog', who: 'operator', handle: drafts.catalog }),
    route({ method: 'GET', path: '/files', who: 'operator', query: queries.files, handle: drafts.files }),

    // Drafts.
    route({ method: 'GET', path: '/drafts', who: 'operator', handle: drafts.list }),
    route({ method: 'POST', path: '/drafts', who: editor, body: bodies.draft, handle: drafts.create }),
    route({ method: 'POST', path: '/drafts/import', who: editor, body: bodies.imported, handle: drafts.importFiles }),
    route({ method: 'GET', path: '/drafts/:id', who: 'operator', handle: drafts.one }),
    route({ method: 'PATCH', path: '/drafts/:id', who: editor, body: bodies.draftChange, handle: drafts.rename }),
    route({ method: 'DELETE', path: '/drafts/:id', who: ['editor', 'administrator'], handle: drafts.drop }),
    route({ method: 'PUT', path: '/drafts/:id/files', who: editor, body: bodies.file, handle: drafts.save }),
    route({ method: 'POST', path: '/drafts/:id/revert', who: editor, body: bodies.path, handle: drafts.revert }),
    route({ method: 'POST', path: '/drafts/:id/merge', who: editor, body: bodies.merge, handle: drafts.merge }),

    route({ method: 'GET', path: '/drafts/:id/history', who: 'operator', handle: drafts.history }),
    route({ method: 'POST', path: '/drafts/:id/comments', who: commenters, body: bodies.comment, handle: drafts.comment }),

    // Review.
    route({ method: 'POST', path: '/drafts/:id/check', who: 'operator', handle: drafts.check }),
    route({ method: 'GET', path: '/drafts/:id/flows', who: 'operator', handle: drafts.flows }),
    route({ method: 'POST', path: '/drafts/:id/flows', who: ['editor', 'approver', 'publisher'], handle: drafts.runFlows }),
    route({ method: 'POST', path: '/drafts/:id/submit', who: editor, body: bodies.note, handle: drafts.submit }),
    route({ method: 'POST', path: '/drafts/:id/withdraw', who: editor, handle: drafts.withdraw }),
    route({ method: 'POST', path: '/drafts/:id/approve', who: approver, body: bodies.approve, handle: drafts.approve }),
    route({ method: 'POST', path: '/drafts/:id/reject', who: approver, body: bodies.reject, handle: drafts.reject }),

    // The pointer.
    route({ method: 'POST', path: '/drafts/:id/publish', who: publisher, fresh: true, body: bodies.publish, handle: releases.publish }),
    route({ method: 'DELETE', path: '/drafts/:id/schedule', who: publisher, body: bodies.reason, handle: releases.cancelSchedule }),
    route({
      method: 'POST',
      path: '/releases/:id/rollback',
      who: publisher,
      fresh: true,
      body: bodies.rollback,
      handle: releases.rollback,
    }),
    route({ method: 'POST', path: '/rollout', who: publisher, fresh: true, body: bodies.rollout, handle: releases.rollout }),

    // Releases, and what became of them.
    route({ method: 'GET', path: '/releases', who: 'operator', handle: releases.list }),
    route({ method: 'GET', path: '/releases/:id', who: 'operator', handle: releases.one }),
    route({ method: 'GET', path: '/releases/:id/diff', who: 'operator', query: queries.against, handle: releases.diff }),
    route({ method: 'GET', path: '/guard', who: 'operator', passive: true, handle: releases.guard }),
    route({ method: 'GET', path: '/audit', who: 'operator', query: queries.audit, handle: log.audit }),
    route({ method: 'GET', path: '/audit/:id/change', who: 'operator', handle: log.change }),
    route({ method: 'GET', path: '/audit.csv', who: 'operator', query: queries.auditCsv, handle: log.auditCsv }),
    route({ method: 'GET', path: '/outbox', who: administrator, query: queries.outbox, handle: log.outbox }),
    route({ method: 'POST', path: '/outbox/:id/open', who: administrator, body: bodies.reason, handle: log.message }),
    route({ method: 'GET', path: '/events', who: 'operator', passive: true, handle: log.events }),
  ]
}
