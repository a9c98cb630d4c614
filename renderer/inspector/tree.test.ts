import { describe, expect, test } from 'vitest'
import type { ScreenDoc } from '#language/documents/documents.ts'
import { compileScreen } from '#renderer/core/compile.ts'
import { NodeModel } from '#renderer/core/model.ts'
import { createRegistry } from '#renderer/core/registry.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import { flat, sourcesOf, treeOf, wayTo, writtenNode } from '#renderer/inspector/tree.ts'

const widget = (type: string) => ({
  type,
  major: 1,
  props: 0,
  events: [],
  slots: { body: {} },
  label: null,
  states: { loading: 'none', error: 'none', stale: 'none' } as const,
  view: 0,
})
const doc: ScreenDoc = {
  kind: 'screen',
  id: 's',
  format: 1,
  state: { rows: Array.from({ length: 20 }, (_, i) => ({ id: `r${i}` })) },
  body: [
    {
      id: 'box',
      widget: 'box',
      slots: {
        body: [
          { id: 'hidden', widget: 'box', show: false },
          { id: 'row', widget: 'box', repeat: { each: { $: 'state.rows' }, key: 'id' }, slots: { body: [{ id: 'inner', widget: 'box' }] } },
        ],
      },
    },
    { id: 'unmounted', widget: 'box' },
  ],
}

/** Every node of the screen as views would make them, children before their parents; `but` are not drawn. */
function stand(but: readonly string[] = []) {
  const host = { say: String, statusOf: () => undefined, onClosed: () => undefined, onStopped: () => undefined, screen: doc }
  const screen = compileScreen(doc, createRegistry([widget('box')]))
  const store = new ScreenStore({ get: () => undefined, subscribe: () => () => undefined }, {}, doc.state ?? {})
  const live: NodeModel[] = []
  const make = (node: NodeModel['node'], scope: NodeModel['scope']): void => {
    if (but.includes(node.id)) return
    const model = new NodeModel(node, scope, host)
    if (model.getSnapshot().shown)
      for (const slot of Object.keys(node.slots)) for (const one of model.standing(slot)) make(one.node, one.scope)
    live.push(model)
  }
  make(screen.root as NodeModel['node'], store)
  return live
}

describe('the tree of what stands', () => {
  const trunks = treeOf(stand(['unmounted']))
  const all = flat(trunks.flatMap(({ roots }) => roots))

  test('has the shape of the document, with rows by their keys', () => {
    expect(trunks.map(({ screen }) => screen)).toEqual(['s'])
    expect(trunks[0]?.roots.map(({ id }) => id)).toEqual(['box', 'unmounted'])
    expect(all.slice(0, 5).map(({ path }) => path)).toEqual([
      's/box',
      's/box/hidden',
      's/box/row[r0]',
      's/box/row[r0]/inner',
      's/box/row[r1]',
    ])
  })
  test('tells what is hidden from what is not drawn', () => {
    expect(all.find(({ id }) => id === 'hidden')?.model?.getSnapshot().shown).toBe(false)
    expect(all.find(({ id }) => id === 'unmounted')?.model).toBeUndefined()
  })
  test('lists some rows and counts the others', () => {
    expect(all.filter(({ id }) => id === 'row')).toHaveLength(12)
    expect(trunks[0]?.roots[0]?.further).toBe(8)
  })
  test('stands each node once', () => {
    expect(new Set(all.map(({ path }) => path)).size).toBe(all.length)
  })
  test.each([
    ['s/box/row[r1]/inner', ['box', 'row', 'inner']],
    ['s/box', ['box']],
    ['s/gone', []],
    ['', []],
  ])('the way to %j', (path, ids) => {
    expect(wayTo(trunks, path).map(({ id }) => id)).toEqual(ids)
  })
  test('what nobody holds stands alone', () => {
    const [alone] = stand().filter(({ node }) => node.id === 'unmounted')
    expect(treeOf(alone ? [alone] : []).map(({ screen, roots }) => [screen, roots.map(({ id }) => id)])).toEqual([['s', ['unmounted']]])
  })
  test.each([
    ['inner', 'box'],
    ['gone', undefined],
  ])('%s is found as it is written', (id, type) => {
    expect(writtenNode(doc.body, id)?.widget).toBe(type)
  })
})

test('every data source of a screen is listed, whether a node uses it or not', () => {
  const host = {
    say: String,
    onClosed: () => undefined,
    onStopped: () => undefined,
    statusOf: (name: string) => (name === 'idle' ? undefined : ({ status: 'ready' } as never)),
    screen: { ...doc, data: { used: { call: 'a' }, unused: { call: 'b' }, idle: { call: 'c' } } },
  }
  const screen = compileScreen(doc, createRegistry([widget('box')]))
  const store = new ScreenStore({ get: () => undefined, subscribe: () => () => undefined }, {}, {})
  const model = new NodeModel(screen.root as NodeModel['node'], store, host)
  expect([...sourcesOf([model])]).toEqual([
    ['used', 'ready'],
    ['unused', 'ready'],
    ['idle', 'idle'],
  ])
})
