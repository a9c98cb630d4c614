import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { KeyValue } from '#widgets/key-value/KeyValue.tsx'

vi.mock('#renderer/widget-api.ts', () => ({ useEngineText: () => (key: string) => key }))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

type Row = { label: string; value: string; copy?: boolean; strong?: boolean }

test.each<[string, Row, string, { copies: number; strong: boolean }]>([
  ['a value stands as it is', { label: 'Fee', value: '4 USDT' }, '4 USDT', { copies: 0, strong: false }],
  ['what is not known is a dash, not a gap', { label: 'Phone', value: '' }, '–', { copies: 0, strong: false }],
  ['nothing cannot be copied', { label: 'Phone', value: '', copy: true }, '–', { copies: 0, strong: false }],
  ['a value can be copied', { label: 'Number', value: '42', copy: true }, '42', { copies: 1, strong: false }],
  ['a nought is a value', { label: 'Fee', value: '0' }, '0', { copies: 0, strong: false }],
  ['the result is told apart', { label: 'Received', value: '196 USDT', strong: true }, '196 USDT', { copies: 0, strong: true }],
])('%s', (_name, row, text, { copies, strong }) => {
  const host = document.body.appendChild(document.createElement('div'))
  const app = createRoot(host)
  const rest = { emit: vi.fn(), listens: () => true, busy: false, enabled: true, status: 'ready' as const, retry: () => undefined }
  act(() => app.render(<KeyValue {...rest} root={{ 'data-node': 'rows' }} props={{ rows: [row] }} slots={{} as never} />))
  expect(host.querySelector('dd')?.textContent).toBe(text)
  expect(host.querySelectorAll('button')).toHaveLength(copies)
  expect(host.querySelector('[data-strong]') !== null).toBe(strong)
  act(() => app.unmount())
  host.remove()
})
