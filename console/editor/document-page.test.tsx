import { join } from 'node:path'
import { act } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openProject } from '#config-server/cli/project.ts'
import { whereUsedCommand } from '#config-server/cli/where-used.ts'
import { DocumentPage } from '#console/editor/DocumentPage.tsx'
import { DocumentsPage } from '#console/editor/DocumentsPage.tsx'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { hasForm } from '#console/editor/kinds/FormOf.tsx'
import { newKinds } from '#console/editor/list/templates.rules.ts'
import { createWords, WordsContext } from '#console/io/words.ts'
import { type Use, whereUsed } from '#language/edit/where-used.ts'
import { isFull } from '#tests/support/house/sizes.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const call = { root: join(import.meta.dirname, '../..'), options: new Map<string, string>() }
const project = await openProject(call)
const words = await createWords('en')
const shipped = project.documents.map(({ file, key, doc }) => ({ file, key, kind: doc.kind, id: doc.id }))
/** `npm test` presses on one document of each kind what does the same on all; `npm run test:full` on all. */
const ofEachKind = new Set(shipped.filter(({ kind }, at) => isFull || shipped.findIndex((one) => one.kind === kind) === at))
const pageOf = (file: string) => `/draft/1/document/${file}`
const placeOf = ({ document, pointer, line }: Use) => `${document} ${pointer} · line ${line}`

let stage: Awaited<ReturnType<typeof editingStage>>
let router: ReturnType<typeof createMemoryRouter>
const errors = vi.spyOn(console, 'error')
const settings = (window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } }).happyDOM.settings

/** Opens the pages of a draft with all documents of the product, as they are shipped but for `changes`. */
async function openDraft(changes: Readonly<Record<string, string>> = {}) {
  stage = await editingStage({ ...project.files, ...changes }, '', '', project.catalog)
  const routes = [
    { path: '/draft/:id/document/*', element: <DocumentPage /> },
    { path: '/draft/:id/documents', element: <DocumentsPage /> },
  ]
  router = createMemoryRouter(routes, { initialEntries: ['/draft/1/documents?tab=uses'] })
  await stage.render(
    <WordsContext value={words}>
      <RouterProvider router={router} />
    </WordsContext>,
  )
}
const go = (address: string) => act(async () => void (await router.navigate(address)))
const head = () => stage.find('header')
const dialog = () => document.querySelector<HTMLElement>('[role=dialog]')
const nameOf = (one: Element) => one.getAttribute('aria-label') ?? one.textContent ?? ''
const buttons = (inside: Element) => [...inside.querySelectorAll('button')]
const press = (name: string, inside: Element = head()) => stage.press(buttons(inside).find((one) => nameOf(one) === name)!)
const used = (inside: Element) =>
  [...inside.querySelectorAll('a[href*="?at="]')].map((one) => [...one.children].map(({ textContent }) => textContent).join(' '))
