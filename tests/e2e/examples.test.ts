import { expect, test } from 'vitest'
import { openProject } from '#config-server/cli/project.ts'
import { flowsFor, runFlows } from '#flows/runner.ts'
import { openSet } from '#flows/set.ts'
import { testStates } from '#flows/states.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { isFull } from '#tests/support/house/sizes.ts'
import { useApp } from '#tests/support/servers/app.ts'
import { projectRoot } from '#tests/support/servers/product.ts'

/** The documents of docs/examples, with the calls that they declare. */

const app = useApp()
const examples = () => openProject({ root: projectRoot, options: new Map() }, 'docs/examples')
const chromium = useBrowser()

test('flows of the examples pass', async () => {
  const set = await examples()
  const pages = openSet(set)
  expect([...pages.screens.keys()].filter((id) => flowsFor(pages, new Set([id])).length === 0)).toEqual([])
  const results = await runFlows({
    set,
    origin: app.origin,
    browser: chromium.browser,
    patienceMs: 60_000,
    ...(!isFull && { names: ['auction'] }),
  })
  expect(results.length).toBe(isFull ? pages.flows.length : 1)
  expect(results.filter(({ ok }) => !ok).map(({ flow, step, message }) => `${flow} ${step}: ${message}`)).toEqual([])
})

test('every example is shown in every state and language, dark and light', { tags: 'full' }, async () => {
  const set = await examples()
  const languages = openSet(set).app.languages.map(({ id }) => id)
  const reports = [
    await testStates({ set, origin: app.origin, browser: chromium.browser }),
    await testStates({ set, origin: app.origin, browser: chromium.browser, languages, theme: 'dark', states: ['ok'] }),
    await testStates({ set, origin: app.origin, browser: chromium.browser, languages, theme: 'light', states: ['ok'] }),
  ]
  const said = reports.flatMap(({ findings }) =>
    findings.map(({ screen, state, person, language, what }) => `${screen}, ${state}, ${person}, ${language}: ${what}`),
  )
  expect(said).toEqual([])
  expect(reports.map(({ looked }) => looked)).toEqual([30, 48, 48])
})
