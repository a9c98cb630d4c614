import { expect, test, vi } from 'vitest'
import { Difference } from '#widgets/difference/Difference.tsx'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string, more?: { context?: string; count?: number }) =>
    [key, more?.context, more?.count].filter((part) => part !== undefined).join('_'),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const stage = viewStage(Difference, {
  caption: 'Changes',
  names: 'log.value',
  choices: 'log',
  before: 'Before',
  after: 'After',
  detailsLabel: 'Details',
})
const textsOf = (selector: string) => [...stage.box.querySelectorAll(selector)].map((one) => one.textContent)

test('values are said by their labels, choices by their texts, and what is missing is a dash', () => {
  stage.show({
    changes: [
      { name: 'roles', choice: 'role', before: ['editor'], after: ['editor', 'approver'] },
      { name: 'percent', choice: '', before: [], after: ['50 %'] },
    ],
    details: [{ name: 'flows', choice: 'flows', values: ['not-run'] }],
  })
  expect(textsOf('dt')).toEqual(['log.value_roles', 'log.value_percent', 'log.value_flows'])
  expect(textsOf('del')).toEqual(['Before: log_role_editor', 'Before: –'])
  expect(textsOf('ins')).toEqual(['After: log_role_editor, log_role_approver', 'After: 50 %'])
  expect(textsOf('details dd')).toEqual(['log_flows_not_run'])
  expect(stage.box.querySelector('details')?.open).toBe(false)
})

test('a text shows its changed lines and folds the others', () => {
  const text = (last: string) => [...'abcdefgh', last].join('\n')
  stage.show({ file: { before: text('1'), after: text('2') } })
  expect(textsOf('[data-line="removed"] code')).toEqual(['1'])
  expect(textsOf('[data-line="added"] code')).toEqual(['2'])
  expect(textsOf('summary')).toEqual(['widget.lines_same_5'])
})

test('nothing changed and nothing folded shows no empty frames', () => {
  stage.show({ changes: [], details: [] })
  expect(stage.box.querySelectorAll('dl, details').length).toBe(0)
})
