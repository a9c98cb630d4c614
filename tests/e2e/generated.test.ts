import { expect, test } from 'vitest'
import { openSet } from '#flows/set.ts'
import { testStates } from '#flows/states.ts'
import { useBrowser } from '#tests/support/browser/browser.ts'
import { ownDocuments } from '#tests/support/documents.ts'
import { changedScreens } from '#tests/support/house/changed.ts'
import { isChanged, isFull } from '#tests/support/house/sizes.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const chromium = useBrowser()

const said = ({ findings }: Awaited<ReturnType<typeof testStates>>) =>
  findings.map(({ screen, state, person, language, what }) => `${screen}, ${state}, ${person}, ${language}: ${what}`)

test('every screen stands with its data, and without', { tags: isChanged ? [] : ['full'] }, async () => {
  const set = await ownDocuments()
  const changed = changedScreens(openSet(set))
  const report = await testStates({
    set,
    origin: app.origin,
    browser: chromium.browser,
    once: true,
    ...(changed && { screens: [...changed] }),
    ...(!isFull && { states: ['ok', 'empty'], axe: () => false }),
  })
  expect(said(report)).toEqual([])
  if (changed) return
  expect(report.looked).toBeGreaterThan(isFull ? 120 : 60)
  // Conditions inside of sheets and behind tabs are not reached by opening a screen; flows reach them.
  expect(report.ways.seen / report.ways.of).toBeGreaterThan(isFull ? 0.65 : 0.5)
})

test('every screen stands in every language, dark and light', { tags: 'full' }, async () => {
  const set = await ownDocuments()
  const languages = openSet(set).app.languages.map(({ id }) => id)
  for (const theme of ['dark', 'light'] as const) {
    const report = await testStates({ set, origin: app.origin, browser: chromium.browser, once: true, languages, theme, states: ['ok'] })
    expect(said(report), theme).toEqual([])
  }
})

test('what is wrong is found, with its screen and state', { tags: 'full' }, async () => {
  const own = await ownDocuments()
  const documents = own.documents.map((one) => {
    if (one.key !== 'screen/common.faq' || one.doc.kind !== 'screen') return one
    const doc = structuredClone(one.doc)
    doc.body.push(
      { id: 'key', widget: 'text', props: { text: 'common.faq_gone' } },
      { id: 'hole', widget: 'text', props: { text: { $: { cat: ['NaN ', 'USD'] } } } },
      { id: 'wide', widget: 'text', props: { text: 'W'.repeat(200), lines: 1 }, show: { has: 'data.faq.list' } },
      { id: 'strange', widget: 'no-such-widget' },
    )
    return { ...one, doc }
  })
  const report = await testStates({
    set: { ...own, documents },
    origin: app.origin,
    browser: chromium.browser,
    screens: ['common.faq'],
    people: ['visitor'],
    states: ['ok'],
    axe: () => false,
  })
  const text = said(report).join('\n')
  expect(text).toContain('common.faq, ok, visitor, en: "common.faq_gone" stands where words are expected')
  expect(text).toContain('the widget no-such-widget is broken')
  expect(text).toContain('"NaN USD"')
})
