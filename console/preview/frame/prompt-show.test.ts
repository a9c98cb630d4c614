import { expect, test } from 'vitest'
import { createPromptShow, promptSamples } from '#console/preview/frame/prompt-show.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { createUi } from '#renderer/engine/ui.ts'

test('each parameter that a prompt reads has a sample', () => {
  const doc = { title: 'x', rows: [{ value: { $: 'params.amount' } }, { value: { $: { format: ['percent', { var: 'params.spread' }] } } }] }
  expect(promptSamples({ ...doc, text: { $: 'params.holder.name' } })).toEqual({ amount: '100', spread: '0.01', holder: '‹holder›' })
})

function stage() {
  const ui = createUi(1)
  const docs: Record<string, unknown> = {
    'prompt/move': { kind: 'prompt', id: 'move', title: 'Move it?', rows: [{ label: 'Amount', value: { $: 'params.amount' } }] },
  }
  const at = { address: '/' }
  const shown: (string | null)[] = []
  const engine = {
    ui,
    say: (key: string) => key,
    outer: { get: () => undefined },
    i18n: { language: () => 'en', hasArea: () => true },
    config: {
      current: () => undefined,
      fetchDocument: async (key: string) => docs[key] ?? Promise.reject(new Error(`no ${key}`)),
    },
  } as unknown as Engine
  const show = createPromptShow({ engine: () => engine, address: () => at.address, shown: (id) => shown.push(id) })
  const settle = () => new Promise((done) => setTimeout(done))
  return { ui, docs, at, shown, show, settle, titles: () => ui.prompts().map(({ title }) => title) }
}

test('a prompt opens with samples, follows its document, and closes when it is answered', async () => {
  const { ui, docs, shown, show, settle, titles } = stage()
  show.show('move')
  await settle()
  expect(ui.prompts()).toMatchObject([{ title: 'Move it?', rows: [{ label: 'Amount', value: '100' }], ok: 'engine.ok' }])
  const first = ui.prompts()[0]
  show.draw()
  await settle()
  expect(ui.prompts()[0]).toBe(first)
  docs['prompt/move'] = { kind: 'prompt', id: 'move', title: 'Move all?' }
  show.draw()
  await settle()
  expect([titles(), shown]).toEqual([['Move all?'], ['move', 'move']])
  ui.prompts()[0]?.settle(true)
  await settle()
  show.draw()
  await settle()
  expect([titles(), shown.at(-1)]).toEqual([[], null])
})

test('a prompt comes again on the next page, and goes when it is not wished any more', async () => {
  const { ui, at, show, settle, titles } = stage()
  show.show('move')
  await settle()
  at.address = '/pages/market/market'
  ui.dismiss()
  await settle()
  expect(titles()).toEqual([])
  show.draw()
  await settle()
  expect(titles()).toEqual(['Move it?'])
  show.show(null)
  await settle()
  expect(titles()).toEqual([])
  show.show('gone')
  await settle()
  expect(titles()).toEqual([])
})
