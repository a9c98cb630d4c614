import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { RolloutFields } from '#console/releases/RolloutFields.tsx'
import { consoleCalls } from '#contract/console/console.calls.ts'
import type { Rollout } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

test('a rollout asks for segments that a client can tell, and keeps one that is gone until it is unticked', async () => {
  const app = {
    kind: 'app',
    id: 'app',
    segments: {
      verified: { label: { $t: 'segments.verified' }, test: 'session.kyc >= 1' },
      newcomers: { label: { $t: 'segments.newcomers' }, test: 'session.user.created > now() - days(30)' },
    },
  }
  const words = { verified: 'Verified customers', newcomers: 'New customers' }
  stage = await editingStage({ 'schemas/app.json': app, 'locales/en/segments.json': words }, 'schemas/app.json')
  const rollouts: Rollout[] = []
  function Dialog() {
    const [rollout, setRollout] = useState<Rollout>({ percent: 5, segment: { named: ['gone'] } })
    return (
      <RolloutFields
        rollout={rollout}
        onChange={(next) => {
          rollouts.push(next)
          setRollout(next)
        }}
      />
    )
  }
  await stage.show(() => <Dialog />)
  const box = (label: string) =>
    [...stage.box.querySelectorAll('label')].find(({ textContent }) => textContent === label)?.querySelector<HTMLInputElement>('input')
  expect(box('New customers')).toBeUndefined()
  expect(box('gone')?.checked).toBe(true)
  await stage.press(box('Verified customers')!)
  await stage.press(box('gone')!)
  await stage.press(box('Verified customers')!)
  expect(rollouts.map(({ segment }) => segment)).toEqual([{ named: ['gone', 'verified'] }, { named: ['verified'] }, {}])
  const { rollout } = consoleCalls['drafts.publish'].input.shape
  expect(rollouts.map((chosen) => rollout.parse(chosen))).toEqual(rollouts)
})
