import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { PictureViewer } from '#widgets/picture-viewer/PictureViewer.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.mock('#widgets/parts/LargePicture.tsx', () => ({
  default: ({ at, nameOf }: { at: number; nameOf: (at: number) => string }) => <p role="dialog">{nameOf(at)}</p>,
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const page = viewStage(PictureViewer, { label: 'Works' })
const { show } = page

const many = Array.from({ length: 200 }, (_, i) => ({ id: String(i), src: `/files/${i}.webp` }))

test('pictures are fetched as they come near', () => {
  show({ pictures: many })
  const pictures = [...page.box.querySelectorAll('img')]
  expect(pictures).toHaveLength(200)
  expect(pictures.every((one) => one.getAttribute('loading') === 'lazy')).toBe(true)
})

test.each([
  [undefined, 2],
  [3, 6],
])('while it waits there are tiles, two lines of them: %s columns', (columns, tiles) => {
  show({ pictures: undefined, columns }, { status: 'loading' })
  expect([page.box.querySelectorAll('i').length, page.box.querySelector('[aria-busy=true]')?.textContent]).toEqual([tiles, ''])
  show({ pictures: [] })
  expect(page.box.textContent).toBe('widget.empty')
})

test('a picture has the name that it is given, or its number', async () => {
  show({
    pictures: [
      { id: 'a', src: '/files/a.webp', title: 'Sunrise' },
      { id: 'b', src: '/files/b.webp' },
    ],
  })
  const names = [...page.box.querySelectorAll('button')].map((one) => one.getAttribute('aria-label'))
  expect(names).toEqual(['widget.picture_open Sunrise', 'widget.picture_open widget.picture_of Works 2 2'])
  await act(async () => page.box.querySelectorAll('button')[0]!.click())
  await vi.waitFor(() => expect(document.querySelector('[role=dialog]')?.textContent).toBe('Sunrise'))
})

test('a picture of another host is not fetched, and cannot be opened', () => {
  show({ pictures: [{ id: 'a', src: 'https://elsewhere.example/a.webp' }] })
  expect([page.box.querySelector('img'), page.box.querySelector('button')?.disabled]).toEqual([null, true])
})
