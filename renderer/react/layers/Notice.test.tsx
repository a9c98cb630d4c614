import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { EngineContext } from '#renderer/react/context.ts'
import { Notice } from '#renderer/react/layers/Notice.tsx'

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
