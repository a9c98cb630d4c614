import { expect, test } from 'vitest'
import { openSet } from '#flows/set.ts'
import { testStates } from '#flows/states.ts'
import { useApp } from '#tests/support/app.ts'
import { ownDocuments } from '#tests/support/documents.ts'

const app = useApp()
const chromium = process.env.CHROMIUM_PATH
const dayMs = 86_400_000

const said = ({ findings }: Awaited<ReturnType<typeof testStates>>) =>
  findings.map(({ screen, state, person, language, what }) => `${screen}, ${state}, ${person}, ${language}: ${what}`)

test('every screen stands in every state of its data', { timeout: 600_000 }, async () => {
  const report = await testStates({ set: await ownDocuments(), origin: app.origin, chromium, once: true, axe: (state) => state === 'ok' })
  expect(said(report)).toEqual([])
  expect(report.looked).toBeGreaterThan(120)
  expect(report.ways.seen / report.ways.of).toBeGreaterThan(0.7)
})

test('and in another language, another one each day', { timeout: 300_000 }, async () => {
  const set = await ownDocuments()
  const { app: doc } = openSet(set)
  const others = doc.languages.map(({ id }) => id).filter((id) => id !== doc.defaultLanguage)
  const language = others[Math.floor(Date.now() / dayMs) % others.length] as string
  const report = await testStates({
    set,
    origin: app.origin,
    chromium,
    once: true,
    languages: [language],
    states: ['ok'],
    axe: () => false,
  })
  expect(said(report)).toEqual([])
})

test('what is wrong is found, with its screen and state', { timeout: 300_000 }, async () => {
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
    chromium,
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
