import { beforeAll, beforeEach, expect, test } from 'vitest'
import { configMigrations } from '#config-server/migrations.ts'
import { guardActor, type Publishing } from '#config-server/publishing/publishing.ts'
import type { AnyProblemCode, ApiProblem } from '#contract/problem.ts'
import type { FlowRun, ReleaseInfo, SaveConflict } from '#language/publish/publishing.ts'
import { publishingLimits } from '#language/publish/publishing-limits.ts'
import type { Database } from '#server-kit/db/db.ts'
import { onEngines } from '#tests/support/databases/engines.ts'
import { emptyConfig } from '#tests/support/servers/config-database.ts'
import {
  ann,
  approved,
  ben,
  cleo,
  codeOf,
  dan,
  home,
  homeWords,
  operator,
  type PublishingStage,
  published,
  stagePublishing,
  submitted,
  words,
} from '#tests/support/servers/publishing-stage.ts'

onEngines('drafts', (engine) => {
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
  const textOf = (path: string) => stage.files.find((one) => one.file === path)!.text
  const count = async () => (await publishing.audit({})).total

  test('a draft begins with the content of a release; of a stopped one with what that release changed', async () => {
    const rollout = { percent: 5, segment: {} }
    const stopped = await published(publishing, 'stopped', homeWords, words('stopped'), { rollout })
    await publishing.stop(guardActor, 'error_rate: 3 %')
    const other = 'schemas/screens/other.json'
    const kept = await published(publishing, 'since', other, `${textOf(other)}\n`)
    const again = await publishing.create(ben, { name: 'Mended', from: stopped.number })
    expect(again).toMatchObject({ base: kept.number, paths: [homeWords], author: 'ben', state: 'open', stale: false })
    const { files } = await publishing.files({ draft: again.id })
    expect([files[homeWords], files[other]]).toEqual([words('stopped'), `${textOf(other)}\n`])
    expect((await publishing.audit({ subject: `draft ${again.id}` })).rows).toMatchObject([
      { action: 'draft.create', detail: { from: stopped.number, paths: [homeWords] } },
    ])
    const back = await publishing.create(ben, { name: 'As it was', from: 1 })
    expect(back.paths).toEqual([other])
    expect((await publishing.create(ben, { name: 'The live one', from: kept.number })).hash).toBeNull()
    expect(await codeOf(publishing.create(ben, { name: 'Nothing', from: 99 }))).toBe('not_found')
    expect(await codeOf(publishing.create(ben, { name: 'mended', from: 1 }))).toBe('name_taken')
  })

  test('a byte order mark is left out of what is saved and imported, so that the draft can be checked', async () => {
    const { id } = await publishing.create(ann, { name: 'From another editor' })
    expect(await publishing.save(ann, id, { path: homeWords, text: `\uFEFF${words('Hi')}`, version: 0 })).toMatchObject({
      text: words('Hi'),
    })
    expect((await publishing.check(id)).ok).toBe(true)
    const files = stage.files.map(({ file, text }) => ({ file, text: `\uFEFF${text}` }))
    expect((await publishing.importFiles(ann, { name: 'Imported', files })).paths).toEqual([])
  })

  test('one operator cannot take every place for drafts; others go on', async () => {
    const create = (who: typeof ann, name: string) => publishing.create(who, { name })
    for (let i = 0; i < publishingLimits.openDraftsPerAuthorMax; i++) await create(ann, `Draft ${i}`)
    expect(await codeOf(create(ann, 'One too many'))).toBe('too_large')
    const { id } = await create(ben, 'Of another operator')
    await publishing.drop(ben, id)
    const [first] = (await publishing.drafts()).filter((one) => one.author === 'ann')
    await publishing.drop(ann, first!.id)
    expect((await create(ann, 'In its place')).author).toBe('ann')
  })

  test('a draft is made, renamed, filled, emptied and dropped, and every step is in the log', async () => {
    const { id, base, hash } = await publishing.create(ann, { name: 'Words', note: 'softer' })
    expect([base, hash]).toEqual([1, null])
    expect(await codeOf(publishing.create(ben, { name: 'wORDS' }))).toBe('name_taken')
    expect((await publishing.rename(ben, id, { name: 'Softer words' })).name).toBe('Softer words')
    const saved = await publishing.save(ann, id, { path: homeWords, text: words('Hi'), version: 0 })
    expect(saved).toMatchObject({ path: homeWords, text: words('Hi'), by: 'ann' })
    const now = await publishing.draft(id)
    expect(now).toMatchObject({ state: 'open', paths: [homeWords], stale: false })
    const { files, changed, release } = await publishing.files({ draft: id })
    expect([files[homeWords], files[home], Object.keys(changed), release]).toEqual([words('Hi'), textOf(home), [homeWords], 1])
    await publishing.save(ann, id, { path: 'schemas/screens/other.json', text: null, version: 0 })
    expect(Object.keys((await publishing.files({ draft: id })).files)).not.toContain('schemas/screens/other.json')
    await publishing.revert(ben, id, 'schemas/screens/other.json')
    await publishing.save(ann, id, { path: homeWords, text: textOf(homeWords), version: saved.version })
    expect(await publishing.draft(id)).toMatchObject({ paths: [], hash: null })
    expect(await codeOf(publishing.drop(ben, id))).toBe('not_allowed')
    await publishing.drop(ann, id)
    expect(await codeOf(publishing.save(ann, id, { path: home, text: '{}', version: 0 }))).toBe('state_wrong')
    const { rows } = await publishing.audit({ subject: `draft ${id}` })
    const steps = ['create', 'rename', 'save', 'save', 'revert', 'save', 'drop']
    expect(rows.map((row) => row.action).reverse()).toEqual(steps.map((step) => `draft.${step}`))
    expect(await publishing.drafts()).toEqual([])
  })

  test('who saves over what somebody else saved is told, and loses nothing', async () => {
    const { id } = await publishing.create(ann, { name: 'both' })
    const one = await publishing.save(ann, id, { path: homeWords, text: words('ann'), version: 0 })
    const problem = await publishing
      .save(ben, id, { path: homeWords, text: words('ben'), version: 0 })
      .catch((error: ApiProblem<AnyProblemCode>) => error)
    expect(problem).toMatchObject({ code: 'save_conflict', data: { theirs: { text: words('ann'), version: one.version, by: 'ann' } } })
    const { theirs } = (problem as ApiProblem<AnyProblemCode>).data as SaveConflict
    const two = await publishing.save(ben, id, { path: homeWords, text: words('ben'), version: theirs.version })
    expect(two.version).toBeGreaterThan(one.version)
    // The same text twice is no conflict: an answer got lost and the save was made again.
    expect(await publishing.save(ben, id, { path: homeWords, text: words('ben'), version: one.version })).toEqual(two)
    await publishing.revert(ann, id, homeWords)
    await publishing.save(ann, id, { path: homeWords, text: words('again'), version: 0 })
    expect(await codeOf(publishing.save(ben, id, { path: homeWords, text: words('old'), version: two.version }))).toBe('save_conflict')
    expect((await publishing.files({ draft: id })).files[homeWords]).toBe(words('again'))
  })

  test('of twenty at once on one file and version one is stored', async () => {
    const { id } = await publishing.create(ann, { name: 'race' })
    const tries = Array.from({ length: 20 }, (_, i) =>
      codeOf(publishing.save(ann, id, { path: homeWords, text: words(`${i}`), version: 0 })),
    )
    const codes = await Promise.all(tries)
    expect(codes.filter((code) => code === 'save_conflict')).toHaveLength(19)
  })

  test('an approval is of one hash, and each byte that changes voids it', async () => {
    const { id, hash } = await approved(publishing, 'void', homeWords, words('Hi'))
    expect(await publishing.draft(id)).toMatchObject({
      state: 'approved',
      approval: { hash, by: 'cleo', unrunFlows: 'there is no browser here' },
    })
    const { version } = (await publishing.files({ draft: id })).changed[homeWords]!
    await publishing.save(ann, id, { path: homeWords, text: `${words('Hi')} `, version })
    const now = await publishing.draft(id)
    expect(now).toMatchObject({ state: 'open', approval: null, submittedBy: null })
    expect(now.hash).not.toBe(hash)
    for (const request of [hash, now.hash!])
      expect(['hash_changed', 'not_approved']).toContain(await codeOf(publishing.publish(dan, id, { hash: request, reason: 'x' })))
    await publishing.submit(ann, id, { note: '' })
    expect(await codeOf(publishing.approve(cleo, id, { hash, note: '', unrunFlows: 'x' }))).toBe('hash_changed')
    expect(publishing.live().stable.number).toBe(1)
  })

  test('the log is found by part and in any case, by the name of a draft, by a path and a reason, and shows what a save changed', async () => {
    const { id } = await publishing.create(ann, { name: 'Gold comes first' })
    const saved = await publishing.save(ann, id, { path: homeWords, text: words('Hi'), version: 0 })
    await publishing.save(ben, id, { path: homeWords, text: words('Hello'), version: saved.version })
    await publishing.revert(ben, id, homeWords)
    await publishing.comment(cleo, id, '100 % sure?')
    const found = async (filter: Parameters<typeof publishing.audit>[0]) =>
      (await publishing.audit(filter)).rows.map(({ action, actor }) => `${action} ${actor}`).reverse()
    const all = ['draft.create ann', 'draft.save ann', 'draft.save ben', 'draft.revert ben', 'draft.comment cleo']
    expect(await found({ subject: 'gold COMES' })).toEqual(all)
    expect(await found({ subject: `Draft ${id}` })).toEqual(all)
    expect(await found({ subject: `draft ${id}0` })).toEqual([])
    expect(await found({ subject: 'locales/EN' })).toEqual(all.slice(1, 4))
    expect(await found({ subject: '100 %' })).toEqual(all.slice(4))
    expect(await found({ subject: '0_%' })).toEqual([])
    expect(await found({ actor: 'BE' })).toEqual(all.slice(2, 4))
    expect(await found({ action: 'Save', actor: 'an' })).toEqual(all.slice(1, 2))

    const { rows } = await publishing.audit({ subject: `draft ${id}` })
    const texts = await Promise.all(rows.filter(({ detail }) => detail.path).map((row) => publishing.auditChange(row.id)))
    expect(texts).toEqual([
      { path: homeWords, before: words('Hello'), after: textOf(homeWords) },
      { path: homeWords, before: words('Hi'), after: words('Hello') },
      { path: homeWords, before: textOf(homeWords), after: words('Hi') },
    ])
    expect(await codeOf(publishing.auditChange(rows.at(-1)!.id))).toBe('not_found')
    expect(await codeOf(publishing.auditChange(999_999))).toBe('not_found')
  })

  test('its history keeps the note of each submission, why it was sent back, and comments; saves are not in it', async () => {
    const { id, hash } = await submitted(publishing, 'told', homeWords, words('Hi'))
    await publishing.comment(cleo, id, ' Why not ‘Hello’? ')
    await publishing.reject(cleo, id, { hash, reason: 'too short' })
    await publishing.submit(ann, id, { note: 'short on purpose' })
    const steps = [...(await publishing.history(id))].reverse()
    expect(steps.map(({ action, actor, reason }) => `${action} ${actor}: ${reason}`)).toEqual([
      'draft.create ann: ',
      'draft.submit ann: ',
      'draft.comment cleo: Why not ‘Hello’?',
      'draft.reject cleo: too short',
      'draft.submit ann: short on purpose',
    ])
    expect(await publishing.draft(id)).toMatchObject({ state: 'submitted', hash })
    expect(await codeOf(publishing.comment(cleo, id, '  '))).toBe('reason_missing')
    expect(await codeOf(publishing.comment(operator('vic', 'viewer'), id, 'x'))).toBe('not_allowed')
    expect(await codeOf(publishing.history(id + 1))).toBe('not_found')
  })

  test('a submitted draft tells who had a hand in it, and whether it touches money', async () => {
    const { id } = await publishing.create(ann, { name: 'hands' })
    await publishing.save(ben, id, { path: homeWords, text: words('Hi'), version: 0 })
    await publishing.submit(ann, id, { note: '' })
    expect(await publishing.draft(id)).toMatchObject({ hands: ['ann', 'ben'], touchesMoney: false })

    const app = 'schemas/app.json'
    await published(
      publishing,
      'name the login',
      app,
      JSON.stringify({ ...JSON.parse(textOf(app)), constants: { loginRoute: 'pages/other' } }),
    )
    const routes = 'schemas/routes.json'
    const doc = JSON.parse(textOf(routes))
    const guarded = JSON.stringify({ ...doc, routes: { ...doc.routes, '/': { ...doc.routes['/'], auth: true } } })
    await published(publishing, 'guard home', routes, guarded)
    const opened = await submitted(publishing, 'open home to visitors', routes, textOf(routes))
    const listed = new Map((await publishing.drafts()).map((one) => [one.id, one.touchesMoney]))
    expect([listed.get(id), listed.get(opened.id)]).toEqual([false, true])
    await publishing.withdraw(ann, opened.id)
    expect((await publishing.draft(opened.id)).touchesMoney).toBe(false)
  })

  test('nobody approves what he made, saved in, or submitted', async () => {
    const both = (name: string) => operator(name, 'editor', 'approver', 'publisher', 'administrator')
    const { id } = await publishing.create(both('ann'), { name: 'eyes' })
    const { version } = await publishing.save(both('ben'), id, { path: homeWords, text: words('Hi'), version: 0 })
    await publishing.save(both('ann'), id, { path: homeWords, text: words('Ho'), version })
    const { hash } = await publishing.submit(both('eve'), id, { note: '' })
    const request = { hash: hash!, note: '', unrunFlows: 'none' }
    for (const name of ['ann', 'ben', 'eve', 'ANN']) expect(await codeOf(publishing.approve(both(name), id, request))).toBe('own_draft')
    expect((await publishing.draft(id)).state).toBe('submitted')
    await publishing.withdraw(both('ann'), id)
    expect(await codeOf(publishing.approve(cleo, id, request))).toBe('state_wrong')
    await publishing.submit(both('ann'), id, { note: '' })
    expect(await codeOf(publishing.approve(both('eve'), id, request))).toBe('own_draft')
    expect((await publishing.approve(cleo, id, request)).state).toBe('approved')
  })

  test('flows that were not run must be accepted in words; failed ones cannot be', async () => {
    const { id, hash } = await submitted(publishing, 'flows', homeWords, words('Hi'))
    const approve = (unrunFlows: string) => codeOf(publishing.approve(cleo, id, { hash, note: '', unrunFlows }))
    expect(await approve('  ')).toBe('flows_not_run')
    const result = { flow: 'login', ok: false, ms: 5, step: '1', message: 'no' }
    const run: FlowRun = { hash, state: 'failed', done: 1, total: 1, results: [result], startedAt: 1, by: 'ann' }
    await publishing.keepFlows(ann, id, run)
    expect(await approve('never mind')).toBe('checks_failed')
    await publishing.keepFlows(ann, id, { ...run, state: 'passed', results: [{ ...result, ok: true }] })
    expect(await publishing.flows(id)).toMatchObject({ state: 'passed' })
    expect(await approve('')).toMatchObject({ state: 'approved', approval: { unrunFlows: '' } })
    expect(await publishing.publish(dan, id, { hash, reason: 'x' })).toMatchObject({ flows: 'passed' })
  })

  test('a new screen does not take the only address of another one', async () => {
    const { id } = await publishing.create(ann, { name: 'taken' })
    const [other, routes] = ['schemas/screens/other.json', 'schemas/routes.json']
    const added = textOf(other).replace('"other"', '"added"')
    await publishing.save(ann, id, { path: 'schemas/screens/added.json', text: added, version: 0 })
    const text = textOf(routes).replace('"other"', '"added"')
    const { version } = await publishing.save(ann, id, { path: routes, text, version: 0 })
    const { ok, problems } = await publishing.check(id)
    expect([ok, problems.find(({ check }) => check === 'taken-routes')?.severity]).toEqual([false, 'error'])
    expect(await codeOf(publishing.submit(ann, id, { note: '' }))).toBe('checks_failed')
    const both = text.replace(/("pages\/other")/, '"pages/former": { "screen": "other" }, $1')
    await publishing.save(ann, id, { path: routes, text: both, version })
    const after = await publishing.check(id)
    expect([after.ok, after.problems.find(({ check }) => check === 'taken-routes')?.severity]).toEqual([true, 'warn'])
    expect(await publishing.submit(ann, id, { note: '' })).toMatchObject({ state: 'submitted' })
  })

  test('what the checks stop is not submitted, and says where', async () => {
    const { id } = await publishing.create(ann, { name: 'broken' })
    await publishing.save(ann, id, { path: home, text: textOf(home).replace('"text"', '"tetx"'), version: 0 })
    const report = await publishing.check(id)
    expect(report).toMatchObject({ ok: false, flows: null, canRunFlows: false })
    expect(report.problems[0]).toMatchObject({ file: home, suggestion: 'text' })
    expect(await codeOf(publishing.submit(ann, id, { note: '' }))).toBe('checks_failed')
    const { version } = (await publishing.files({ draft: id })).changed[home]!
    const broken = await publishing.save(ann, id, { path: home, text: '{ "kind": ', version })
    expect([broken.text, broken.problems]).toMatchObject(['{ "kind": ', [{ file: home, line: 1, message: expect.stringMatching(/JSON/) }]])
    expect((await publishing.check(id)).problems[0]?.message).toMatch(/JSON/)
    expect((await publishing.draft(id)).state).toBe('open')
  })

  test('a save stores a document of a wrong shape, and says what is wrong and where', async () => {
    const { id } = await publishing.create(ann, { name: 'shape' })
    const text = textOf(home).replace('"body"', '"bodi"')
    const saved = await publishing.save(ann, id, { path: home, text, version: 0 })
    expect(saved.text).toBe(text)
    expect(saved.problems).toMatchObject([
      { pointer: '/body', message: '"body" is missing' },
      { pointer: '/bodi', message: '"bodi" is not a member here', suggestion: 'body' },
    ])
    const right = await publishing.save(ann, id, { path: home, text: textOf(home), version: saved.version })
    expect(right.problems).toEqual([])
  })

  test('limits are held at each save', async () => {
    const { id } = await publishing.create(ann, { name: 'limits' })
    const save = (path: string, text: string) => codeOf(publishing.save(ann, id, { path, text, version: 0 }))
    expect(await save(homeWords, 'x'.repeat(publishingLimits.fileBytesMax + 1))).toBe('too_large')
    expect(await save('package.json', '{}')).toBe('not_found')
    expect(await save('schemas/meta/screen.schema.json', '{}')).toBe('not_found')
    const many = Array.from({ length: publishingLimits.filesPerDraftMax + 1 }, (_, i) => ({
      file: `schemas/screens/s${i}.json`,
      text: `${i}`,
    }))
    expect(await codeOf(publishing.importFiles(ann, { name: 'many', files: [...stage.files, ...many] }))).toBe('too_large')
    expect((await publishing.drafts()).map(({ name }) => name)).toEqual(['limits'])
    expect((await publishing.draft(id)).paths).toEqual([])
  })

  test('a role that may not changes nothing and leaves no row', async () => {
    const { id, hash } = await submitted(publishing, 'roles', homeWords, words('Hi'))
    const before = [await count(), await publishing.draft(id)]
    const [view, edit, approve, publish] = (['viewer', 'editor', 'approver', 'publisher'] as const).map((role) => operator('zoe', role))
    const tries: Promise<unknown>[] = [
      ...[view!, approve!, publish!].flatMap((who) => [
        publishing.create(who, { name: 'x' }),
        publishing.rename(who, id, { name: 'x' }),
        publishing.save(who, id, { path: homeWords, text: 'x', version: 1 }),
        publishing.revert(who, id, homeWords),
        publishing.drop(who, id),
        publishing.importFiles(who, { name: 'x', files: stage.files }),
        publishing.merge(who, id, {}),
        publishing.submit(who, id, { note: '' }),
        publishing.withdraw(who, id),
      ]),
      ...[view!, edit!, publish!].flatMap((who) => [
        publishing.approve(who, id, { hash, note: '', unrunFlows: 'x' }),
        publishing.reject(who, id, { hash, reason: 'x' }),
      ]),
      ...[view!, edit!, approve!].flatMap((who) => [
        publishing.publish(who, id, { hash, reason: 'x' }),
        publishing.cancelSchedule(who, id, 'x'),
        publishing.rollout(who, { stop: true, reason: 'x' }),
        publishing.rollback(who, 1, { reason: 'x' }),
      ]),
    ]
    for (const tried of tries) expect(await codeOf(tried)).toBe('not_allowed')
    expect([await count(), await publishing.draft(id)]).toEqual(before)
  })

  test('a start brings open drafts of an earlier format to the current one, and leaves reviewed drafts and releases alone', async () => {
    const inFormat1 = (id: string) => {
      const text = textOf(home).replace('"words"', JSON.stringify(id)).replace('"body"', '"errors": { "*": { "toast": true } }, "body"')
      expect(JSON.parse(text)).toMatchObject({ format: 1, errors: {} })
      return text
    }
    const before = await publishing.release(1)
    const open = await publishing.create(ann, { name: 'open' })
    await publishing.save(ann, open.id, { path: home, text: inFormat1('open'), version: 0 })
    const reviewed = await approved(publishing, 'reviewed', home, inFormat1('reviewed'))
    const changedBy = async (id: number) => (await publishing.files({ draft: id })).changed[home]?.text ?? ''
    const next = await stagePublishing(database, 'open')
    expect(JSON.parse(await changedBy(open.id))).toMatchObject({ format: 2, body: [{ id: 'open' }] })
    expect(JSON.parse(await changedBy(open.id))).not.toHaveProperty('errors')
    expect(await changedBy(reviewed.id)).toBe(inFormat1('reviewed'))
    expect((await publishing.audit({ subject: `draft ${open.id}` })).rows[0]).toMatchObject({
      action: 'draft.migrate',
      actor: 'system',
      detail: { format: 2, paths: [home] },
    })
    expect((await next.publishing.draft(reviewed.id)).state).toBe('approved')
    expect((await next.publishing.check(open.id)).ok).toBe(true)
    const { number } = (await next.publishing.publish(dan, reviewed.id, {
      hash: reviewed.hash,
      reason: 'the reviewed text',
    })) as ReleaseInfo
    expect(await next.publishing.release(1)).toMatchObject({ hash: before.hash })
    expect((await next.publishing.served(number)).documents.get('screen/home.home')?.requires.format).toBe(1)
    expect(await next.publishing.rollback(dan, 1, { reason: 'back to the first' })).toMatchObject({ hash: before.hash, state: 'live' })
    const rows = (await publishing.audit({ subject: `draft ${open.id}` })).rows.length
    await stagePublishing(database, 'open')
    expect((await publishing.audit({ subject: `draft ${open.id}` })).rows.length).toBe(rows)
  })
})
