import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { editingStage } from '#console/editor/editing-fixture.tsx'
import { TextsPage } from '#console/texts/TextsPage.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const app = 'schemas/app.json'
const files = {
  [app]: { kind: 'app', id: 'app', format: 1, defaultLanguage: 'en' },
  'locales/en/home.json': { first: 'First', second: 'Second', third: 'Third' },
  'locales/fr/home.json': { first: 'Premier', second: 'Deuxième', third: 'Troisième' },
}
let stage: Awaited<ReturnType<typeof editingStage>>
beforeEach(() => {
  // The list is virtualised: it needs a height.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1_200)
})
afterEach(async () => {
  await stage.end()
  vi.restoreAllMocks()
})

test('arrows, Home and End move between the texts, and not while one is written', async () => {
  stage = await editingStage(files, app)
  await stage.show(() => <TextsPage />)
  const press = (key: string) =>
    act(async () => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
  const here = () => {
    const { row, column } = (document.activeElement as HTMLElement).dataset
    return `${row} ${column}`
  }
  stage.find<HTMLElement>('[data-row="0"][data-column="0"]').focus()
  const way: string[] = []
  for (const key of ['ArrowUp', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowLeft', 'End', 'Home']) {
    await press(key)
    way.push(here())
  }
  expect(way).toEqual(['0 0', '1 0', '1 1', '2 1', '2 1', '2 0', '2 7', '2 0'])
  await stage.press(document.activeElement as HTMLElement)
  expect(document.activeElement?.tagName).toBe('TEXTAREA')
  await press('ArrowUp')
  await press('Home')
  expect(document.activeElement?.tagName).toBe('TEXTAREA')
})
