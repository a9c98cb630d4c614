import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchInput } from '#console/parts/SearchInput.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let root: Root
let search: (text: string) => void = () => undefined
beforeEach(() => {
  vi.useFakeTimers()
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  root = createRoot(box)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.useRealTimers()
})

/** A page whose search follows each key press with a delay, as an address does. */
function Page() {
  const [wanted, setWanted] = useState('')
  search = setWanted
  return <SearchInput value={wanted} onSearch={(text) => setTimeout(() => setWanted(text), 80)} />
}
const input = () => document.querySelector('input')!
const key = (letter: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input(), input().value + letter)
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

test('every key that is typed fast stands', async () => {
  await act(async () => root.render(<Page />))
  for (const letter of 'withdraw') {
    await key(letter)
    await pass(30)
  }
  expect(input().value).toBe('withdraw')
  await pass(500)
  expect(input().value).toBe('withdraw')
})

test('a search that is cleared from outside clears the box', async () => {
  await act(async () => root.render(<Page />))
  await key('a')
  await pass(500)
  await act(async () => search(''))
  expect(input().value).toBe('')
})

test('with a pause the text is told once, trimmed, to the newest function; one that is cleared meanwhile is not told', async () => {
  const searched: string[] = []
  const show = (value: string, name: string) =>
    act(async () => root.render(<SearchInput value={value} onSearch={(text) => searched.push(`${name}: ${text}`)} pauseMs={300} />))
  await show('', 'first')
  await key('a')
  await pass(200)
  await key(' ')
  await pass(200)
  await show('', 'second')
  await pass(200)
  expect(searched).toEqual(['second: a'])
  await show('a', 'second')
  expect(input().value).toBe('a ')
  await key('b')
  await show('', 'third')
  await pass(500)
  expect([input().value, searched]).toEqual(['', ['second: a']])
})
