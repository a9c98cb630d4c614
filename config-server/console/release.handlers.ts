import type * as z from 'zod'
import type { bodies, queries } from '#config-server/console/bodies.ts'
import type { ConsoleParts } from '#config-server/console/console.ts'
import type { Asked } from '#config-server/console/route.ts'

type Body<N extends keyof typeof bodies> = Asked<z.output<(typeof bodies)[N]>, undefined>
type Plain = Asked<undefined, undefined>

export function releaseHandlers({ publishing, guard }: ConsoleParts) {
  return {
    publish: ({ actor, id, body }: Body<'publish'>) => publishing.publish(actor, id, body),
    cancelSchedule: ({ actor, id, body: { reason } }: Body<'reason'>) => publishing.cancelSchedule(actor, id, reason),
    rollback: ({ actor, id, body }: Body<'rollback'>) => publishing.rollback(actor, id, body),
    rollout: ({ actor, body }: Body<'rollout'>) => publishing.rollout(actor, body),

    list: () => publishing.releases(),
    one: ({ id }: Plain) => publishing.release(id),
    diff: ({ id, query: { against } }: Asked<undefined, z.output<typeof queries.against>>) => publishing.diff(id, against),
    guard: () => guard(),
  }
}
