import { describe, expect, test } from 'vitest'
import type { Step } from '#language/documents/documents.ts'
import { scopeOf } from '#language/expression/expression.ts'
import { outcomeOf, plan } from '#renderer/core/plan.ts'
import { overlay, snapshot } from '#renderer/core/scope.ts'
import { themeVariables } from '#renderer/core/theme.ts'

const scope = scopeOf({ state: { tab: 'a', n: 1 }, value: 'BTCUSDT', params: { id: 3 } })
const say = (key: string, args?: Record<string, unknown>) => `${key}${args && Object.keys(args).length ? JSON.stringify(args) : ''}`

describe('plan: step and scope in, effect out', () => {
  test.each<[Step, unknown]>([
    [
      { go: 'pages/x', params: { s: { $: 'value' } } },
      { do: 'go', route: 'pages/x', params: { s: 'BTCUSDT' }, replace: false, beside: false },
    ],
    [{ go: { $: { cat: ['pages/', { var: 'state.tab' }] } } }, { do: 'go', route: 'pages/a', params: {}, replace: false, beside: false }],
    [
      { set: { 'state.tab': { $: 'value' }, 'device.theme': 'light' } },
      {
        do: 'set',
        values: [
          { root: 'state', path: 'tab', value: 'BTCUSDT' },
          { root: 'device', path: 'theme', value: 'light' },
        ],
      },
    ],
    [{ toast: { $t: 'a.b', x: { $: 'params.id' } } }, { do: 'toast', text: 'a.b{"x":3}', tone: 'info' }],
    [
      { call: 'c', args: { id: { $: 'params.id' } }, as: 'r' },
      { do: 'call', call: 'c', args: { id: 3 }, as: 'r' },
    ],
    [
      { if: { '===': [{ var: 'state.n' }, 1] }, then: [{ back: true }], else: [{ close: true }] },
      { do: 'steps', steps: [{ back: true }] },
    ],
    [
      { if: { '===': [{ var: 'state.gone' }, 1] }, then: [{ back: true }] },
      { do: 'steps', steps: [] },
    ],
    [{ copy: { $: 'state.gone' } }, { do: 'copy', text: '' }],
    [{ save: { name: { $: 'value' }, text: { $: 'params.id' } } }, { do: 'save', name: 'BTCUSDT', text: '3', type: 'text/plain' }],
    [
      { save: { name: 'log.csv', text: { $: 'state.gone' }, type: 'text/csv' } },
      { do: 'save', name: 'log.csv', text: '', type: 'text/csv' },
    ],
    [{ more: 'news' }, { do: 'more', source: 'news' }],
    [{ login: { $: 'value' } }, { do: 'login', token: 'BTCUSDT' }],
    [{ login: { $: 'state.gone' } }, { do: 'login', token: '' }],
    [{ logout: true }, { do: 'logout' }],
    [{ return: true }, { do: 'return' }],
    [
      { upload: {}, as: 'picture' },
      { do: 'upload', accept: ['image/jpeg', 'image/png', 'image/webp'], purpose: undefined, as: 'picture' },
    ],
    [
      { upload: { accept: ['image/png'], purpose: 'proof' }, as: 'p' },
      { do: 'upload', accept: ['image/png'], purpose: 'proof', as: 'p' },
    ],
  ])('%j', (step, effect) => expect(plan(step, scope, say)).toEqual(effect))
})

describe('snapshots', () => {
  test('what an action reads does not move under it, but its own results appear', () => {
    const live: Record<string, unknown> = { state: { tab: 'a' } }
    const result: Record<string, unknown> = {}
    const frozen = overlay(snapshot({ get: (root) => live[root] }, { value: 1 }), { result })
    live.state = { tab: 'b' }
    result.receipt = { id: 9 }
    expect(plan({ copy: { $: 'state.tab' } }, frozen, say)).toEqual({ do: 'copy', text: 'a' })
    expect(plan({ copy: { $: 'result.receipt.id' } }, frozen, say)).toEqual({ do: 'copy', text: '9' })
  })
})

describe('outcomes of problems', () => {
  const errors = { a: { toast: 'A' }, '*': { refresh: ['x'] } }
  test.each([
    ['a', errors.a],
    ['b', errors['*']],
    ['constructor', errors['*']],
  ])('%s', (name, outcome) => expect(outcomeOf(errors, name)).toBe(outcome))
  test('nothing is said where the documents say nothing', () => expect(outcomeOf(undefined, 'a')).toBeUndefined())
})

test('swapped colours exchange up and down with all their relatives, and nothing else', () => {
  const theme = {
    kind: 'theme' as const,
    id: 'theme' as const,
    format: 1 as const,
    dark: {
      up: '#000001',
      down: '#000002',
      'up-text': '#000003',
      'down-text': '#000004',
      upper: '#000005',
      'on-up': '#000006',
      'on-down': '#000007',
    },
    light: {},
    space: { 1: 4 },
    radius: { sm: 8 },
    type: { md: 15 },
  }
  expect(themeVariables(theme, 'dark', true)).toMatchObject({
    '--up': '#000002',
    '--down': '#000001',
    '--up-text': '#000004',
    '--upper': '#000005',
    '--type-md': '0.9375rem',
    '--good': '#000001',
    '--bad': '#000002',
    '--bad-text': '#000004',
    '--on-up': '#000007',
    '--on-bad': '#000007',
  })
  expect(themeVariables(theme, 'dark', false)).toMatchObject({ '--up': '#000001', '--down': '#000002', '--bad': '#000002' })
})
