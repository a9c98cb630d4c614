import { afterEach, expect, test } from 'vitest'
import { readCatalog } from '#config-server/catalog.ts'
import type { Actor } from '#config-server/publishing/publishing.ts'
import { capsOf, capsOfBuild } from '#config-server/serving/caps.rules.ts'
import type { Migrations } from '#language/publish/migrate.ts'
import type { Manifest } from '#language/publish/release.ts'
import { createConfigRoot } from '#tests/support/servers/config-root.ts'
import { type RunningConfig, runConfig } from '#tests/support/servers/config-server.ts'
import { ask } from '#tests/support/servers/http.ts'

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const manifestOf = (major: number, props: object) => ({
  icons: [],
  widgets: [{ type: 'text', major, props: { type: 'object', properties: props }, events: ['press'], slots: {}, label: null, states: {} }],
})
const text = { type: 'string', text: true }
const word = { type: 'string' }
const other = (props: object) => ({
  kind: 'screen',
  id: 'other',
  format: 1,
  body: [{ id: 'words', widget: 'text', props: { text: { $t: 'other.title' }, ...props }, on: { press: [{ go: '/' }] } }],
})
const migrations: Migrations = {
  formats: { 0: ({ broad, ...doc }) => ({ ...doc, wide: broad === 'yes' }) },
  widgets: {
    text: {
      1: ({ tone, ...props }) => ({ ...props, ...(tone !== undefined && { colour: tone }) }),
      2: (props) => ({ ...props, size: 'md' }),
    },
  },
}
const manifest = async ({ origin }: RunningConfig, caps: string) =>
  (await ask(origin, `/config/manifest?locale=en&caps=${caps}`)).json<Manifest>()
const documentOf = async (running: RunningConfig, caps: string): Promise<unknown> => {
  const { sha256 } = (await manifest(running, caps)).documents['screen/other']!
  const answer = await ask(running.origin, `/config/documents/${sha256}.json`)
  expect(answer.status).toBe(200)
  return answer.json()
}
const publisher: Actor = { name: 'pat', roles: ['publisher'], kind: 'operator' }

test('releases of earlier widgets and formats can be restored, and every build shows them', async () => {
  const place = 'releases of earlier builds'
  const folder = await createConfigRoot({
    'widgets/manifest.json': manifestOf(1, { text, tone: word }),
    'schemas/screens/other.json': other({ tone: 'quiet' }),
  })
  ends.push(folder.remove)
  const first = await runConfig(folder.root, { place, testHooks: true })
  await first.config.publishing.publishUnchecked(publisher, { 'screen/other': { ...other({ tone: 'loud' }), format: 0, broad: 'yes' } })
  expect((await first.config.publishing.releases()).map(({ number }) => number)).toEqual([2, 1])
  const oldBuild = capsOf({ format: 1, widgets: ['text@1'] })
  await first.stop()

  // The next build, two major versions later.
  await folder.write('widgets/manifest.json', manifestOf(3, { text, colour: word, size: word }))
  await folder.write('schemas/screens/other.json', other({ colour: 'quiet', size: 'lg' }))
  const second = await runConfig(folder.root, { place, migrations })
  ends.push(second.stop)
  const own = capsOfBuild(await readCatalog(folder.root)).hash
  await ask(second.origin, '/config/caps', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(oldBuild),
  })
  expect(await documentOf(second, own)).toMatchObject({ body: [{ widget: 'text', props: { colour: 'quiet', size: 'lg' } }] })

  await second.config.publishing.rollback(publisher, 1, { reason: 'the new screen is wrong' })
  expect(await documentOf(second, own)).toMatchObject({ body: [{ widget: 'text@3', props: { colour: 'quiet', size: 'md' } }] })
  expect(await documentOf(second, oldBuild.hash)).toMatchObject({ body: [{ widget: 'text', props: { tone: 'quiet' } }] })

  await second.config.publishing.rollback(publisher, 2, { reason: 'further' })
  expect(await documentOf(second, own)).toMatchObject({
    format: 1,
    wide: true,
    body: [{ widget: 'text@3', props: { colour: 'loud', size: 'md' } }],
  })
})
