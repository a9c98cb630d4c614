import { act, Component, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chunkLimits, lazyComponent } from '#renderer/react/lazyComponent.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

class Wall extends Component<{ children: ReactNode }, { broken: string }> {
  override state = { broken: '' }
  static getDerivedStateFromError(error: Error) {
    return { broken: error.name }
  }
  override render() {
    const { broken } = this.state
    return broken ? (
      <button type="button" onClick={() => this.setState({ broken: '' })}>
        {broken}
      </button>
    ) : (
      this.props.children
    )
  }
}

function mount(load: () => Promise<{ default: () => ReactNode }>) {
  const View = lazyComponent(load, () => 'wait')
  const box = document.createElement('div')
  const root = createRoot(box, { onCaughtError: () => undefined })
  const draw = () =>
    act(async () =>
      root.render(
        <Wall>
          <View />
        </Wall>,
      ),
    )
  return { View, box, draw, retry: () => act(async () => box.querySelector('button')?.click()) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))

test('a view that was only to come ahead of time is not missed', async () => {
  const reported = vi.fn()
  addEventListener('chunk-failed', reported)
  const { View } = mount(async () => Promise.reject(new TypeError('no network')))
  await expect(View.load()).rejects.toMatchObject({ name: 'chunk_load_failed' })
  expect(reported).not.toHaveBeenCalled()
  removeEventListener('chunk-failed', reported)
})

describe('a view in a chunk of its own', () => {
  test('keeps what it holds while it is drawn again', async () => {
    let made = 0
    const Counted = () => <p>{useState(() => ++made)[0]}</p>
    const { draw, box, View } = mount(async () => ({ default: Counted }))
    expect(View.ready()).toBeUndefined()
    await draw()
    await draw()
    expect(box.textContent).toBe('1')
    expect(View.ready()).toBe(Counted)
  })
  test('that did not load is not asked for in a loop, and is there after another try', async () => {
    let asked = 0
    const { draw, box, retry } = mount(async () => {
      if (++asked < 2) throw new TypeError('Failed to fetch dynamically imported module')
      return { default: () => <p>here</p> }
    })
    await draw()
    await pass(500)
    expect([box.textContent, asked]).toEqual(['chunk_load_failed', 1])
    await pass(1_000)
    await retry()
    expect([box.textContent, asked]).toEqual(['here', 2])
  })
  test('stands as soon as it is here, however lately what stood there meanwhile was drawn', async () => {
    const Inner = lazyComponent(
      async () => ({ default: () => <p>inner</p> }),
      () => 'wait',
    )
    const { draw, box } = mount(async () => ({ default: () => <Inner /> }))
    await draw()
    // No timer has moved.
    await act(async () => undefined)
    expect(box.textContent).toBe('inner')
  })
  test('that never comes has failed after the time of the app', async () => {
    const before = chunkLimits.waitMs
    chunkLimits.waitMs = 2_000
    const { draw, box } = mount(() => new Promise(() => undefined))
    await draw()
    chunkLimits.waitMs = before
    await pass(1_900)
    expect(box.textContent).toBe('wait')
    await pass(100)
    expect(box.textContent).toBe('chunk_load_failed')
  })
  test('that never comes has failed after a minute, and the page is told', async () => {
    const reported = vi.fn()
    addEventListener('chunk-failed', reported)
    const { draw, box } = mount(() => new Promise(() => undefined))
    await draw()
    await pass(59_000)
    expect(box.textContent).toBe('wait')
    await pass(1_000)
    expect(box.textContent).toBe('chunk_load_failed')
    expect(reported).toHaveBeenCalledTimes(1)
    removeEventListener('chunk-failed', reported)
  })
})
