import { join } from 'node:path'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openProject } from '#config-server/cli/project.ts'
import { pointerOf, valueAt } from '#console/editor/document/pointer.ts'
import { type Editing, EditingProvider, useEditing } from '#console/editor/document/useEditing.tsx'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { completionsAt } from '#console/editor/json/completion.rules.ts'
import { LogicInput } from '#console/editor/values/LogicInput.tsx'
import { factsOf } from '#language/documents/walk.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const home = 'schemas/screens/home/home.json'
const { files, documents, catalog } = await openProject({ root: join(import.meta.dirname, '../../..'), options: new Map() })
/** All lists of the screens of the product: nodes that repeat, and rows that a screen gives to the list of a fragment. */
const lists = documents.flatMap(({ file, doc }) =>
  doc.kind === 'screen'
    ? factsOf(doc).nodes.flatMap(({ node, pointer }) => {
        if (node.repeat) return [{ file, pointer, key: node.repeat.key }]
        return /^\/body\/\d+\/slots\/row\/0$/.test(pointer) ? [{ file, pointer, key: 'id' }] : []
      })
    : [],
)
let stage: Awaited<ReturnType<typeof editingStage>>
beforeAll(async () => {
  stage = await editingStage(files, home, '', catalog)
})
afterAll(() => stage.end())

test('members of a row are offered at every list of the product', async () => {
  let editing: Editing | undefined
  function Probe() {
    editing = useEditing()
    return null
  }
  expect(lists.length).toBeGreaterThan(35)
  const lacking: string[] = []
  for (const { file, pointer, key } of lists) {
    await stage.render(
      <MemoryRouter>
        <EditingProvider key={file} path={file} language="en" selected="" select={() => undefined}>
          <Probe />
        </EditingProvider>
      </MemoryRouter>,
    )
    const paths = editing!.pathsAt(`${pointer}/show`, 'item.').map(({ path }) => path)
    if (!paths.includes(`item.${key}`)) lacking.push(`${file} ${pointer}`)
  }
  expect(lacking).toEqual([])
})

test('a member of a row is completed while the expression is typed, in the form and in the JSON', async () => {
  const { pointer } = lists.find(({ file, key }) => file === home && key === 'nid')!
  const at = `${pointer}/show`
  await stage.show(({ doc, set }) => (
    <LogicInput control={{ id: 'show' }} pointer={at} logic={valueAt(doc, at)} onChange={(text) => set(at, text)} />
  ))
  const typed = 'not empty(item.'
  await stage.type(stage.find('textarea'), typed)
  expect(stage.workspace().unread).toEqual([home])
  const offered = [...stage.box.querySelectorAll('ul button')].map(({ textContent }) => textContent)
  expect(offered).toEqual(expect.arrayContaining([expect.stringMatching(/^item\.nid /), expect.stringMatching(/^item\.title /)]))

  const text = stage.workspace().files[home]!
  const { known, pathsAt } = stage.editing()
  const found = completionsAt(text, text.indexOf(typed) + typed.length, known, (path, word) => pathsAt(pointerOf(path), word))
  expect(found?.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['item.nid', 'item.title']))

  await stage.press(stage.button('item.title'))
  expect(valueAt(stage.doc(), at)).toBe('not empty(item.title')
  await stage.type(stage.find('textarea'), 'not empty(item.title)')
  expect([stage.workspace().unread, valueAt(stage.doc(), at)]).toEqual([[], 'not empty(item.title)'])
})
