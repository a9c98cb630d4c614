import { readCatalog } from '#config-server/catalog.ts'
import { createCheck, createFileCheck, createPreparer } from '#config-server/check.ts'
import { readFiles } from '#config-server/files.ts'
import { type CreatedPublishing, createPublishing } from '#config-server/publishing/drafts/create.ts'
import type { Actor, Publishing } from '#config-server/publishing/publishing.ts'
import { createShapeCheck, type ShapeCheck } from '#config-server/shapes/shape-check.ts'
import type { Shown } from '#config-server/shown.ts'
import type { AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import type { ReleaseInfo, Role } from '#language/publish/publishing.ts'
import type { CallManifest, JsonSchema, SourceFile } from '#language/types/catalog.ts'
import type { Database } from '#server-kit/db/db.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { createConfigRoot } from '#tests/support/servers/config-root.ts'

export const operator = (name: string, ...roles: Role[]): Actor => ({ name, roles, kind: 'operator' })
export const ann = operator('ann', 'editor')
export const ben = operator('ben', 'editor')
export const cleo = operator('cleo', 'approver')
export const dan = operator('dan', 'publisher')

/** One node of publishing with a small project: two screens, a prompt, texts in three languages. */
export interface PublishingStage extends CreatedPublishing {
  /** The releases that clients would get, newest first. */
  shown: Shown[]
  /** How many sets of documents were checked. */
  checked: { readonly sets: number }
  clock: { now: number }
  files: SourceFile[]
  /** The files with some replaced; null removes one. */
  changed(changes: Record<string, string | null>): SourceFile[]
}

const record = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties, additionalProperties: false })
/** A call for documents, with amounts of two currencies and a share. */
const quoteCall: CallManifest = {
  name: 'wallet.quote',
  method: 'GET',
  path: '/wallet/quote',
  auth: 'none',
  reads: true,
  problems: [],
  summary: 'A quote',
  input: record({}),
  output: record({
    from_code: { type: 'string', coin: true },
    to_code: { type: 'string', coin: true },
    pay: { type: 'string', decimal: true, unit: 'amount', coin: 'from_code' },
    get: { type: 'string', decimal: true, unit: 'amount', coin: 'to_code' },
    spread: { type: 'string', decimal: true, unit: 'share' },
  }),
}
/** A money call. */
const sendCall: CallManifest = {
  name: 'wallet.send',
  method: 'POST',
  path: '/wallet/send',
  auth: 'none',
  keyed: 'money',
  problems: ['insufficient_balance'],
  summary: 'Sends money',
  input: record({ amount: { type: 'string', decimal: true, unit: 'amount' }, to: { type: 'string', receiver: true } }),
  output: record({}),
}

let project: Promise<{ files: SourceFile[]; catalog: Awaited<ReturnType<typeof readCatalog>>; shapes: ShapeCheck }> | undefined
async function readProject() {
  const folder = await createConfigRoot({ 'contract/manifest.json': [quoteCall, sendCall] })
  const [files, catalog] = await Promise.all([readFiles(folder.root), readCatalog(folder.root)])
  await folder.remove()
  return { files, catalog, shapes: createShapeCheck(catalog) }
}

/** @param checker hash of what checks documents; see readCheckerHash */
export async function stagePublishing(
  database: Database,
  start: 'open' | 'import' = 'import',
  clock = { now: 1_000_000 },
  checker?: string,
): Promise<PublishingStage> {
  project ??= readProject()
  const { files, catalog, shapes } = await project
  const shown: Shown[] = []
  const checked = { sets: 0 }
  const check = createCheck(catalog, shapes)
  const created = createPublishing({
    database,
    catalog,
    checker,
    checkShape: createFileCheck(shapes),
    prepareOne: createPreparer(catalog),
    check(...set) {
      checked.sets++
      return check(...set)
    },
    async show(next) {
      shown.unshift(next)
      return undefined
    },
    onShown: () => undefined,
    builds: () => [],
    now: () => clock.now,
    log: createLog('silent'),
    tickMs: 0,
  })
  await created.open()
  if (start === 'import') await created.importSources(files, false)
  return {
    ...created,
    shown,
    checked,
    clock,
    files,
    changed(changes) {
      const whole = new Map(files.map(({ file, text }): [string, string | null] => [file, text]))
      for (const [file, text] of Object.entries(changes)) whole.set(file, text)
      return [...whole].flatMap(([file, text]) => (text === null ? [] : [{ file, text }]))
    },
  }
}

export const home = 'schemas/screens/home.json'
export const words = (text: string) => `${JSON.stringify({ title: text, leave: 'Leave' }, null, 2)}\n`
export const homeWords = 'locales/en/home.json'

/** The code of an error, or the result. */
export const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => value,
    (error: ApiProblem<AnyProblemCode>) => error.code ?? error,
  )

/** A submitted draft with one change. @returns its number and hash */
export async function submitted(publishing: Publishing, name: string, path: string, text: string): Promise<{ id: number; hash: string }> {
  const { id } = await publishing.create(ann, { name })
  await publishing.save(ann, id, { path, text, version: 0 })
  const { hash } = await publishing.submit(ann, id, { note: '' })
  return { id, hash: hash! }
}
export async function approved(publishing: Publishing, name: string, path: string, text: string): Promise<{ id: number; hash: string }> {
  const draft = await submitted(publishing, name, path, text)
  await publishing.approve(cleo, draft.id, { hash: draft.hash, note: 'fine', unrunFlows: 'there is no browser here' })
  return draft
}
export async function published(publishing: Publishing, name: string, path: string, text: string, more: object = {}): Promise<ReleaseInfo> {
  const { id, hash } = await approved(publishing, name, path, text)
  return (await publishing.publish(dan, id, { hash, reason: `for ${name}`, ...more })) as ReleaseInfo
}
