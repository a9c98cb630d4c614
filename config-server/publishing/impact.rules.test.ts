import { expect, test } from 'vitest'
import { impactOf } from '#config-server/publishing/impact.rules.ts'
import { type DocumentRevision, makeRelease, type Release } from '#config-server/release.rules.ts'
import { capsOf } from '#config-server/serving/caps.rules.ts'

const revision = (id: string, mark: string, ...widgets: string[]): DocumentRevision => ({
  key: `screen/${id}`,
  canonical: mark,
  sha256: mark,
  requires: { widgets, operators: [], steps: [], format: 1 },
  uses: [],
  areas: [],
})
const release = (number: number, ...documents: DocumentRevision[]): Release => makeRelease(number, documents, new Map())
const build = (share: number, ...widgets: string[]) => ({ caps: capsOf({ format: 1, widgets }), own: false, seenAt: share * 100, share })

test('says per build which documents stay older and which it never shows, the most used build first', () => {
  const [old, now] = [build(0.1, 'text@1'), build(0.9, 'text@1', 'chart@1')]
  const history = [release(2, revision('a', 'a2', 'chart@1'), revision('b', 'b1', 'text@1')), release(1, revision('a', 'a1', 'text@1'))]
  const next = release(0, revision('a', 'a3', 'chart@1'), revision('b', 'b2', 'text@1'), revision('c', 'c1', 'chart@1'))
  const reach = impactOf(next.documents, history, [old, now])
  expect(reach.map(({ caps, older, never }) => [caps, older, never])).toEqual([
    [now.caps.hash, [], []],
    [old.caps.hash, ['screen/a'], ['screen/c']],
  ])
})

test('what was withdrawn is not in the history, so nobody is said to stay on it', () => {
  const old = build(1, 'text@1')
  expect(impactOf(release(0, revision('a', 'a2', 'chart@1')).documents, [], [old])[0]?.never).toEqual(['screen/a'])
})
