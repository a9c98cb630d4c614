import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { FormParts } from '#console/editor/node/FormParts.tsx'
import { metaSchemas } from '#language/documents/meta.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const path = 'schemas/forms/a.json'
const form = {
  kind: 'form',
  id: 'a',
  format: 1,
  fields: [
    { name: 'name', type: 'string', label: { $t: 'a.name' } },
    { name: 'reason', type: 'string', label: { $t: 'a.reason' } },
  ],
  submit: { label: { $t: 'a.send' }, steps: [{ back: true }] },
}
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

interface Written {
  pages?: { id: string; title: { $t: string } }[]
  fields: { page?: string }[]
}
const written = () => stage.doc() as unknown as Written
const pagesOfFields = () => written().fields.map(({ page }) => page)

test('the first press makes two pages and puts all fields on the first, and one step takes it back', async () => {
  const words = { name: 'Name', reason: 'Reason', send: 'Send' }
  stage = await editingStage({ [path]: form, 'locales/en/a.json': words }, path)
  await stage.show(() => <FormParts name="pages" schema={metaSchemas().form!} />)
  await stage.press(stage.button('page_add'))
  expect(written().pages!.map(({ id }) => id)).toEqual(['page', 'page-2'])
  expect(pagesOfFields()).toEqual(['page', 'page'])
  await stage.press(stage.button('page_add'))
  expect(written().pages).toHaveLength(3)
  const takeOut = () =>
    [...stage.box.querySelectorAll<HTMLButtonElement>('section button')]
      .filter((one) => one.getAttribute('aria-label')?.includes('take_out'))
      .at(-1)!
  await stage.press(takeOut())
  expect(written().pages!.map(({ id }) => id)).toEqual(['page', 'page-2'])
  // A form has no page or at least two.
  await stage.press(takeOut())
  expect(written().pages).toBeUndefined()
  expect(pagesOfFields()).toEqual([undefined, undefined])
  expect(JSON.parse(stage.workspace().files['locales/en/a.json']!)).toEqual(words)
  await stage.does(() => stage.workspace().undo())
  expect(written().pages!.map(({ id }) => id)).toEqual(['page', 'page-2'])
  expect(pagesOfFields()).toEqual(['page', 'page'])
})
