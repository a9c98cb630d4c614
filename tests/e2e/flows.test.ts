import { expect, test } from 'vitest'
import { flowsFor, runFlows } from '#flows/runner.ts'
import { type DocumentSet, openSet } from '#flows/set.ts'
import type { AnyDoc } from '#language/documents/documents.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { ownDocuments } from '#tests/support/documents.ts'
import { flowsToRun } from '#tests/support/house/changed.ts'
import { everyNth, isChanged, isFull } from '#tests/support/house/sizes.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const chromium = useBrowser()
/** So long a step waits on a machine that does much else. */
const patienceMs = 60_000

test('every screen has a flow that passes', async () => {
  const set = await ownDocuments()
  const all = flowsToRun(openSet(set))
  // In `npm test` every third one of those that together visit all screens.
  const names = all && (isChanged ? all : everyNth(all, 3))
  const results = await runFlows({ set, origin: app.origin, browser: chromium.browser, patienceMs, ...(names && { names }) })
  if (!isChanged) expect(results.length).toBeGreaterThan(isFull ? 60 : 10)
  expect(results.filter(({ ok }) => !ok).map(({ flow, step, message }) => `${flow} ${step}: ${message}`)).toEqual([])
})

test('no screen is without a flow', async () => {
  const pages = openSet(await ownDocuments())
  const without = [...pages.screens.keys()].filter((id) => flowsFor(pages, new Set([id])).length === 0)
  expect(without).toEqual([])
})

/** The same documents with one of them changed. */
function changed(set: DocumentSet, key: string, change: (doc: AnyDoc) => void): DocumentSet {
  const documents = set.documents.map((one) => (one.key === key ? structuredClone(one) : one))
  const found = documents.find((one) => one.key === key)
  if (found) change(found.doc)
  return { ...set, documents }
}

test('a failing flow reports the step, a message and a screenshot', async () => {
  const own = await ownDocuments()
  const silent = changed(own, 'form/common.login', (doc) => {
    if (doc.kind === 'form') doc.errors = { '*': {} }
  })
  const [result] = await runFlows({ set: silent, origin: app.origin, browser: chromium.browser, names: ['login'] })
  expect(result).toMatchObject({ flow: 'login', ok: false, message: expect.stringContaining('does not stand on the screen') })
  expect(result?.step).toMatch(/^17\. \{"expect"/)
  expect(result?.picture?.subarray(1, 4).toString()).toBe('PNG')
})

test('a flow may use the API of a test instance, with a real customer', async () => {
  const own = await ownDocuments()
  const set: DocumentSet = {
    ...own,
    documents: own.documents.map((one) =>
      one.key === 'flow/signature' && one.doc.kind === 'flow'
        ? { ...one, doc: { ...one.doc, as: { customer: { kyc: 1, info: { nickname: 'Dora' } } } } }
        : one,
    ),
  }
  const [result] = await runFlows({ set, origin: app.origin, browser: chromium.browser, names: ['signature'], dry: false, patienceMs })
  expect(result).toMatchObject({ flow: 'signature', ok: true, message: '' })
})
