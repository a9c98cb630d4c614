import { beforeAll, beforeEach, expect, test } from 'vitest'
import { configMigrations } from '#config-server/migrations.ts'
import type { Publishing } from '#config-server/publishing/publishing.ts'
import { type AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import type { Database } from '#server-kit/db/db.ts'
import { writeAny } from '#server-kit/db/db.ts'
import { badInputs } from '#tests/support/bad-inputs.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { emptyConfig } from '#tests/support/servers/config-database.ts'
import {
  ann,
  approved,
  cleo,
  codeOf,
  dan,
  home,
  homeWords,
  type PublishingStage,
  stagePublishing,
  words,
} from '#tests/support/servers/publishing-stage.ts'

onEngines('what is refused', (engine) => {
  let database: Database
  let stage: PublishingStage
  let publishing: Publishing
  beforeAll(async () => {
    database = await engine.open(configMigrations)
  })
  beforeEach(async () => {
    await emptyConfig(database)
    stage = await stagePublishing(database)
    publishing = stage.publishing
  })
  const refusals = async () =>
    (await publishing.audit({ action: 'draft.refused', limit: 1_000 })).rows.map(({ subject, reason, detail }) => [
      subject,
      reason,
      (detail as { step: string }).step,
    ])

  test('every hostile document in the place of a screen stops at submit and at publish, is in the log, and customers see nothing of it', async () => {
    const before = [stage.shown.length, publishing.live().stable.hash]
    const { id } = await publishing.create(ann, { name: 'hostile' })
    let [version, stored] = [0, 0]
    const lines = badInputs('config-doc')
    for (const { value } of lines) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const saved = await publishing.save(ann, id, { path: home, text, version }).catch((problem: ApiProblem<AnyProblemCode>) => problem)
      if (saved instanceof ApiProblem) {
        expect(saved.code).toBe('too_large')
        continue
      }
      version = saved.version
      stored += 1
      expect(await codeOf(publishing.submit(ann, id, { note: '' })), text.slice(0, 80)).toBe('checks_failed')
      // As if somebody had got past the review.
      const hash = (await publishing.draft(id)).hash!
      await writeAny(database.db.updateTable('config_draft').set({ state: 'approved' }).where('id', '=', id))
      expect(await codeOf(publishing.publish(dan, id, { hash, reason: 'now' })), text.slice(0, 80)).toMatch(
        /^(?:not_approved|checks_failed)$/,
      )
      await writeAny(database.db.updateTable('config_draft').set({ state: 'open' }).where('id', '=', id))
    }
    expect(stored).toBeGreaterThan(20)
    expect(await refusals()).toHaveLength(2 * stored)
    expect([stage.shown.length, publishing.live().stable.hash]).toEqual(before)
    expect(await publishing.verifyAudit()).toMatchObject({ ok: true })
  })

  const shows = (text: object) => [{ id: 'words', widget: 'text', props: { text } }]
  const presses = (steps: readonly object[]) => [
    { id: 'words', widget: 'text', props: { text: { $t: 'other.title' } }, on: { press: steps } },
  ]
  const send = { call: 'wallet.send', args: { amount: '5', to: 'ann' } }
  test.each([
    ['money that moves unasked', 'actions', presses([send])],
    ['a prompt that does not show where money goes', 'actions', presses([{ confirm: 'leave' }, send])],
    ['a share as an amount', 'units', shows({ $: "format('amount', data.quote.spread)" })],
    ['a sum of two coins', 'units', shows({ $: 'cat(data.quote.pay + data.quote.get)' })],
    ['the symbol of the other coin', 'units', shows({ $: "cat(data.quote.pay, ' ', data.quote.to_code)" })],
  ])('%s stops a release', async (_, check, body) => {
    const { id } = await publishing.create(ann, { name: 'money' })
    const screen = {
      kind: 'screen',
      id: 'other',
      format: 1,
      data: { quote: { call: 'wallet.quote' } },
      errors: { '*': { toast: true } },
      body,
    }
    await publishing.save(ann, id, { path: 'schemas/screens/other.json', text: JSON.stringify(screen), version: 0 })
    const refused = await publishing.submit(ann, id, { note: '' }).catch((problem: ApiProblem<AnyProblemCode>) => problem)
    expect(refused).toBeInstanceOf(ApiProblem)
    const { code, data } = refused as ApiProblem<AnyProblemCode>
    expect([code, (data as { problems: LintProblem[] }).problems.map((one) => one.check)]).toEqual(['checks_failed', [check]])
  })

  test('an approval forged in the database does not let a broken set through', async () => {
    const { id } = await publishing.create(ann, { name: 'forged' })
    const text = stage.files.find(({ file }) => file === home)!.text
    await publishing.save(ann, id, { path: home, text: text.replace('"text"', '"tetx"'), version: 0 })
    const hash = (await publishing.draft(id)).hash!
    await writeAny(database.db.updateTable('config_draft').set({ state: 'approved', submitted_by: 'ann' }).where('id', '=', id))
    await writeAny(
      database.db.insertInto('config_approval').values({ draft: id, hash, by_name: 'cleo', at: 1, note: '', unrun_flows: 'forged' }),
    )
    expect(await codeOf(publishing.publish(dan, id, { hash, reason: 'now' }))).toBe('checks_failed')
    expect(await refusals()).toEqual([[`draft ${id}`, 'checks_failed', 'publish']])
    expect(publishing.live().stable.number).toBe(1)
  })

  test('a stale base, another hash and an own draft are told; a role that may not is not', async () => {
    const [one, two] = [
      await approved(publishing, 'one', homeWords, words('One')),
      await approved(publishing, 'two', homeWords, words('Two')),
    ]
    await publishing.publish(dan, one.id, { hash: one.hash, reason: 'first' })
    expect(await codeOf(publishing.publish(dan, two.id, { hash: two.hash, reason: 'second' }))).toBe('stale_base')
    expect(await codeOf(publishing.approve(cleo, two.id, { hash: 'x', note: '', unrunFlows: 'none' }))).toBe('hash_changed')
    expect(await codeOf(publishing.publish(ann, two.id, { hash: two.hash, reason: 'mine' }))).toBe('not_allowed')
    expect(await refusals()).toEqual([
      [`draft ${two.id}`, 'hash_changed', 'approve'],
      [`draft ${two.id}`, 'stale_base', 'publish'],
    ])
  })
})
