import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { RemoveDialog } from '#console/editor/list/RemoveDialog.tsx'
import { WhereUsed } from '#console/editor/list/WhereUsed.tsx'
import { ProblemsPanel } from '#console/editor/problems/Problems.tsx'
import { WorkspaceContext } from '#console/io/useWorkspace.ts'
import type { WorkspaceView } from '#console/io/workspace-types.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const path = 'schemas/prompts/logout.json'
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

/** The sentences about uses of a document, on their page and where the document is deleted, and about problems. */
async function warningOf(change: Partial<WorkspaceView>) {
  stage = await editingStage({ [path]: { kind: 'prompt', id: 'logout', format: 1, title: 'Log out?' } }, path)
  const view = { ...stage.workspace(), ...change }
  await stage.render(
    <WorkspaceContext value={{ view: () => view, subscribe: () => () => undefined, end: () => undefined }}>
      <MemoryRouter>
        <WhereUsed word="prompt/logout" onWord={() => undefined} />
        <ProblemsPanel path={path} go={() => undefined} />
        <RemoveDialog path={path} document="prompt/logout" title="Log out" onClose={() => undefined} />
      </MemoryRouter>
    </WorkspaceContext>,
  )
  return {
    uses: stage.find('[role=status]').textContent?.trim(),
    deleted: [...document.querySelectorAll('[role=dialog] p')].map(({ textContent }) => textContent),
    problems: stage.find('section[aria-label=problems]').textContent,
  }
}

test('a document that nothing needs is called so', async () => {
  expect(await warningOf({ problems: [] })).toEqual({ uses: 'uses_none', deleted: ['delete_unused'], problems: 'problems_none' })
})

test.for<[string, Partial<WorkspaceView>, string]>([
  ['before the documents are read', { sources: null }, 'uses_reading'],
  ['where they could not be read', { broken: { prepared: 'no memory' } }, 'uses_failed'],
  ['where one of them cannot be read', { unread: ['schemas/app.json'] }, 'uses_unread'],
])('%s nothing is called unused', async ([, change, sentence]) => {
  expect(await warningOf(change)).toMatchObject({ uses: sentence, deleted: [sentence] })
})

test('the document itself need not be readable to be deleted', async () => {
  expect((await warningOf({ unread: [path] })).deleted).toEqual(['delete_unused'])
})

test('checks that failed are never told as no problems', async () => {
  expect((await warningOf({ problems: [], broken: { problems: 'no memory' } })).problems).toBe('problems_failed')
})
