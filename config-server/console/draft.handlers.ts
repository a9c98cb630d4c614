import type * as z from 'zod'
import type { bodies, queries } from '#config-server/console/bodies.ts'
import type { ConsoleParts } from '#config-server/console/console.ts'
import type { Asked } from '#config-server/console/route.ts'
import type { ConsoleCatalog } from '#language/publish/publishing.ts'

type Body<N extends keyof typeof bodies> = Asked<z.output<(typeof bodies)[N]>, undefined>
type Plain = Asked<undefined, undefined>

export function draftHandlers({ publishing, catalog, flows }: ConsoleParts) {
  return {
    async catalog(): Promise<ConsoleCatalog> {
      const [builds, canRunFlows] = await Promise.all([publishing.reach(), flows.available()])
      return { catalog, builds, canRunFlows }
    },
    files: ({ query }: Asked<undefined, z.output<typeof queries.files>>) => publishing.files(query),

    list: () => publishing.drafts(),
    one: ({ id }: Plain) => publishing.draft(id),
    create: ({ actor, body }: Body<'draft'>) => publishing.create(actor, body),
    importFiles: ({ actor, body: { files, ...wish } }: Body<'imported'>) =>
      publishing.importFiles(actor, { ...wish, files: Object.entries(files).map(([file, text]) => ({ file, text })) }),
    rename: ({ actor, id, body }: Body<'draftChange'>) => publishing.rename(actor, id, body),
    drop: ({ actor, id }: Plain) => publishing.drop(actor, id),
    save: ({ actor, id, body }: Body<'file'>) => publishing.save(actor, id, body),
    revert: ({ actor, id, body: { path } }: Body<'path'>) => publishing.revert(actor, id, path),
    merge: ({ actor, id, body: { choices } }: Body<'merge'>) => publishing.merge(actor, id, choices),

    history: ({ id }: Plain) => publishing.history(id),
    comment: ({ actor, id, body: { text } }: Body<'comment'>) => publishing.comment(actor, id, text),

    check: ({ id }: Plain) => publishing.check(id),
    flows: ({ id }: Plain) => publishing.flows(id),
    runFlows: ({ actor, id, req }: Plain) => flows.start(actor, id, originOf(req.socket)),
    submit: ({ actor, id, body }: Body<'note'>) => publishing.submit(actor, id, body),
    withdraw: ({ actor, id }: Plain) => publishing.withdraw(actor, id),
    approve: ({ actor, id, body }: Body<'approve'>) => publishing.approve(actor, id, body),
    reject: ({ actor, id, body }: Body<'reject'>) => publishing.reject(actor, id, body),
  }
}

/** Where this server listens, as a browser on the same machine reaches it; what the caller says of it does not count. */
function originOf({ localAddress = '127.0.0.1', localPort = 80 }: { localAddress?: string; localPort?: number }): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return `http://${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
