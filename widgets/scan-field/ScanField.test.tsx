import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '#tests/support/one-rule.ts'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { ScanField } from '#widgets/scan-field/ScanField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const decode = vi.hoisted(() => ({ picture: undefined as string | undefined, frame: undefined as string | undefined }))
vi.mock('#widgets/scan-field/decode.ts', () => ({ readPicture: async () => decode.picture, readFrame: () => decode.frame }))

const address = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
let stage: ReturnType<typeof fieldStage>
let stopped: number
function camera(open: () => Promise<unknown>) {
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: { getUserMedia: open } })
}
const stream = () => Promise.resolve({ getTracks: () => [{ stop: () => stopped++ }] })
async function pick(said: string | undefined) {
  decode.picture = said
  const input = stage.find<HTMLInputElement>('input[type=file]')
  Object.defineProperty(input, 'files', { configurable: true, value: [new File(['x'], 'a.png', { type: 'image/png' })] })
  await act(async () => void input.dispatchEvent(new Event('change', { bubbles: true })))
  await act(async () => void (await vi.dynamicImportSettled()))
}
const press = (name: string) => act(async () => stage.button(name).click())
const settle = () => act(async () => void (await vi.dynamicImportSettled()))

beforeEach(() => {
  stopped = 0
  decode.frame = undefined
  stage = fieldStage()
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, writable: true, value: null })
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
})
afterEach(() => {
  stage.end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
})

test('a picture is read: its text is the value, and the address that it names is told', async () => {
  stage.show(ScanField, { value: '' })
  await pick(`tron:${address}?amount=1`)
  expect(stage.state.value).toBe(`tron:${address}?amount=1`)
  expect(stage.events).toEqual([['read', address]])
  await press('widget.picture_remove')
  expect(stage.state.value).toBe('')
})

test.each(cases.codes)('a picture of $code tells the receiver alone: $address', async ({ code, address }) => {
  stage.show(ScanField, { value: '' })
  await pick(code)
  expect(stage.state.value).toBe(code)
  expect(stage.events).toEqual([['read', address]])
})

test('a picture without a code says so, and what was there stays', async () => {
  stage.show(ScanField, { value: address })
  await pick(undefined)
  expect(stage.find('[role=alert]').textContent).toContain('widget.scan_none')
  expect(stage.state.value).toBe(address)
  expect(stage.events).toEqual([])
})

test('the camera is asked for at a press only, gives its first code, and is let go', async () => {
  let asked = 0
  camera(() => {
    asked++
    return stream()
  })
  stage.show(ScanField, { value: '' })
  expect(asked).toBe(0)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await press('widget.scan_camera')
  await settle()
  expect(stage.find('video').hidden).toBe(false)
  decode.frame = address
  await act(async () => void vi.advanceTimersByTime(200))
  expect([asked, stopped, stage.state.value]).toEqual([1, 1, address])
  expect(stage.find('video').hidden).toBe(true)
})

test.each([
  ['NotAllowedError', 'widget.scan_denied'],
  ['NotFoundError', 'widget.scan_missing'],
])('%s leaves the way by a picture, and says why', async (name, words) => {
  camera(() => Promise.reject(Object.assign(new Error('no'), { name })))
  stage.show(ScanField, { value: '' })
  await press('widget.scan_camera')
  await settle()
  expect(stage.find('[role=alert]').textContent).toContain(words)
  expect(stage.button('widget.scan_picture').disabled).toBe(false)
  expect(stage.state.value).toBe('')
})

test('leaving lets the camera go', async () => {
  camera(stream)
  stage.show(ScanField, { value: '' })
  await press('widget.scan_camera')
  await settle()
  stage.end()
  expect(stopped).toBe(1)
  stage = fieldStage()
})

test('where there is no camera none is offered', () => {
  vi.stubGlobal('navigator', { ...navigator, mediaDevices: undefined })
  stage.show(ScanField, { value: '' })
  expect(() => stage.button('widget.scan_camera')).toThrow()
  expect(stage.button('widget.scan_picture').disabled).toBe(false)
})
