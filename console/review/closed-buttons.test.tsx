import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { expect, test, vi } from 'vitest'
import { consoleStage } from '#console/parts/console-fixture.tsx'
import { RollbackButton } from '#console/releases/RollbackButton.tsx'
import { RolloutCard } from '#console/releases/RolloutCard.tsx'
import { MergeCard } from '#console/review/MergeCard.tsx'
import { DraftFromButton } from '#console/start/DraftFromButton.tsx'
import type { Draft, ReleaseInfo, Role } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const release = { number: 3, state: 'candidate', rollout: { percent: 10 }, note: '' } as unknown as ReleaseInfo
const draft = { id: 1, base: 1, stale: true } as Draft
const done = () => undefined

/** The buttons with the reason of each that is closed. */
async function buttons(roles: Role[], part: ReactNode): Promise<(string | null)[][]> {
  const drawn = await consoleStage(<MemoryRouter>{part}</MemoryRouter>, { client: {}, me: { operator: { name: 'ann', roles } } })
  const found = [...drawn.box.querySelectorAll('button')].map((one) => [one.textContent, one.getAttribute('aria-disabled') && one.title])
  await drawn.end()
  return found
}

const publisher = 'Only a publisher can do this.'
const editor = 'Only an editor can do this.'
test.each<[string, Role, ReactNode, string[][]]>([
  ['a rollback', 'publisher', <RollbackButton key="0" release={release} onDone={done} />, [['Roll back to this', publisher]]],
  [
    'a rollout',
    'publisher',
    <RolloutCard key="0" release={release} metrics={undefined} series={[]} onDone={done} />,
    [
      ['Set to 10 %', publisher],
      ['Give it to everybody', publisher],
      ['Stop', publisher],
    ],
  ],
  ['a merge', 'editor', <MergeCard key="0" draft={draft} onDone={done} />, [['Merge it', editor]]],
  ['a draft from a release', 'editor', <DraftFromButton key="0" release={3} />, [['Draft from this release', editor]]],
])('%s is closed to other roles with the reason, and open to its own', async (_what, role, part, closed) => {
  expect(await buttons(['viewer'], part)).toEqual(closed)
  const open = await buttons([role], part)
  expect(open.filter(([, why]) => why !== null)).toEqual([])
  expect(open.length).toBeGreaterThanOrEqual(closed.length)
})
