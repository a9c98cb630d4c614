import { expect, test } from 'vitest'
import { createContentReads } from '#api-server/content/content.reads.ts'
import type { Content } from '#api-server/content/content.rules.ts'

test('content that was being read before a write is not kept after it', async () => {
  const answers: ((content: Content) => void)[] = []
  const store = { load: () => new Promise<Content>((answer) => void answers.push(answer)) }
  const reads = createContentReads(store as never, { now: () => 0 } as never)
  const [older, newer] = [{} as Content, {} as Content]
  const first = reads.content()
  reads.forget()
  const second = reads.content()
  expect(answers.length).toBe(2)
  answers[1]!(newer)
  expect(await second).toBe(newer)
  answers[0]!(older)
  expect(await first).toBe(older)
  expect(await reads.content()).toBe(newer)
})
