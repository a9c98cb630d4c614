import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { createUi, type Ui } from '#renderer/engine/ui.ts'
import { EngineContext } from '#renderer/react/context.ts'
import { Beside } from '#renderer/react/layers/Beside.tsx'
import { loadPromptDialog, PromptHost } from '#renderer/react/layers/PromptHost.tsx'
import LargePicture from '#widgets/parts/LargePicture.tsx'
import SheetDialog from '#widgets/parts/SheetDialog.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
vi.mock('#renderer/react/ScreenLoader.tsx', () => import('#renderer/react/layers/beside-fixture.tsx'))

interface Stage {
  ui: Ui
  /** Called when it closes. */
  close: () => void
}
/** All code that draws over the page, and how it is opened. */
const layers: Record<string, (stage: Stage) => ReactNode> = {
  'renderer/react/layers/Beside.tsx': ({ close }) => <Beside address="/pages/b" close={close} />,
  'renderer/react/layers/PromptDialog.tsx': ({ ui, close }) => {
    const texts = { title: 'Send?', text: '', rows: [], danger: true, ok: 'Send', cancel: 'Keep' }
    void ui.ask(texts).then((agreed) => !agreed && close())
    return <PromptHost />
  },
  'widgets/parts/LargePicture.tsx': ({ close }) => (
    <LargePicture pictures={[{ id: 'a', src: '/files/a.webp' }]} at={0} nameOf={() => 'Sunrise'} show={() => undefined} close={close} />
  ),
  'widgets/parts/SheetDialog.tsx': ({ close }) => (
    <SheetDialog title="Filter" open close={close}>
      <p>by coin</p>
    </SheetDialog>
  ),
}
/** Signs of code that draws over the page. */
const signs =
  /@base-ui\/react\/|createPortal|aria-modal|(?<!\[)role="(?:(?:alert)?dialog|menu)"|<dialog|popover=|showModal|showPopover|requestFullscreen/
const root = join(import.meta.dirname, '../..')

let app: Root | undefined
afterEach(async () => {
  await act(async () => app?.unmount())
  app = undefined
  document.body.replaceChildren()
})

test('every part that draws over the page is in the table of this test', () => {
  const files = ['widgets', 'renderer']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.tsx'))
    .filter((path) => !/\.test\.tsx$|-fixture\.tsx$|^renderer\/inspector\//.test(path))
  const covering = files.filter((path) => signs.test(readFileSync(join(root, path), 'utf8')))
  // The prompt that stands where the dialog cannot be loaded is asked for like the dialog; the button of a form at the foot of its page covers nothing.
  const others = ['renderer/react/layers/PromptHost.tsx', 'widgets/form/Form.tsx']
  expect(covering.filter((path) => !others.includes(path)).sort()).toEqual(Object.keys(layers))
})

test.each(Object.entries(layers))('back closes it: %s', async (_, draw) => {
  const ui = createUi(1_500)
  const closed = vi.fn()
  await loadPromptDialog()
  const engine = {
    ui,
    say: (key: string) => key,
    i18n: { onChange: () => () => undefined, language: () => 'en' },
    language: () => ({ id: 'en', tag: 'en' }),
    match: (path: string) => ({ path, route: { screen: 'b' } }),
    gate: { entry: () => 'open' },
    outer: { get: () => undefined, subscribe: () => () => undefined },
  }
  app = createRoot(document.body.appendChild(document.createElement('div')))
  const shown = draw({ ui, close: closed })
  await act(async () => app?.render(<EngineContext value={engine as never}>{shown}</EngineContext>))
  expect(document.querySelectorAll('[role=dialog], [role=alertdialog], .beside').length).toBe(1)
  expect([ui.layers(), closed.mock.calls.length]).toEqual([1, 0])
  await act(async () => void ui.uncover())
  expect([ui.layers(), closed.mock.calls.length]).toEqual([0, 1])
})
