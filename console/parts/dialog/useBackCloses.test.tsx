import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { createWords, WordsContext } from '#console/io/words.ts'
import { ConfirmHost, Dialog, useConfirm } from '#console/parts/dialog/Dialog.tsx'
import { useCloseOnBack } from '#console/parts/dialog/useBackCloses.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const words = await createWords('en')
const answers: unknown[] = []

function Frame() {
  useCloseOnBack()
  return <Outlet />
}
function Page() {
  const [open, setOpen] = useState(false)
  const ask = useConfirm()
  return (
    <>
      <button type="button" id="open" onClick={() => setOpen(true)} />
      <Dialog open={open} onClose={() => setOpen(false)} title="Rename">
        <button type="button" id="ask" onClick={async () => answers.push(await ask({ title: 'Sure?', ok: 'Yes' }))} />
      </Dialog>
    </>
  )
}

let end = () => {}
afterEach(() => end())

test('back closes the topmost dialog first, and leaves the page when none is open', async () => {
  const pages = [
    { path: '/', element: <p>start</p> },
    { path: '/page', element: <Page /> },
  ]
  const router = createMemoryRouter([{ element: <Frame />, children: pages }], { initialEntries: ['/', '/page'] })
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  end = () => {
    act(() => root.unmount())
    box.remove()
  }
  await act(async () =>
    root.render(
      <WordsContext value={words}>
        <ConfirmHost>
          <RouterProvider router={router} />
        </ConfirmHost>
      </WordsContext>,
    ),
  )
  const press = (id: string) => act(async () => document.getElementById(id)!.click())
  const back = () => act(async () => void (await router.navigate(-1)))
  const titles = () => [...document.querySelectorAll('[role=dialog]:not([data-closed]) h2')].map(({ textContent }) => textContent)

  await press('open')
  await press('ask')
  expect(titles()).toEqual(['Rename', 'Sure?'])
  await back()
  expect([titles(), answers, router.state.location.pathname]).toEqual([['Rename'], [false], '/page'])
  await back()
  expect([titles(), router.state.location.pathname]).toEqual([[], '/page'])
  await back()
  expect(router.state.location.pathname).toBe('/')
})
