import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CodeField } from '#widgets/code-field/CodeField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const input = () => stage.find<HTMLInputElement>('input')
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  stage = fieldStage()
})
afterEach(() => {
  stage.end()
  vi.useRealTimers()
})

test('is one control that takes the code of a message', () => {
  stage.show(CodeField)
  expect(stage.box.querySelectorAll('input')).toHaveLength(1)
  expect([input().autocomplete, input().inputMode, input().maxLength]).toEqual(['one-time-code', 'numeric', -1])
})

test.each([
  ['123456', 6, '123456'],
  ['Code: 123-456', 6, '123456'],
  ['12345678', 8, '12345678'],
  ['abc', 6, ''],
])('%j pasted with %d digits stands as %j', (text, digits, code) => {
  stage.show(CodeField, { props: { digits } })
  stage.type(text, 'insertFromPaste')
  expect([input().value, stage.state.value]).toEqual([code, code])
})

test('asks to send once per press, and not while it is under way', () => {
  stage.show(CodeField)
  act(() => stage.button('widget.code_send').click())
  expect(stage.events).toEqual([['send', undefined]])
  stage.show(CodeField, { busy: true })
  act(() => stage.find<HTMLButtonElement>('button').click())
  expect(stage.events).toHaveLength(1)
})

test('a document without the action has no button', () => {
  stage.show(CodeField, { listens: () => false })
  expect(stage.box.querySelector('button')).toBeNull()
})

test('an answer begins the wait, which outlives the screen and is not begun again by the same answer', () => {
  const sent = { target: 'a***@b.com', resend_after: 60 }
  stage.show(CodeField, { props: { target: 'ann@b.com', sent } })
  expect(stage.button('widget.code_wait 60').disabled).toBe(true)
  expect(stage.box.textContent).toContain('widget.code_sent a***@b.com')
  stage.end()

  vi.setSystemTime(1_020_000)
  stage = fieldStage()
  stage.show(CodeField, { props: { target: 'ann@b.com', sent } })
  expect(stage.button('widget.code_wait 40').disabled).toBe(true)
  stage.end()

  stage = fieldStage()
  stage.show(CodeField, { props: { target: 'ann@b.com' } })
  expect(stage.button('widget.code_wait 40').disabled).toBe(true)
  stage.show(CodeField, { props: { target: 'bob@b.com' } })
  expect(stage.button('widget.code_send').disabled).toBe(false)
})

test('each new answer begins a new wait', () => {
  stage.show(CodeField, { props: { target: 'eve@b.com', sent: { resend_after: 0 } } })
  expect(stage.button('widget.code_again').disabled).toBe(false)
  stage.show(CodeField, { props: { target: 'eve@b.com', sent: { resend_after: 30 } } })
  expect(stage.button('widget.code_wait 30').disabled).toBe(true)
})
