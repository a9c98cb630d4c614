import { readFileSync } from 'node:fs'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { createUi } from '#renderer/engine/ui.ts'
import { EngineContext } from '#renderer/react/context.ts'
import { PromptHost, ToastHost } from '#renderer/react/layers/PromptHost.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

test('a toast stays its time from when it is drawn, however late that is, and a longer one longer', async () => {
  vi.useFakeTimers()
  const ui = createUi(1_500)
  ui.toast('done')
  ui.toast('x'.repeat(50))
  await vi.advanceTimersByTimeAsync(60_000)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <EngineContext value={{ ui } as never}>
        <ToastHost />
      </EngineContext>,
    ),
  )
  const shown = () => [...document.querySelectorAll('.toast')].map(({ textContent }) => textContent)
  const wait = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))
  expect(shown()).toEqual(['done', 'x'.repeat(50)])
  await wait(1_490)
  expect(shown().length).toBe(2)
  await wait(20)
  expect(shown()).toEqual(['x'.repeat(50)])
  await wait(1_500)
  expect(shown()).toEqual([])
  expect(ui.toasts()).toEqual([])
  await act(async () => root.unmount())
})

test('a toast that leads somewhere is a button inside of the polite region, read once, and goes away when it is pressed', async () => {
  const ui = createUi(1_500)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <EngineContext value={{ ui } as never}>
        <ToastHost />
      </EngineContext>,
    ),
  )
  let pressed = 0
  await act(async () => void ui.toast('Option won', 'success', { run: () => void pressed++, ms: 5_000 }))
  const button = document.querySelector<HTMLButtonElement>('[role=status][aria-live=polite] > button.toast')!
  expect([button.textContent, button.dataset.tone, document.querySelectorAll('.toast').length]).toEqual(['Option won', 'success', 1])
  await act(async () => button.click())
  expect([pressed, document.querySelectorAll('.toast').length, ui.toasts()]).toEqual([1, 0, []])
  await act(async () => root.unmount())
})

test('while a prompt is open the page says so, and no spinner behind it counts its time', async () => {
  const ui = createUi(1_500)
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <EngineContext value={{ ui } as never}>
        <PromptHost />
      </EngineContext>,
    ),
  )
  const isAsking = () => document.documentElement.hasAttribute('data-asking')
  expect(isAsking()).toBe(false)
  const prompt = { title: 'Sure?', text: '', rows: [], ok: 'OK', cancel: 'Cancel' }
  await act(async () => void ui.ask(prompt as never))
  await act(async () => void ui.ask(prompt as never))
  expect(isAsking()).toBe(true)
  await act(async () => ui.prompts()[1]!.settle(true))
  expect(isAsking()).toBe(true)
  await act(async () => ui.prompts()[0]!.settle(true))
  expect(isAsking()).toBe(false)
  await act(async () => void ui.ask(prompt as never))
  await act(async () => root.unmount())
  expect(isAsking()).toBe(false)
  const style = readFileSync('widgets/parts/look/Spinner.module.css', 'utf8')
  expect(style).toContain(':global(:root[data-asking]) .spinner:not([data-now]) {\n  animation: none;\n}')
})
