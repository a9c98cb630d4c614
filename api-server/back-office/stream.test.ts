import type { Request, Response } from 'express'
import { expect, test, vi } from 'vitest'
import { createBackOfficeStream, type StreamDeps } from '#api-server/back-office/stream.ts'

vi.mock('#api-server/back-office/gate.ts', () => ({ letIn: async () => ({ id: 1, roles: ['reviewer'] }) }))
const perOperator = 40

function stage(counts: () => Promise<never>) {
  const bus = { subscribe: () => () => undefined, publish: () => undefined }
  const deps = { gate: {}, bus, log: {}, counts, rules: async () => 0 } as unknown as StreamDeps
  const stream = createBackOfficeStream(deps)
  const open = () =>
    Promise.resolve(stream.page({ method: 'GET' } as Request, {} as Response, () => undefined)).catch((error: { code?: string }) => error)
  return { stream, open }
}

test('a stream takes its place before it is prepared, and gives it back when that fails', async () => {
  const fails: (() => void)[] = []
  const { stream, open } = stage(() => new Promise((_, fail) => fails.push(() => fail(new Error('no database')))))
  const waiting = Array.from({ length: perOperator }, open)
  await vi.waitFor(() => expect(fails).toHaveLength(perOperator))
  const onceMore = open()
  await expect(Promise.race([onceMore, new Promise((done) => setImmediate(done, 'accepted'))])).resolves.toMatchObject({
    code: 'too_many_requests',
  })
  for (const fail of fails) fail()
  await Promise.all(waiting)
  const again = open()
  await vi.waitFor(() => expect(fails).toHaveLength(perOperator + 1))
  fails.at(-1)!()
  expect(await again).toMatchObject({ message: 'no database' })
  expect(stream.clients()).toBe(0)
  stream.stop()
})
