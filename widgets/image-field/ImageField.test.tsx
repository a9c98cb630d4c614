import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ImageField } from '#widgets/image-field/ImageField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

type Options = { purpose?: string; onProgress?: (fraction: number) => void; signal?: AbortSignal }
type Sending = { file: File; options: Options; done: (url: string) => void; fail: (problem: unknown) => void }
let stage: ReturnType<typeof fieldStage>
let sent: Sending[]
const upload = (file: File, options: Options) =>
  new Promise<{ url: string }>((resolve, reject) => void sent.push({ file, options, done: (url) => resolve({ url }), fail: reject }))
const input = () => stage.find<HTMLInputElement>('input[type=file]')
const png = (name = 'a.png') => new File(['x'], name, { type: 'image/png' })
function pick(file: File) {
  Object.defineProperty(input(), 'files', { configurable: true, value: [file] })
  act(() => void input().dispatchEvent(new Event('change', { bubbles: true })))
}
const settle = (run: () => void) =>
  act(async () => {
    run()
  })
beforeEach(() => {
  sent = []
  stage = fieldStage()
})
afterEach(() => stage.end())

test('a picture is looked at while it is sent, and its address is the value', async () => {
  stage.show(ImageField, { value: '', upload, props: { purpose: 'kyc' } })
  pick(png())
  expect(sent.map(({ file, options }) => [file.name, options.purpose])).toEqual([['a.png', 'kyc']])
  expect(stage.find<HTMLImageElement>('img').src).toMatch(/^blob:/)
  expect(stage.state.value).toBe('')
  await settle(() => sent[0]!.options.onProgress!(0.4))
  expect(stage.find<HTMLProgressElement>('progress').value).toBe(0.4)
  await settle(() => sent[0]!.done('/files/1.webp'))
  expect(stage.state.value).toBe('/files/1.webp')
  expect(stage.box.querySelector('progress')).toBeNull()
})

test.each(['file_type_refused', 'file_too_large', 'picture_too_large', 'file_refused'])(
  'a file that is refused as %s is neither shown nor sent again',
  async (name) => {
    stage.show(ImageField, { value: '', upload })
    pick(png())
    await settle(() => sent[0]!.fail(Object.assign(new Error('x'), { name, msg: '' })))
    expect(stage.find('[role=alert]').textContent).toContain(`problem.${name}`)
    expect([stage.box.querySelector('img'), stage.state.value]).toEqual([null, ''])
    expect([...stage.box.querySelectorAll('button')].map((one) => one.textContent)).not.toContain('widget.retry')
  },
)

test('a failure keeps the picture, says why and tries again', async () => {
  stage.show(ImageField, { value: '', upload })
  pick(png())
  await settle(() => sent[0]!.fail(Object.assign(new Error('x'), { name: 'network', msg: '' })))
  expect(stage.find('[role=alert]').textContent).toContain('problem.network')
  act(() => stage.button('widget.retry').click())
  await settle(() => sent[1]!.done('/files/2.webp'))
  expect([sent.length, stage.state.value]).toEqual([2, '/files/2.webp'])
  expect(stage.box.querySelector('[role=alert]')).toBeNull()
})

test('a later pick wins, whatever comes back of the one before', async () => {
  stage.show(ImageField, { value: '', upload })
  pick(png('a.png'))
  pick(png('b.png'))
  expect(sent[0]!.options.signal!.aborted).toBe(true)
  await settle(() => sent[1]!.done('/files/b.webp'))
  await settle(() => sent[0]!.done('/files/a.webp'))
  expect(stage.state.value).toBe('/files/b.webp')
})

test('removing empties; leaving stops what is under way', async () => {
  stage.show(ImageField, { value: '/files/1.webp', upload })
  act(() => stage.button('widget.picture_remove').click())
  expect(stage.state.value).toBe('')
  expect(stage.box.querySelector('img')).toBeNull()
  pick(png())
  act(() => stage.button('widget.cancel').click())
  expect(sent[0]!.options.signal!.aborted).toBe(true)
  pick(png())
  stage.end()
  expect(sent[1]!.options.signal!.aborted).toBe(true)
  stage = fieldStage()
})

test('the control names itself by the label and takes pictures only', () => {
  stage.show(ImageField, { value: '', upload, field: { label: 'Card', required: true } })
  expect(document.getElementById(input().getAttribute('aria-labelledby')!)?.textContent).toContain('Card')
  expect([input().accept, input().required]).toEqual(['image/jpeg,image/png,image/webp', true])
})
