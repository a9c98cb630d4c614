import { createInterface } from 'node:readline'
import { configMigrations } from '#config-server/migrations.ts'
import { openDatabase } from '#server-kit/db/open-database.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { say } from '#tests/support/say.ts'
import {
  ann,
  cleo,
  dan,
  home,
  homeWords,
  operator,
  type PublishingStage,
  stagePublishing,
  words,
} from '#tests/support/servers/publishing-stage.ts'

/**
 * A process to be killed. It waits for a line on standard input, opens the database of its arguments (folder, or address), prints its state
 * as `state {…}`, and publishes one release after the other, each with a document and a text that contain its mark: `ack <number>`.
 */
export interface KilledState {
  stable: number
  newest: number
  candidate: number | null
  marks: unknown[]
  /** The release that clients get. */
  served: number | undefined
  audit: { ok: boolean; publishes: number }
  /** Drafts marked as published without a release, or the other way round. */
  halfPublished: number
}

const [dataDir = '', databaseUrl] = process.argv.slice(2)

async function stateOf({ publishing, shown }: PublishingStage): Promise<KilledState> {
  const { stable, candidate } = publishing.live()
  const { files } = await publishing.files({ release: stable.number })
  const publishes = await publishing.audit({ action: 'release.publish' })
  const read = (path: string) => JSON.parse(files[path] ?? '{}') as { state?: { mark?: string }; title?: string }
  const drafts = await publishing.drafts()
  return {
    stable: stable.number,
    newest: (await publishing.releases())[0]?.number ?? 0,
    candidate: candidate?.number ?? null,
    marks: [stable.note, read(home).state?.mark, read(homeWords).title, publishes.rows[0]?.reason],
    served: shown[0]?.stable.release,
    audit: { ok: (await publishing.verifyAudit()).ok, publishes: publishes.total },
    halfPublished: drafts.filter((one) => (one.state === 'published') !== (one.release !== null)).length,
  }
}

async function publishNext({ publishing, files }: PublishingStage): Promise<number> {
  const mark = `m${publishing.live().stable.number + 1}`
  const left = (await publishing.drafts()).filter((one) => one.state !== 'published')
  for (const one of left) await publishing.drop(operator('eve', 'administrator'), one.id)
  const { id } = await publishing.create(ann, { name: mark })
  await publishing.save(ann, id, { path: homeWords, text: words(mark), version: 0 })
  const text = files.find((one) => one.file === home)!.text.replace('"body"', `"state": { "mark": "${mark}" },\n  "body"`)
  await publishing.save(ann, id, { path: home, text, version: 0 })
  const { hash } = await publishing.submit(ann, id, { note: '' })
  await publishing.approve(cleo, id, { hash: hash!, note: '', unrunFlows: 'none' })
  const release = await publishing.publish(dan, id, { hash: hash!, reason: mark })
  return 'number' in release ? release.number : 0
}

async function run(): Promise<void> {
  await new Promise((done) => createInterface(process.stdin).once('line', done))
  const onFatal = () => process.exit(70)
  const database = await openDatabase({ dataDir, databaseUrl, log: createLog('silent'), onFatal, migrations: configMigrations })
  const stage = await stagePublishing(database)
  say(`state ${JSON.stringify(await stateOf(stage))}`)
  for (;;) say(`ack ${await publishNext(stage)}`)
}

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
})
