import { expect, test, vi } from 'vitest'
import { createGroup, groupLimits } from '#server-kit/ops/group.ts'

/** A group whose work ends on request. */
function stage(most = 3) {
  const groups: { items: readonly number[]; end: (outcome: 'done' | Error) => void }[] = []
  const ask = createGroup<number, string>(
    most,
    (items) =>
      new Promise((resolve, reject) => {
        const end = (outcome: 'done' | Error) => (outcome === 'done' ? resolve(items.map((item) => `did ${item}`)) : reject(outcome))
        groups.push({ items, end })
      }),
  )
  return { ask, groups, sizes: () => groups.map(({ items }) => [...items]) }
}

test('what comes alone is worked on alone; what comes meanwhile goes together, in its order', async () => {
  const { ask, groups, sizes } = stage()
  const first = ask(1)
  await expect.poll(sizes).toEqual([[1]])
  const others = [2, 3, 4, 5].map(ask)
  groups[0]!.end('done')
  expect(await first).toBe('did 1')
  await expect.poll(sizes).toEqual([[1], [2, 3, 4]])
  groups[1]!.end('done')
  await expect.poll(sizes).toEqual([[1], [2, 3, 4], [5]])
  groups[2]!.end('done')
  expect(await Promise.all(others)).toEqual(['did 2', 'did 3', 'did 4', 'did 5'])
})

test('what comes in one turn of the event loop goes together', async () => {
  const { ask, groups, sizes } = stage()
  const all = Promise.all([1, 2].map(ask))
  await expect.poll(sizes).toEqual([[1, 2]])
  groups[0]!.end('done')
  expect(await all).toEqual(['did 1', 'did 2'])
})

test('a failure is that of its group alone', async () => {
  const { ask, groups, sizes } = stage(1)
  const [one, two] = [ask(1), ask(2)]
  await expect.poll(sizes).toEqual([[1]])
  groups[0]!.end(new Error('lost'))
  await expect(one).rejects.toThrow('lost')
  await expect.poll(sizes).toEqual([[1], [2]])
  groups[1]!.end('done')
  expect(await two).toBe('did 2')
})

test('too many, and those that waited too long, are refused', async () => {
  const { ask, groups, sizes } = stage(1)
  const first = ask(0)
  await expect.poll(sizes).toEqual([[0]])
  const waiting = Promise.allSettled(Array.from({ length: groupLimits.waitingMost }, (_, n) => ask(n + 1)))
  await expect(ask(-1)).rejects.toMatchObject({ code: 'busy' })
  const late = performance.now() + groupLimits.waitMs + 1
  const clock = vi.spyOn(performance, 'now').mockReturnValue(late)
  try {
    groups[0]!.end('done')
    expect(await first).toBe('did 0')
    const outcomes = await waiting
    expect(outcomes.filter((one) => one.status === 'rejected' && one.reason.code === 'busy')).toHaveLength(groupLimits.waitingMost)
    expect(sizes()).toEqual([[0]])
  } finally {
    clock.mockRestore()
  }
})
