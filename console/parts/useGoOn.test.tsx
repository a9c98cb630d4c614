import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { HashRouter, Route, Routes } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { useGoOn } from '#console/parts/useGoOn.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** A page that starts an action which ends later, and that can be left before. */
function open(pages: string) {
  let finish = () => {}
  function Page() {
    const goOn = useGoOn()
    const start = () => {
      finish = () => goOn('/done')
    }
    return (
      <button type="button" onClick={start}>
        begin
      </button>
    )
  }
  location.hash = '#/release/3'
  const host = document.createElement('div')
  const root = createRoot(host)
  act(() =>
    root.render(
      <HashRouter>
        <Routes>
          <Route path={pages} element={<Page />} />
          <Route path="*" element={null} />
        </Routes>
      </HashRouter>,
    ),
  )
  document.body.replaceChildren(host)
  act(() => host.querySelector('button')?.click())
  return {
    /** Changes the address before anything is rendered. */
    leave: (to: string) => {
      location.hash = `#${to}`
    },
    finish: () => act(async () => finish()),
    where: () => location.hash.slice(1),
    end: () => act(() => root.unmount()),
  }
}

test.each([
  ['who stayed goes on', null, '/done'],
  ['who went to another page stays there', '/audit', '/audit'],
  ['who went to the same page of another release stays there', '/release/1', '/release/1'],
])('%s', async (_, left, there) => {
  const page = open('/release/:number')
  if (left) page.leave(left)
  await page.finish()
  expect(page.where()).toBe(there)
  page.end()
})