const jsonEditor = () => [...stage.box.querySelectorAll('div')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot

beforeAll(async () => {
  // It is loaded with the first document otherwise.
  await import('#console/editor/json/JsonEditor.tsx')
  // The page inside of the preview is not loaded here.
  settings.handleDisabledFileLoadingAsSuccess = true
})
beforeEach(() => {
  localStorage.setItem('console.editor.view', 'json')
  localStorage.setItem('console.editor.preview', 'folded')
})
afterAll(() => {
  settings.handleDisabledFileLoadingAsSuccess = false
  errors.mockRestore()
  localStorage.clear()
})

describe('every document of the product opens, and every button of its head does what it says', () => {
  beforeAll(() => openDraft())
  afterAll(() => stage.end())

  test.for(shipped)('$file', async (one) => {
    const { file, key, kind, id } = one
    const isMade = (newKinds as readonly string[]).includes(kind)
    errors.mockClear()
    await go(pageOf(file))
    expect(head().querySelector('a')?.getAttribute('href')).toBe('/draft/1/documents')
    expect(head().querySelector('h1')?.textContent).not.toBe('')
    expect(buttons(head()).map(nameOf)).toEqual([
      ...(hasForm(kind) ? ['Form', 'JSON', 'Both'] : []),
      ...(isMade ? ['Where it is used', 'Copy document', 'Delete document'] : []),
      'Show the preview',
    ])
    if (hasForm(kind)) await press('JSON')
    await vi.waitFor(() =>
      act(async () => expect(jsonEditor()?.querySelector('.cm-line')?.textContent).toBe(project.files[file]!.split('\n')[0])),
    )
    if (ofEachKind.has(one)) {
      await press('Show the preview')
      expect(stage.box.querySelectorAll('iframe')).toHaveLength(1)
      await press('Hide the preview')
      expect(stage.box.querySelectorAll('iframe')).toHaveLength(0)
    }
    if (isMade && ofEachKind.has(one)) {
      await press('Copy document')
      expect(dialog()?.querySelector('input')?.value).toBe(`${id}-2`)
      await press('Cancel', dialog()!)
      expect(dialog()).toBeNull()
    }
    if (isMade) {
      const users = whereUsed(
        project.documents.filter((other) => other.key !== key),
        key,
        project.catalog,
      ).map(placeOf)
      await press('Delete document')
      expect(used(dialog()!)).toEqual(users)
      expect(dialog()!.textContent?.includes('No other document needs it.')).toBe(users.length === 0)
      await press('Cancel', dialog()!)
      expect(dialog()).toBeNull()
    }
    if (hasForm(kind)) {
      await press('Both')
      expect(jsonEditor()).toBeDefined()
      await press('Form')
      expect(jsonEditor()).toBeUndefined()
      expect(stage.box.querySelectorAll('[role=treeitem], [data-entry], [data-pointer], table').length).toBeGreaterThan(0)
    }
    if (isMade) {
      await press('Where it is used')
      const uses = whereUsed(project.documents, key, project.catalog).map(placeOf)
      expect(used(stage.box)).toEqual(uses)
      expect(stage.find('[role=status]').textContent?.trim()).toMatch(
        uses.length === 0 ? `“${key}” is used nowhere.` : new RegExp(`^${uses.length} places?, documents: \\d+\\.$`),
      )
    }
    expect(stage.workspace().files[file]).toBe(project.files[file])
    expect(stage.workspace().changed).toEqual([])
    expect(stage.box.querySelectorAll('[role=alert]')).toHaveLength(0)
    expect(errors.mock.calls).toEqual([])
  })
})

describe('a draft of the product', () => {
  afterEach(() => stage.end())
  const withdraw = 'schemas/prompts/withdraw.json'

  test('the uses of a document are those that the command line finds', async () => {
    await openDraft()
    await go(pageOf(withdraw))
    await press('Where it is used')
    const { json } = await whereUsedCommand.run({ ...call, words: ['prompt/withdraw'], tell: () => undefined })
    const { uses } = json as { uses: Use[] }
    expect(uses.map(({ document }) => document)).toEqual(['form/fund.withdraw'])
    expect(used(stage.box)).toEqual(uses.map(placeOf))
  })

  test('a document is deleted and taken back, and a changed one goes back to the live version', async () => {
    await openDraft()
    await go(pageOf(withdraw))
    await press('Delete document')
    expect(dialog()!.textContent).toContain('1 place needs it')
    await press('Delete document', dialog()!)
    expect([stage.workspace().files[withdraw], stage.workspace().changed]).toEqual([undefined, [withdraw]])
    await stage.does(() => stage.workspace().undo())
    expect(stage.workspace().files[withdraw]).toBe(project.files[withdraw])

    await go(pageOf(withdraw))
    await stage.does(() => stage.workspace().edit(withdraw, `${project.files[withdraw]}\n`))
    await press('Back to the live version')
    expect([stage.workspace().files[withdraw], stage.workspace().changed]).toEqual([project.files[withdraw], []])
  })

  test('a document that cannot be read is named wherever uses are asked for, and nothing is called unused', async () => {
    const [form, fragment] = ['schemas/forms/fund/withdraw.json', 'schemas/fragments/contract-empty.json']
    const unused = 'schemas/prompts/unused.json'
    await openDraft({
      [form]: project.files[form]!.slice(0, -30),
      [fragment]: '{',
      [unused]: '{ "kind": "prompt", "id": "unused", "format": 1, "title": "Unused" }',
    })
    const warning = `2 documents cannot be read now, so uses in them may be missing: ${form}, ${fragment}.`
    await go(pageOf(unused))
    await press('Delete document')
    expect(dialog()!.textContent).toContain(warning)
    expect(dialog()!.textContent).not.toContain('No other document needs it')
    await press('Cancel', dialog()!)
    await press('Where it is used')
    expect(stage.find('[role=status]').textContent?.trim()).toBe(warning)
    // The usable rest of a document counts.
    await go('/draft/1/documents?tab=uses&of=prompt/withdraw')
    expect(used(stage.box)).toHaveLength(1)
    expect(stage.find('[role=status]').textContent).toContain(warning)
  })
})
