import { expect, test, vi } from 'vitest'
import { EndMark } from '#widgets/list/EndMark.tsx'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.mock('#widgets/parts/look/Spinner.tsx', () => ({ Spinner: () => 'spinner' }))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
)

const page = viewStage(({ props }: { props: Parameters<typeof EndMark>[0] }) => <EndMark {...props} />, {
  count: 10,
  text: 'End of list',
  onEnd: () => undefined,
})

test.each([
  ['the last page is here', { more: false, loading: false }, 'End of list'],
  ['there is more', { more: true, loading: false }, ''],
  ['the next page is on its way', { more: true, loading: true }, 'spinner'],
])('%s', (_, state, text) => {
  page.show(state)
  expect(page.box.textContent).toBe(text)
})
