import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import PromptDialog from '#renderer/react/layers/PromptDialog.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

/** A prompt that has just opened. */
async function show() {
  const answers: boolean[] = []
  const prompt = { id: 1, title: 'Move it?', text: '', rows: [], danger: false, ok: 'Move', cancel: 'Keep' }
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () => root.render(<PromptDialog prompt={{ ...prompt, settle: (agreed) => void answers.push(agreed) }} />))
  const press = (name: string) => act(async () => document.querySelector<HTMLButtonElement>(`.prompt-${name}`)?.click())
  return {
    answers,
    press,
    wait: (ms: number) => act(async () => void vi.advanceTimersByTime(ms)),
    end: () => act(async () => root.unmount()),
  }
}

test.each([
  ['ok', true],
  ['cancel', false],
])('the second tap of a double tap is no answer, a later press is: %s', async (name, agreed) => {
  const { answers, press, wait, end } = await show()
  await press(name)
  await wait(490)
  await press(name)
  expect(answers).toEqual([])
  expect(document.querySelectorAll('.prompt [aria-disabled=true]').length).toBe(2)
  await wait(20)
  expect(document.querySelectorAll('.prompt [aria-disabled]').length).toBe(0)
  await press(name)
  expect(answers).toEqual([agreed])
  await end()
})

test('Escape refuses at once', async () => {
  const { answers, end } = await show()
  await act(async () => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))
  expect(answers).toEqual([false])
  await end()
})
