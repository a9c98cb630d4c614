import type { Response } from 'express'
import type { BackOfficeAuditRow } from '#api-server/back-office/back-office.migration.ts'
import { type BackOfficeContext, look } from '#api-server/back-office/context.ts'
import { changesIn, placeOf } from '#api-server/back-office/place.rules.ts'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'
import { streamCsv } from '#server-kit/files/csv-stream.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { timeCell } from '#server-kit/ops/csv.rules.ts'

type Calls = Pick<Handlers<typeof backOfficeCalls, WithResponse>, 'office.counts' | 'office.audit' | 'office.auditCsv'>

/** Calls that stream write the answer themselves. */
export interface WithResponse {
  res: Response
}

const columns = ['id', 'time', 'operator', 'action', 'subject', 'detail', 'chain']

function shown({ id, at, operator, action, subject, detail }: BackOfficeAuditRow) {
  const changes = changesIn(detail)
  return { id, time: at, operator, action, subject, detail: changes ? '' : detail, changes: changes ?? [], ...placeOf({ action, subject }) }
}

/** Calls of the back office about itself: its counts and its log. */
export function logHandlers(context: BackOfficeContext): Calls {
  const { audit, counts } = context
  return {
    'office.counts': counts,
    async 'office.audit'({ page, size, ...filter }) {
      const { list, total } = await audit.page(filter, page, size)
      return { list: list.map(shown), total }
    },
    /** Everything that fits the filter, newest first, written as it is read. That it was taken is itself a row, and stands in it. */
    async 'office.auditCsv'(filter, caller) {
      const asked = Object.entries(filter).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
      await look(context, caller, 'audit.export', 'audit', asked.join(' '))
      await streamCsv<BackOfficeAuditRow>(caller.res, {
        name: 'back-office.csv',
        titles: columns,
        line: ({ id, at, operator, action, subject, detail, chain }) => [id, timeCell(at), operator, action, subject, detail, chain],
        rows: async (before, limit) => (await audit.page({ ...filter, before }, 1, limit)).list,
      })
    },
  }
}
