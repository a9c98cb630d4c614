import { readFileSync } from 'node:fs'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { EngineContext } from '#renderer/react/context.ts'
import { Notice, plainWords } from '#renderer/react/layers/Notice.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

test.each([
  ['not_found', 'not-found', ['engine.not_found_title', 'engine.not_found_text', 'engine.home']],
  ['off', 'off', ['engine.off', 'engine.off_text', 'engine.home']],
  ['shut', 'shut', ['engine.shut_title', 'engine.shut_text', 'engine.home']],
] as const)('in place of a page that is %s stand words and the way home', async (kind, screen, words) => {
  const moves: unknown[][] = []
  const engine = {
    say: (key: string) => key,
    i18n: { hasArea: () => true, language: () => 'en' },
    go: (...move: unknown[]) => void moves.push(move),
  }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <EngineContext value={engine as never}>
        <Notice kind={kind} />
      </EngineContext>,
    ),
  )
  const page = document.querySelector(`[data-screen="${screen}"]`)
  expect([...(page?.querySelectorAll('h1, p, button') ?? [])].map(({ textContent }) => textContent)).toEqual(words)
  await act(async () => page?.querySelector('button')?.click())
  expect(moves).toEqual([['/', {}, true]])
  await act(async () => root.unmount())
  document.body.replaceChildren()
})

test('while no words have come nothing is said in keys, and without words for good in plain English', async () => {
  let fail: (problem: Error) => void = () => undefined
  const texts = new Promise<never>((_, reject) => {
    fail = reject
  })
  const engine = {
    say: (key: string) => key.slice(key.lastIndexOf('.') + 1),
    i18n: { hasArea: () => false, language: () => 'en', addArea: () => undefined },
    config: { texts: () => undefined, fetchTexts: () => texts, current: () => undefined },
    go: () => undefined,
  }
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  const show = (kind: 'loading' | 'failed') =>
    act(async () =>
      root.render(
        <EngineContext value={engine as never}>
          <Notice kind={kind} retry={() => undefined} />
        </EngineContext>,
      ),
    )
  await show('loading')
  expect(box.textContent).toBe('')
  await show('failed')
  expect(box.textContent).toBe('')
  await act(async () => fail(new Error('offline')))
  expect([...box.querySelectorAll('h1, p, button')].map(({ textContent }) => textContent)).toEqual([
    'This part cannot be shown',
    'The rest of the page still works.',
    'Try again',
    'Go to home',
  ])
  await act(async () => root.unmount())
  document.body.replaceChildren()
})

test('the plain words are those of the texts', () => {
  const words = JSON.parse(readFileSync('locales/en/engine.json', 'utf8'))
  expect(plainWords).toEqual(Object.fromEntries(Object.keys(plainWords).map((key) => [key, words[key.slice('engine.'.length)]])))
})
