import { describe, expect, test } from 'vitest'
import { branchesOf, Coverage } from '#flows/coverage.rules.ts'
import type { Look } from '#flows/look.ts'
import type { FormDoc, ScreenDoc } from '#language/documents/documents.ts'

const screen: ScreenDoc = {
  kind: 'screen',
  id: 'home',
  format: 1,
  data: { extra: { call: 'shop.extra', when: { var: 'state.open' } } },
  enter: [{ if: { var: 'session.logged_in' }, then: [{ back: true }] }],
  body: [
    {
      id: 'page',
      widget: 'page',
      slots: {
        body: [
          {
            id: 'part',
            widget: 'section',
            show: { var: 'state.open' },
            slots: { body: [{ id: 'inner', widget: 'button', enable: { var: 'state.on' }, show: { var: 'state.in' } }] },
          },
          { id: 'form', widget: 'form', props: { form: 'ask' } },
        ],
      },
      states: { error: { id: 'stand-in', widget: 'text', show: { var: 'state.never' } } },
    },
  ],
}
const form = {
  kind: 'form',
  id: 'ask',
  format: 1,
  groups: [{ id: 'more', show: { var: 'form.more' } }],
  fields: [
    { name: 'code', type: 'string', widget: 'text-field', label: 'Code', show: { var: 'state.second' } },
    { name: 'note', type: 'string', widget: 'text-field', label: 'Note', group: 'more' },
  ],
  submit: { label: 'Send', steps: [{ back: true }] },
} as FormDoc

const branches = branchesOf(screen, new Map([['ask', form]]))
const look = (nodes: Record<string, boolean>, at = 'home'): Look => ({
  screen: at,
  nodes,
  broken: [],
  odd: [],
  overflow: null,
  blank: false,
})
const page = { page: true, form: true }
const left = (coverage: Coverage) => Object.fromEntries(coverage.unseen().map(({ of, role, never }) => [`${role} ${of}`, never]))

describe('branches of a screen', () => {
  test('nodes, sources, actions and fields of its forms; nodes for loading, empty and error states do not count', () => {
    expect(branches.map(({ role, of }) => `${role} ${of}`)).toEqual([
      'when extra',
      'if enter',
      'show part',
      'show inner',
      'enable inner',
      'show code',
      'show more',
    ])
  })

  const rows: [name: string, looks: [Record<string, boolean>, string[]][], wanted: Record<string, string>][] = [
    [
      'without a look nothing is covered',
      [],
      {
        'when extra': 'both',
        'if enter': 'both',
        'show part': 'both',
        'show inner': 'both',
        'enable inner': 'both',
        'show code': 'both',
        'show more': 'both',
      },
    ],
    [
      'closed alone',
      [[page, []]],
      {
        'when extra': 'true',
        'if enter': 'both',
        'show part': 'true',
        'show inner': 'both',
        'enable inner': 'both',
        'show code': 'true',
        'show more': 'true',
      },
    ],
    [
      'open and closed',
      [
        [page, []],
        [{ ...page, part: true, inner: false, 'form-code': true, 'form-note': true }, ['shop.extra']],
      ],
      { 'if enter': 'both', 'show inner': 'false', 'enable inner': 'true' },
    ],
    [
      'everything except the action',
      [
        [page, []],
        [{ ...page, part: true }, ['shop.extra']],
        [{ ...page, part: true, inner: false, 'form-code': true, 'form-note': true }, []],
        [{ ...page, part: true, inner: true }, []],
      ],
      { 'if enter': 'both' },
    ],
  ]
  test.each(rows)('%s', (_, looks, wanted) => {
    const coverage = new Coverage(branches)
    for (const [nodes, made] of looks) coverage.note(look(nodes), new Set(made))
    expect(left(coverage)).toEqual(wanted)
  })

  test('another screen covers nothing', () => {
    const coverage = new Coverage(branches)
    coverage.note(look(page, 'other'), new Set(['shop.extra']))
    expect(coverage.count()).toEqual({ seen: 0, of: 14 })
  })
  test('an action is judged by the value of its condition, where that is known', () => {
    const coverage = new Coverage(branches)
    for (const truth of [true, false, undefined]) coverage.note(look(page), new Set(), () => truth)
    expect(left(coverage)).not.toHaveProperty('if enter')
    expect(coverage.unseen().find(({ of }) => of === 'part')).toMatchObject({ text: 'state.open', never: 'true', document: 'screen/home' })
  })
})
