import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { PasswordField } from '#widgets/password-field/PasswordField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const input = () => stage.find<HTMLInputElement>('input')
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('hides, shows on demand and says which; what was typed stays', () => {
  stage.show(PasswordField, { field: { label: 'Password' } })
  stage.type('s e c r e t ')
  expect(input().type).toBe('password')
  const eye = stage.button('widget.password_show Password')
  expect(eye.getAttribute('aria-pressed')).toBe('false')
  act(() => eye.click())
  expect([input().type, eye.getAttribute('aria-pressed'), input().value, stage.state.value]).toEqual([
    'text',
    'true',
    's e c r e t ',
    's e c r e t ',
  ])
})

test.each([
  [undefined, 'current-password'],
  ['current', 'current-password'],
  ['new', 'new-password'],
  ['off', 'off'],
] as const)('%s is %s to a password manager', (autoComplete, attribute) => {
  stage.show(PasswordField, { props: { autoComplete } })
  expect(input().autocomplete).toBe(attribute)
})

test('a paste is neither refused nor cut', () => {
  stage.show(PasswordField)
  const paste = new Event('paste', { bubbles: true, cancelable: true })
  input().dispatchEvent(paste)
  expect(paste.defaultPrevented).toBe(false)
  expect(input().maxLength).toBe(-1)
})

test('says how hard it is to guess when it is asked to, and only then', async () => {
  stage.show(PasswordField)
  stage.type('123456')
  await act(() => new Promise((done) => setTimeout(done, 400)))
  expect(stage.box.querySelector('[data-level]')).toBeNull()
  stage.show(PasswordField, { props: { strength: true } })
  stage.type('1234567')
  const strengthOf = async () => {
    await act(() => new Promise((done) => setTimeout(done, 100)))
    return stage.find('[role=status]').textContent
  }
  await expect.poll(strengthOf).toContain('widget.strength widget.strength_0')
})
