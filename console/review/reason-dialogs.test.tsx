import { act } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { type ConsoleStage, consoleStage } from '#console/parts/console-fixture.tsx'
import { ConfirmHost } from '#console/parts/dialog/Dialog.tsx'
import { ToastHost } from '#console/parts/Toast.tsx'
import { RolloutCard } from '#console/releases/RolloutCard.tsx'
import { ConsoleError } from '#contract/console/console.answer.ts'
import type { ReleaseInfo } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const app = { kind: 'app', id: 'app', segments: { testers: { label: 'Our testers', test: 'session.logged_in' } } }
const release = {
  number: 3,
  state: 'candidate',
  rollout: { percent: 10, segment: { named: ['testers'] } },
  note: '',
} as unknown as ReleaseInfo
let drawn: ConsoleStage

/** The rollout of a release, whose call is answered by `rollout`. */
async function shown(rollout: (request: object) => Promise<unknown>): Promise<void> {
  const client = { rollout, files: async () => ({ files: { 'schemas/app.json': JSON.stringify(app) } }) }
  drawn = await consoleStage(
    <MemoryRouter>
      <ToastHost>
        <ConfirmHost>
          <RolloutCard release={release} metrics={undefined} series={[]} onDone={() => undefined} />
        </ConfirmHost>
      </ToastHost>
    </MemoryRouter>,
    { client, me: { operator: { name: 'ann', roles: ['publisher'] } } },
  )
}
afterEach(() => drawn.end())

const soon = (see: () => void) => act(() => vi.waitFor(see))
const box = () => document.querySelector<HTMLTextAreaElement>('[role="dialog"] textarea')
async function press(name: string, within = 'body'): Promise<void> {
  const found = [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)].find((one) => one.textContent?.trim() === name)
  await act(async () => found!.click())
}
test('a rollout names its segments by their labels', async () => {
  await shown(async () => undefined)
  await soon(() => expect(document.body.textContent).toContain('Our testers'))
  expect(document.body.textContent).not.toContain('testers ·')
})

test('a stop needs a reason, and a refused one keeps it', async () => {
  const asked: object[] = []
  let refuse = true
  await shown(async (request) => {
    asked.push(request)
    if (refuse) throw new ConsoleError('state_wrong', 409, '')
  })
  await press('Stop')
  await press('Stop', '[role="dialog"]')
  await soon(() => expect(box()!.getAttribute('aria-invalid')).toBe('true'))
  expect(asked).toEqual([])
  await drawn.type(box()!, '  it shows wrong prices ')
  await press('Stop', '[role="dialog"]')
  await soon(() => expect(document.querySelector('[role="dialog"] [role="alert"]')).not.toBeNull())
  expect(box()!.value).toBe('  it shows wrong prices ')
  refuse = false
  await press('Stop', '[role="dialog"]')
  await soon(() => expect(box()).toBeNull())
  const sent = { stop: true, release: 3, reason: 'it shows wrong prices' }
  expect(asked).toEqual([sent, sent])
})
