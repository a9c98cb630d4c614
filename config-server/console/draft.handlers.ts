import type { ConsoleContext } from '#config-server/console/context.ts'
import type { ConsoleHandlers } from '#config-server/console/mount.ts'
import type { ConsoleCall } from '#contract/console/console.calls.ts'

type Moves = 'drafts.publish' | 'drafts.cancelSchedule'
type DraftCall = Exclude<Extract<ConsoleCall, `drafts.${string}`>, Moves> | 'catalog' | 'files'
type ReleaseCall = Extract<ConsoleCall, `releases.${string}`> | Moves | 'guard'

export function draftHandlers({ publishing, catalog, flows }: ConsoleContext): ConsoleHandlers<DraftCall> {
  return {
    async catalog() {
      const [builds, canRunFlows] = await Promise.all([publishing.impact(), flows.available()])
      return { catalog, builds, canRunFlows }
    },
    files: (of) => publishing.files(of),

    'drafts.list': () => publishing.drafts(),
    'drafts.one': ({ id }) => publishing.draft(id),
    'drafts.create': (request, { actor }) => publishing.create(actor, request),
    'drafts.import': ({ files, ...request }, { actor }) =>
      publishing.importFiles(actor, { ...request, files: Object.entries(files).map(([file, text]) => ({ file, text })) }),
    'drafts.rename': ({ id, ...request }, { actor }) => publishing.rename(actor, id, request),
    'drafts.drop': ({ id }, { actor }) => publishing.drop(actor, id),
    'drafts.save': ({ id, ...file }, { actor }) => publishing.save(actor, id, file),
    'drafts.revert': ({ id, path }, { actor }) => publishing.revert(actor, id, path),
    'drafts.merge': ({ id, choices }, { actor }) => publishing.merge(actor, id, choices),

    'drafts.history': ({ id }) => publishing.history(id),
    'drafts.comment': ({ id, text }, { actor }) => publishing.comment(actor, id, text),

    'drafts.check': ({ id }) => publishing.check(id),
    'drafts.flows': ({ id }) => publishing.flows(id),
    'drafts.runFlows': ({ id }, { actor, req }) => flows.start(actor, id, originOf(req.socket)),
    'drafts.submit': ({ id, ...request }, { actor }) => publishing.submit(actor, id, request),
    'drafts.withdraw': ({ id }, { actor }) => publishing.withdraw(actor, id),
    'drafts.approve': ({ id, ...request }, { actor }) => publishing.approve(actor, id, request),
    'drafts.reject': ({ id, ...request }, { actor }) => publishing.reject(actor, id, request),
  }
}

export function releaseHandlers({ publishing, guard }: ConsoleContext): ConsoleHandlers<ReleaseCall> {
  return {
    'drafts.publish': ({ id, ...request }, { actor }) => publishing.publish(actor, id, request),
    'drafts.cancelSchedule': ({ id, reason }, { actor }) => publishing.cancelSchedule(actor, id, reason),
    'releases.rollback': ({ id, ...request }, { actor }) => publishing.rollback(actor, id, request),
    'releases.rollout': (change, { actor }) => publishing.rollout(actor, change),
    'releases.list': () => publishing.releases(),
    'releases.one': ({ id }) => publishing.release(id),
    'releases.diff': ({ id, against }) => publishing.diff(id, against),
    guard: () => guard(),
  }
}

/** Where this server listens, as a browser on the same machine reaches it; what the caller says of it does not count. */
function originOf({ localAddress = '127.0.0.1', localPort = 80 }: { localAddress?: string; localPort?: number }): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
