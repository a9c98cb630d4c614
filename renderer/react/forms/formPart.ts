import type { ReactNode } from 'react'
import type { FormField } from '#renderer/forms/form-field.ts'
import type { FormControls } from '#renderer/forms/form-world.ts'
import type { LiveForm } from '#renderer/forms/forms.ts'
import type { RowsField } from '#renderer/forms/rows-field.ts'
import type { FieldHandle, NativeField } from '#renderer/react/forms/field.ts'
import type { View } from '#renderer/react/view.ts'

/** The controls of one open form. react-hook-form holds their entries, and the form judges. */
export class FormPart implements FormControls {
  readonly live: LiveForm<View>
  /** Begins the ids of the controls. */
  readonly id: string
  private readonly handles = new Map<FormField<View>, FieldPart>()
  /** The element that takes the focus, for each field that is drawn. */
  private readonly elements = new Map<FormField<View>, HTMLElement>()
  /** Draws a field; set by what draws the form. */
  draw: (field: FormField<View>) => ReactNode = () => null

  constructor(live: LiveForm<View>, id: string) {
    this.live = live
    this.id = id
  }

  get control() {
    return this.live.entries.rhf.control
  }

  /** The field as its widget sees it. Made when it is first drawn, and again when its row has moved. */
  part(field: FormField<View>): FieldPart {
    let part = this.handles.get(field)
    if (part?.path !== field.path) this.handles.set(field, (part = new FieldPart(field, this)))
    return part
  }

  /** In the same task, so that a phone opens its keyboard; a field that shows since just now is not drawn yet. */
  focus(field: FormField<View>): void {
    const element = this.elements.get(field)
    if (element) element.focus()
    else setTimeout(() => this.elements.get(field)?.focus())
  }

  fillIn(field: FormField<View>): void {
    this.handles.get(field)?.fillIn()
  }

  isIn(field: FormField<View>): boolean {
    return this.elements.get(field)?.contains(document.activeElement) ?? false
  }

  /** @param element null once it is no longer drawn */
  holds(field: FormField<View>, element: HTMLElement | null): void {
    if (element) this.elements.set(field, element)
    else this.elements.delete(field)
  }

  /**
   * Judges the page, and turns to the next; on the last one, and without pages, judges everything and sends. The focus goes to the
   * first wrong field that the customer can put right, on its page.
   */
  async submit(send: () => Promise<void>): Promise<void> {
    const { live } = this
    const { pages } = live
    const isOnTheWay = pages?.isLast === false
    const wrong = live.check(isOnTheWay ? pages.getSnapshot().page : undefined)
    const first = wrong.find((one) => !one.finding()?.unjudged) ?? wrong[0]
    if (first) {
      pages?.show(first.field.page, true)
      this.focus(first)
    } else if (isOnTheWay) pages.next()
    else await send()
  }
}

/** One field between its form and its widget. */
export class FieldPart {
  readonly field: FormField<View>
  readonly path: string
  private readonly fixed: Pick<FieldHandle, 'name' | 'id' | 'accept' | 'focusRef' | 'get' | 'set' | 'blur' | 'rows'>
  private readonly native: Pick<NativeField, 'id' | 'name' | 'ref' | 'onChange' | 'onBlur'>
  private made: { from: unknown; handle: FieldHandle } | undefined
  private control: Parameters<NativeField['ref']>[0] = null

  constructor(field: FormField<View>, form: FormPart) {
    this.field = field
    this.path = field.path
    const { name, type } = field.field
    const { path } = this
    const id = `${form.id}-${field.form.idOf(name)}`
    const { live } = form
    const left = () => live.left(field)
    this.native = {
      id,
      name: path,
      ref: (element) => {
        form.holds(field, element)
        this.control = element
        this.fillIn()
      },
      onChange: (event) => {
        const before = field.raw
        live.entries.write(path, event.target.value)
        live.typed(field, before)
      },
      onBlur: left,
    }
    this.fixed = {
      name,
      id,
      accept: (yes) => field.tick(yes),
      focusRef: (element) => form.holds(field, element),
      get: () => field.raw,
      set: (value) => {
        const before = field.raw
        live.entries.write(path, value)
        this.fillIn()
        live.typed(field, before)
      },
      blur: left,
      ...(type === 'rows' && { rows: { field: field as RowsField<View>, form } }),
    }
  }

  /** Writes the entry into the native control, which is not drawn again for it. */
  fillIn(): void {
    const text = textOf(this.field.raw)
    if (this.control && this.control.value !== text) this.control.value = text
  }

  /** A new handle only when something to draw changed. */
  handle(): FieldHandle {
    const shot = this.field.getSnapshot()
    if (this.made?.from === shot) return this.made.handle
    const { label, hint, required, enabled, problem, accepted } = shot
    const { id } = this.fixed
    const described = hint ? (problem ? `${id}-hint ${id}-problem` : `${id}-hint`) : problem ? `${id}-problem` : undefined
    const handle: FieldHandle = {
      ...this.fixed,
      label,
      hint,
      required,
      enabled,
      problem,
      accepted,
      native: {
        ...this.native,
        defaultValue: textOf(this.field.raw),
        disabled: !enabled,
        'aria-required': required || undefined,
        'aria-invalid': problem?.level === 'error' || undefined,
        'aria-describedby': described,
      },
    }
    this.made = { from: shot, handle }
    return handle
  }
}

const textOf = (raw: unknown) => (typeof raw === 'string' || typeof raw === 'number' ? String(raw) : '')
