import fc from 'fast-check'
import { act } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod'
import type { ScreenDoc } from '#language/documents/documents.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { mountScreen } from '#renderer/react/engine-fixture.tsx'
import type { View, ViewProps } from '#renderer/react/view.ts'
import { defineWidget } from '#renderer/widget-api.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

interface Row {
  id: string
  text: string
}
let next: readonly Row[] = []
const drawn = { rows: 0 }

/** Draws all rows as the engine gives them, and `plain` one by one, without groups. */
const list = (type: string, draw: (slot: ViewProps<object, never, 'body'>['slots']['body']) => React.ReactNode) =>
  defineWidget({
    type,
    props: z.object({}),
    slots: { body: {} },
    view: ({ root, slots }: ViewProps<object, never, 'body'>) => <div {...root}>{draw(slots.body)}</div>,
  })
const grouped = list('grouped', (body) => body.all())
const plain = list('plain', (body) => Array.from({ length: body.count }, (_, i) => body.render(i)))
const line = defineWidget({
  type: 'line',
  props: z.object({ text: z.string() }),
  view: ({ root, props }: ViewProps<{ text: string }>) => {
    drawn.rows++
    return (
      <p {...root}>
        <button type="button">{props.text}</button>
        <button type="button">more</button>
      </p>
    )
  },
})
const go = defineWidget({
  type: 'go',
  props: z.object({}),
  events: ['press'],
  view: ({ root, emit }: ViewProps<object, 'press'>) => <button {...root} type="button" onClick={() => emit('press', next)} />,
})
const widgets = [grouped, plain, line, go] as readonly Widget<View>[]

const rows = (widget: string, key: string): ScreenDoc['body'][number] => ({
  id: widget,
  widget,
  slots: {
    body: [
      { id: 'head', widget: 'line', props: { text: 'head' } },
      { id: 'row', widget: 'line', repeat: { each: { $: 'state.rows' }, key }, props: { text: { $: 'item.text' } } },
      { id: 'foot', widget: 'line', props: { text: 'foot' } },
    ],
  },
})
const body: ScreenDoc['body'] = [
  rows('grouped', 'id'),
  rows('plain', 'id'),
  { id: 'go', widget: 'go', on: { press: [{ set: { 'state.rows': { $: { var: 'value' } } } }] } },
]

const rowOf = (n: number): Row => ({ id: `r${n}`, text: `Row ${n}` })
const many = (count: number) => Array.from({ length: count }, (_, n) => rowOf(n))

let open: Awaited<ReturnType<typeof mountScreen>> | undefined
afterEach(async () => {
  await open?.end()
  open = undefined
  document.body.replaceChildren()
})

async function mount(first: readonly Row[]) {
  const screen = await mountScreen({ widgets, doc: { state: { rows: first as never }, body } })
  open = screen
  const show = async (to: readonly Row[]) => {
    next = to
    drawn.rows = 0
    await screen.press('go')
    await screen.settle()
  }
  const rowIn = (id: string) => screen.node('grouped')?.querySelector<HTMLElement>(`[data-key="${id}"]`)
  const html = (id: string) => screen.node(id)?.innerHTML
  return {
    show,
    rowIn,
    html,
    ids: () => [...(screen.node('grouped')?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].map((one) => one.dataset.key),
  }
}

describe('rows in groups', () => {
  test('are the same page as rows without groups, after any edits; what keeps its place keeps its element', async () => {
    const screen = await mount(many(60))
    let now: readonly Row[] = many(60)
    let made = 60
    const edit = fc.record({ kind: fc.constantFrom('insert', 'remove', 'move', 'filter', 'sort', 'change'), at: fc.nat(), to: fc.nat() })
    for (const { kind, at, to } of fc.sample(edit, { seed: 51, numRuns: 20 })) {
      const place = at % (now.length + 1)
      const row = now[place]
      const others = now.filter((one) => one !== row)
      const still = kind === 'insert' || kind === 'remove' || kind === 'filter' || kind === 'change'
      if (kind === 'insert') now = now.toSpliced(place, 0, ...Array.from({ length: (to % 30) + 1 }, () => rowOf(made++)))
      if (kind === 'remove') now = others
      if (kind === 'move' && row) now = others.toSpliced(to % now.length, 0, row)
      if (kind === 'filter') now = now.filter((_, i) => (i + to) % 5 > 0)
      if (kind === 'sort')
        now = now.toSorted((a, b) => ((Number(a.id.slice(1)) * 7919 + to) % 101) - ((Number(b.id.slice(1)) * 7919 + to) % 101))
      if (kind === 'change' && row) now = now.with(place, { ...row, text: `${row.text}!` })
      const before = new Map(now.map(({ id }) => [id, screen.rowIn(id)]))
      await screen.show(now)
      expect(screen.ids()).toEqual(now.map(({ id }) => id))
      expect(screen.html('grouped')).toBe(screen.html('plain'))
      if (still) for (const { id } of now) expect(before.get(id) ?? screen.rowIn(id)).toBe(screen.rowIn(id))
    }
  })

  test('draw a row that comes, and one that changes, alone', async () => {
    const screen = await mount(many(100))
    await screen.show([rowOf(100), ...many(100)])
    // Once in each of the two lists.
    expect(drawn.rows).toBe(2)
    await screen.show([rowOf(100), ...many(100).with(50, { id: 'r50', text: 'other' })])
    expect(drawn.rows).toBe(2)
    expect(screen.rowIn('r50')?.textContent).toBe('othermore')
  })

  test('take the focus with them when they move past other groups', async () => {
    const screen = await mount(many(100))
    const button = screen.rowIn('r99')?.querySelectorAll('button')[1]
    act(() => button?.focus())
    await screen.show([rowOf(99), ...many(99)])
    expect(screen.ids()[0]).toBe('r99')
    expect(document.activeElement).toBe(screen.rowIn('r99')?.querySelectorAll('button')[1])
  })

  test('leave the focus where it is when other rows move', async () => {
    const screen = await mount(many(100))
    const button = screen.rowIn('r50')?.querySelector('button')
    act(() => button?.focus())
    await screen.show([rowOf(99), ...many(99)])
    await screen.show([rowOf(100), rowOf(99), ...many(99)])
    expect(document.activeElement).toBe(button)
  })
})
