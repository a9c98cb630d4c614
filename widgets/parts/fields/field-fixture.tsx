import { act, type ComponentType, createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { FieldHandle, ViewProps } from '#renderer/widget-api.ts'

/** The part of a form that tests of a field widget need. */

const Field = createContext<FieldHandle | undefined>(undefined)
type Upload = (file: File, options: { onProgress?: (fraction: number) => void; signal?: AbortSignal }) => Promise<{ url: string }>
let tag = 'en'
let upload: Upload = () => Promise.reject(new Error('this test gave no upload'))

/**
 * Replaces the engine's API: `vi.mock('#renderer/widget-api.ts', async () => (await
 * import('#widgets/parts/fields/field-fixture.tsx')).door)`.
 */
export const widgetApi = {
  lazy: <P extends object>(load: () => Promise<{ default: ComponentType<P> }>, meanwhile: (props: P) => ReactNode = () => null) => {
    const Loaded = lazy(load) as ComponentType<P>
    const Drawn = (props: P) => (
      <Suspense fallback={meanwhile(props)}>
        <Loaded {...props} />
      </Suspense>
    )
    return Object.assign(Drawn, { load, ready: () => undefined })
  },
  useField: () => useContext(Field) as FieldHandle,
  useEngineText: () => (key: string, args?: Record<string, unknown>) => (args ? `${key} ${Object.values(args).join(' ')}` : key),
  useClock: () => useState(() => Date.now())[0],
  useUpload: () => upload,
  useLayer: () => undefined,
  useFormat: () => ({ ago: (ms: number) => `${ms} ago`, price: (text: string) => text }),
  useLanguage: () => ({ id: tag, tag }),
}

interface Mounting {
  field?: Partial<FieldHandle>
  value?: unknown
  props?: object
  busy?: boolean
  listens?: (event: string) => boolean
  upload?: Upload
  /** BCP 47; English unless given. */
  tag?: string
}

export function fieldStage() {
  const box = document.createElement('div')
  document.body.replaceChildren(box)
  const app: Root = createRoot(box)
  const events: [string, unknown][] = []
  const accepted: boolean[] = []
  const state: { value: unknown; focus: HTMLElement | null; left: number } = { value: undefined, focus: null, left: 0 }

  return {
    box,
    events,
    accepted,
    state,
    /** Renders the widget with the given value, or again with its current value. */
    show(widget: (view: never) => ReactNode, given: Mounting = {}) {
      const View = widget as unknown as ComponentType<ViewProps>
      if ('value' in given) state.value = given.value
      tag = given.tag ?? 'en'
      if (given.upload) upload = given.upload
      const { label = 'Name', hint, problem, required = false, enabled = true } = given.field ?? {}
      const described = [hint && 'f-hint', problem && 'f-problem'].filter(Boolean).join(' ') || undefined
      const handle: FieldHandle = {
        name: 'f',
        id: 'f',
        label,
        hint,
        required,
        enabled,
        problem,
        accepted: given.field?.accepted ?? false,
        accept: (yes) => accepted.push(yes),
        native: {
          id: 'f',
          name: 'f',
          ref: () => undefined,
          defaultValue: typeof state.value === 'string' ? state.value : '',
          onChange: (event) => {
            state.value = event.target.value
          },
          onBlur: () => {
            state.left++
          },
          disabled: !enabled,
          'aria-required': required || undefined,
          'aria-invalid': problem?.level === 'error' || undefined,
          'aria-describedby': described,
        },
        focusRef: (element) => {
          state.focus = element
        },
        get: () => state.value,
        set: (value) => {
          state.value = value
        },
        blur: () => {
          state.left++
        },
      }
      const view = {
        root: { 'data-node': 'f' },
        props: given.props ?? {},
        emit: (event: string, value?: unknown) => events.push([event, value]),
        listens: given.listens ?? (() => true),
        busy: given.busy ?? false,
        enabled,
        status: 'ready',
        retry: () => undefined,
        slots: {},
      } as unknown as ViewProps
      act(() =>
        app.render(
          <Field value={handle}>
            <View {...view} />
          </Field>,
        ),
      )
    },
    end: () => act(() => app.unmount()),
    find: <T extends Element = HTMLElement>(selector: string): T => {
      const found = box.querySelector<T>(selector)
      if (!found) throw new Error(`${selector} is not in ${box.innerHTML}`)
      return found
    },
    button: (name: string): HTMLButtonElement => {
      const found = [...document.querySelectorAll('button')].find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name)
      if (!found) throw new Error(`no button "${name}" in ${document.body.innerHTML}`)
      return found
    },
    /** Simulates a key or a paste in a control. */
    type(text: string, inputType = 'insertText', control?: HTMLInputElement | HTMLTextAreaElement) {
      const input = control ?? (box.querySelector('input, textarea') as HTMLInputElement)
      act(() => {
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!.set!.call(input, text)
        input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }))
      })
    },
    /** Simulates a paste, a chip of a keyboard or dictation: a text replaces the selection, which is the end unless said otherwise. */
    insert(text: string, { type = 'insertText', from, to }: { type?: string; from?: number; to?: number } = {}) {
      const input = box.querySelector('input, textarea') as HTMLInputElement
      act(() => {
        const start = from ?? input.value.length
        input.setSelectionRange(start, to ?? start)
        input.dispatchEvent(new InputEvent('beforeinput', { bubbles: true, inputType: type, data: text }))
        const next = input.value.slice(0, start) + text + input.value.slice(to ?? start)
        Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!.set!.call(input, next)
        input.setSelectionRange(start + text.length, start + text.length)
        input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: type, data: text }))
      })
    },
    /** Simulates an input method, which composes a text in a control and ends with its last form. @returns what stood in the control after each of them */
    compose(...texts: string[]) {
      const input = box.querySelector('input, textarea') as HTMLInputElement
      const stood: string[] = []
      act(() => {
        input.dispatchEvent(new Event('compositionstart', { bubbles: true }))
        for (const text of texts) {
          Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), 'value')!.set!.call(input, text)
          input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertCompositionText', isComposing: true }))
          stood.push(input.value)
        }
        input.dispatchEvent(new Event('compositionend', { bubbles: true }))
      })
      return stood
    },
    key(key: string, control: Element, more: KeyboardEventInit = {}) {
      act(() => void control.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })))
    },
  }
}
