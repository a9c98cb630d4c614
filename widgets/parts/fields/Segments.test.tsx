import { expect, test, vi } from 'vitest'
import { Segments } from '#widgets/parts/fields/Segments.tsx'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

/** A line of 300 px with four options of 100 px. */
function View({ props }: { props: { value: string; scroll?: boolean } }) {
  const options = ['a', 'b', 'c', 'd'].map((id) => ({ id, label: id }))
  return <Segments options={options} enabled choose={() => undefined} {...props} />
}
const stage = viewStage(View as never)
const line = () => stage.box.querySelector('[data-segments]')
vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
  const at = [...(line()?.children ?? [])].indexOf(this)
  const left = at < 0 ? 0 : at * 100 - (line()?.scrollLeft ?? 0)
  return { left, right: left + (at < 0 ? 300 : 100) } as DOMRect
})

test('a line scrolls until what is chosen is in sight, there and back', () => {
  stage.show({ value: 'd', scroll: true })
  expect(line()?.scrollLeft).toBe(100)
  stage.show({ value: 'b', scroll: true })
  expect(line()?.scrollLeft).toBe(100)
  stage.show({ value: 'a', scroll: true })
  expect(line()?.scrollLeft).toBe(0)
})

test('options that do not scroll stay', () => {
  stage.show({ value: 'd' })
  expect(line()?.scrollLeft).toBe(0)
})
