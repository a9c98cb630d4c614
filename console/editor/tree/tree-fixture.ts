import type { WidgetManifest } from '#language/types/catalog.ts'

const widget = (type: string, slots: WidgetManifest['slots'] = {}): WidgetManifest => ({
  type,
  major: 1,
  props: { type: 'object', properties: {} },
  events: [],
  slots,
  label: null,
  states: {},
})

/** Some widgets with slots of each kind. */
export const widgets: WidgetManifest[] = [
  widget('page', { head: {}, body: {}, foot: {} }),
  widget('nav-bar', { right: { max: 1 } }),
  widget('section', { body: {} }),
  widget('row'),
  widget('text'),
  widget('table', { row: { allow: ['table-row'] } }),
  widget('table-row'),
]

/** A page with two children, one of which has two rows, and a fragment. */
export const screen = {
  kind: 'screen',
  id: 'demo',
  body: [
    {
      id: 'page',
      widget: 'page',
      slots: {
        head: [{ id: 'bar', widget: 'nav-bar' }],
        body: [
          {
            id: 'part',
            widget: 'section',
            slots: {
              body: [
                { id: 'one', widget: 'row' },
                { id: 'two', widget: 'row' },
              ],
            },
          },
          { use: 'help' },
        ],
      },
    },
  ],
}
