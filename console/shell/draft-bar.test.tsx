import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { ConsoleError } from '#console/io/client.ts'
import { type Console, ConsoleContext } from '#console/io/console.ts'
import { DraftBar } from '#console/shell/DraftBar.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

test('a draft is renamed from its head, and a name that is taken is said', async () => {
  const path = 'schemas/prompts/a.json'
  stage = await editingStage({ [path]: { kind: 'prompt', id: 'a', format: 1, title: 'x' } }, path)
  const asked: unknown[] = []
  const renameDraft = async (id: number, body: { name?: string }) => {
    asked.push([id, body])
    if (body.name === 'Taken') throw new ConsoleError('name_taken', 409, '')
  }
  const context = {
    client: { drafts: async () => [], renameDraft },
    me: { operator: { name: 'ann', roles: ['editor'] } },
    onEvent: () => () => undefined,
    watchDraft: () => () => undefined,
  } as unknown as Console
  await stage.show(() => (
    <ConsoleContext value={context}>
      <DraftBar />
    </ConsoleContext>
  ))
  const button = (words: string) => [...document.querySelectorAll<HTMLButtonElement>('button')].find((one) => one.textContent === words)!
  const field = () => document.querySelector<HTMLInputElement>('#rename-draft input')
  const send = () =>
    act(async () => void document.querySelector('#rename-draft')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))
  await stage.press(stage.button('rename'))
  // The form is loaded when it is wanted.
  await act(async () => vi.dynamicImportSettled())
  expect(button('rename_ok').disabled).toBe(true)
  await stage.type(field()!, ' Taken ')
  await send()
  expect(document.querySelector('[role=alert]')?.textContent).toContain('name_taken')
  await stage.type(field()!, 'Spring')
  await send()
  expect([asked, field()]).toEqual([
    [
      [1, { name: 'Taken' }],
      [1, { name: 'Spring' }],
    ],
    null,
  ])
})
