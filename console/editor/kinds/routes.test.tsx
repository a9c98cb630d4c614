import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { RoutesForm } from '#console/editor/kinds/RoutesForm.tsx'
import type { RoutesDoc } from '#language/documents/documents.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const path = 'schemas/routes.json'
const text = readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')
let stage: Awaited<ReturnType<typeof editingStage>>
afterEach(() => stage.end())

test('a page is left out by a tick, and is the same to the byte when it is taken away', async () => {
  stage = await editingStage({ [path]: text }, path)
  await stage.show(() => <RoutesForm />)
  const before = (stage.doc() as RoutesDoc).routes
  const ticks = [...document.querySelectorAll<HTMLElement>('td:nth-child(7) input[type=checkbox]')]
  const at = Object.keys(before).indexOf('pages/follow/index')
  expect(ticks).toHaveLength(Object.keys(before).length)
  await stage.press(ticks[at]!)
  expect((stage.doc() as RoutesDoc).routes).toEqual({ ...before, 'pages/follow/index': { ...before['pages/follow/index'], off: true } })
  await stage.press(ticks[at]!)
  expect(stage.workspace().files[path]).toBe(text)
})
