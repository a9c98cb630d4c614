// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { createUi } from '#renderer/io/ui.ts'
import { readyToShow, useLayers } from '#renderer/react/useLayers.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

test('the layers do not come by themselves; the first thing to say brings them, and is still there to be said', async () => {
  const ui = createUi({ toastMs: 60_000, later: () => undefined })
  const seen: boolean[] = []
  function Probe() {
    seen.push(useLayers(ui) !== undefined)
    return null
  }
  const root = createRoot(document.createElement('div'))
  await act(async () => root.render(<Probe />))
  await act(async () => new Promise((done) => setTimeout(done, 50)))
  expect(seen).toEqual([false])
  await act(async () => {
    ui.toast('Early')
    // Only waits for what the toast has asked for.
    await readyToShow()
  })
  expect(seen.at(-1)).toBe(true)
  expect(ui.toasts().map(({ text }) => text)).toEqual(['Early'])
  await act(async () => root.unmount())
})
