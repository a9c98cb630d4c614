import { logged, type PublishingContext } from '#config-server/publishing/context.ts'
import { putChanges, touched } from '#config-server/publishing/drafts/drafts.ts'
import { systemActor } from '#config-server/publishing/publishing.ts'
import { formatNow } from '#language/documents/nodes.ts'
import { formatOf } from '#language/publish/format-migrations.ts'
import { migrated } from '#language/text/expression-texts.ts'

/**
 * Rewrites the documents of drafts that were written in an earlier version of the language. A draft that was submitted keeps the texts that
 * were reviewed, and releases keep their sealed sources: both are migrated whenever they are read.
 */
export async function migrateDrafts(context: PublishingContext): Promise<void> {
  for (const id of await context.drafts.unsubmitted()) {
    const seen = await context.drafts.get(id)
    const files = Object.values(await context.drafts.changed(id))
    const old = files.filter(({ path, text }) => text !== null && path.startsWith('schemas/') && formatOf(text) < formatNow)
    if (!seen || old.length === 0) continue
    const paths = old.map(({ path }) => path)
    const texts = new Map(files.map(({ path, text }) => [path, text !== null && paths.includes(path) ? migrated(text) : text]))
    await logged<void>(context, systemActor, async (tx) => {
      const row = await context.drafts.lock(tx, id)
      // Another node, or somebody who saves at this moment, was faster: the next start looks again.
      if (row?.state !== 'open' || row.version !== seen.row.version) return { result: undefined }
      await putChanges(context, tx, row, systemActor, row.base, texts)
      const hashes = await touched(context, tx, row, systemActor)
      const detail = { format: formatNow, paths }
      return { result: undefined, entry: { action: 'draft.migrate', subject: `draft ${id}`, ...hashes, detail } }
    })
    context.log.info({ draft: id, paths }, 'publishing: the documents of a draft were brought to the current version of the language')
    context.tell({ about: 'draft', id })
  }
}
