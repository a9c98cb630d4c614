// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { useGoOn } from '#console/parts/useGoOn.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** A page from which work begins that ends later, and from which one can leave. */
function open(pages: string) {
  let finish = () => {}
  let leave = (_to: string) => {}
  let where = ''
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
  function Around() {
    const navigate = useNavigate()
    where = useLocation().pathname
    leave = (to) => void navigate(to)
    return null
  }
  const host = document.createElement('div')
  const root = createRoot(host)
  act(() =>
    root.render(
      <MemoryRouter initialEntries={['/release/3']}>
        <Around />
        <Routes>
          <Route path={pages} element={<Page />} />
          <Route path="*" element={null} />
        </Routes>
      </MemoryRouter>,
    ),
  )
  document.body.replaceChildren(host)
  act(() => host.querySelector('button')?.click())
  return {
    leave: (to: string) => act(() => leave(to)),
    finish: () => act(() => finish()),
    where: () => where,
    end: () => act(() => root.unmount()),
  }
}

test.each([
  ['who stayed goes on', null, '/done'],
  ['who went to another page stays there', '/audit', '/audit'],
  ['who went to the same page of another release stays there', '/release/1', '/release/1'],
])('%s', (_, left, there) => {
  const page = open('/release/:number')
  if (left) page.leave(left)
  page.finish()
  expect(page.where()).toBe(there)
  page.end()
})
