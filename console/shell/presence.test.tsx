import { act } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '#console/io/useWorkspace.ts'
import type { OpenWorkspace } from '#console/io/workspace.ts'
import { emptyView } from '#console/io/workspace-view.ts'
import { type ConsoleStage, consoleStage } from '#console/parts/console-fixture.tsx'
import { Presence } from '#console/shell/Presence.tsx'
import type { Present } from '#language/publish/publishing.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const home = 'schemas/screens/home.json'
let drawn: ConsoleStage
afterEach(() => drawn.end())

/** The row on a page of draft 3. */
async function stage(page: string) {
  const watched: unknown[] = []
  let tell: (others: readonly Present[]) => void = () => undefined
  const context = {
    watchDraft(place: unknown, listener: typeof tell) {
      watched.push(place)
      tell = listener
      return () => void watched.push('left')
    },
  }
  const view = { ...emptyView, files: { [home]: '{}', 'schemas/theme.json': '{}' } }
  const workspace = { view: () => view, subscribe: () => () => undefined } as unknown as OpenWorkspace
  drawn = await consoleStage(
    <WorkspaceContext value={workspace}>
      <MemoryRouter initialEntries={[`/draft/3/${page}`]}>
        <Presence draft={3} />
      </MemoryRouter>
    </WorkspaceContext>,
    context,
  )
  const { box } = drawn
  const rows = () => [...box.querySelectorAll('li')]
  return {
    watched,
    box,
    says: (others: Present[]) => act(async () => tell(others)),
    /** Returns the visible text and the title of each row. */
    rows: () => rows().map((row) => [row.querySelector('[aria-hidden]')!.textContent, row.querySelector('[title]')!.getAttribute('title')]),
    heard: () => rows().map((row) => row.querySelector('.visually-hidden')!.textContent),
  }
}

test('a row of names says who is in which file, and first who is in the same one', async () => {
  const { box, says, rows, heard } = await stage(`document/${home}`)
  expect(box.innerHTML).toBe('')
  await says([
    { name: 'Ann', paths: [] },
    { name: 'Bob', paths: ['schemas/forms/a.json', 'schemas/forms/b.json'] },
    { name: 'Mina', paths: [home] },
  ])
  expect(rows()).toEqual([
    ['Mina', 'Mina is in this file, too'],
    ['Ann', 'Ann has this draft open'],
    ['Bob', 'Bob is in forms/a.json and forms/b.json'],
  ])
  expect(heard()).toEqual(rows().map(([, title]) => title))
  expect(box.querySelector('ul')!.getAttribute('aria-label')).toBe('Others in this draft')
  await says([])
  expect(box.innerHTML).toBe('')
})

test('many names are counted', async () => {
  const { says, rows } = await stage('documents')
  await says(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, paths: [home] })))
  expect(rows().map(([name]) => name)).toEqual(['a', 'b', 'c', 'd', '+2'])
  expect(rows().at(-1)![1]).toBe('e is in screens/home.json\nf is in screens/home.json')
})

test.each([
  ['documents', undefined],
  [`document/${home}`, home],
  ['document/schemas/screens/none.json', undefined],
  ['theme', 'schemas/theme.json'],
  ['review', undefined],
])('on the page %s others see the file %s', async (page, path) => {
  const { watched } = await stage(page)
  expect(watched).toEqual([{ draft: 3, path }])
  await drawn.end()
  expect(watched.at(-1)).toBe('left')
})
