import { expect, test } from 'vitest'
import manifest from '#contract/manifest.json'
import { rowsOf } from '#contract/topic.ts'
import { topicNames, topics } from '#contract/topics.ts'

interface Schema {
  properties?: Record<string, Schema>
  items?: Schema
  key?: string
}
const calls = manifest as unknown as { name: string; input: Schema; output: Schema }[]
const carrying = topicNames.flatMap((name) => (rowsOf(name, topics) ? [[name, rowsOf(name, topics)!] as const] : []))

test.each(carrying)('rows of "%s" are rows of the list that its call answers', (_name, { call, key, stamp, by }) => {
  const { input, output } = calls.find(({ name }) => name === call)!
  const list = output.properties!.list!
  const members = Object.keys(list.items!.properties!)
  expect(list.key).toBe(key)
  for (const member of [key, ...(stamp ? [stamp] : []), ...Object.values(by).flat()]) expect(members).toContain(member)
  // Other filters, such as a range of time, equal no member of a row, so the list loads again for them.
  expect(Object.keys(by).sort()).toEqual(
    Object.keys(input.properties!)
      .filter((name) => !['page', 'size', 'from', 'to'].includes(name))
      .sort(),
  )
})
