import { act, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { SearchList } from '#console/parts/SearchList.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

function Page({ names, choose }: { names: string[]; choose(name: string): void }) {
  const [wanted, setWanted] = useState('')
  const rows = names
    .filter((name) => name.includes(wanted))
    .map((name) => ({ key: name, title: name, about: '', choose: () => choose(name) }))
  return <SearchList label="Find a part" wanted={wanted} onWanted={setWanted} rows={rows} nothing="No part has this name" />
}

test('the search field is one for browsers as well, and Enter chooses the first result', async () => {
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const root = createRoot(box)
  const chosen: string[] = []
  await act(async () => root.render(<Page names={['chart', 'list', 'slider']} choose={(name) => chosen.push(name)} />))
  const input = box.querySelector('input')!
  expect([input.type, input.getAttribute('aria-label'), document.activeElement === input]).toEqual(['search', 'Find a part', true])
  const type = (text: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
  await type('li')
  expect([...box.querySelectorAll('li')].map((row) => row.textContent?.trim())).toEqual(['list', 'slider'])
  await act(async () => void input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })))
  expect(chosen).toEqual(['list'])
  await type('none')
  await act(async () => void input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })))
  expect([chosen, box.textContent]).toEqual([['list'], 'No part has this name'])
  await act(async () => root.unmount())
})
