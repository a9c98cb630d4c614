import { act, type ComponentType, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach } from 'vitest'
import type { NodeStatus, ViewProps } from '#renderer/widget-api.ts'

interface ViewState {
  status?: NodeStatus
  enabled?: boolean
  /** Whether the document handles its events. */
  listens?: boolean
  slots?: object
}

/**
 * Renders one widget on an empty page in each test of a file.
 * @param fixed props of every test
 */
export function viewStage(widget: (view: never) => ReactNode, fixed: object = {}) {
  let app: Root
  let box: HTMLElement
  const events: [string, unknown][] = []
  const View = widget as unknown as ComponentType<ViewProps>
  beforeEach(() => {
    events.length = 0
    box = document.createElement('div')
    document.body.replaceChildren(box)
    app = createRoot(box)
  })
  afterEach(() => act(() => app.unmount()))
  return {
    /** Events of the widget since the start of the test, each with its value, or `retry`. */
    events,
    get box() {
      return box
    },
    /** Renders the widget, or renders it again with other props. */
    show(props: object, { status = 'ready', enabled = true, listens = true, slots = {} }: ViewState = {}) {
      const view = {
        root: { 'data-node': 'view' },
        props: { ...fixed, ...props },
        emit: (event: string, value?: unknown) => events.push([event, value]),
        listens: () => listens,
        busy: false,
        enabled,
        status,
        retry: () => events.push(['retry', undefined]),
        slots,
      } as unknown as ViewProps
      act(() => app.render(<View {...view} />))
    },
  }
}
