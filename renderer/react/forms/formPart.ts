import { toNestErrors } from '@hookform/resolvers'
import { createFormControl, type FieldError, type ResolverResult, type UseFormRegisterReturn } from 'react-hook-form'
import type { FormField } from '#renderer/forms/form-field.ts'
import type { FormControls, LiveForm } from '#renderer/forms/forms.ts'
import type { FieldHandle, NativeField } from '#renderer/react/forms/field.ts'
import type { View } from '#renderer/react/view.ts'

type Values = Record<string, unknown>

/** The controls of one open form, held by react-hook-form: it registers, reads and writes them. The form itself judges. */
export class FormPart implements FormControls {
  readonly live: LiveForm<View>
  /** Begins the ids of the controls. */
  readonly id: string
  private readonly rhf: ReturnType<typeof createFormControl<Values>>
  private readonly registered: ReadonlyMap<string, UseFormRegisterReturn>
  private readonly handles = new Map<string, FieldPart>()
  /** The element that takes the focus, for each field that is drawn. */
  private readonly elements = new Map<string, HTMLElement>()

  constructor(live: LiveForm<View>, id: string) {
    this.live = live
    this.id = id
    this.rhf = createFormControl<Values>({
      defaultValues: Object.fromEntries(live.fields.map(({ field, raw }) => [field.name, raw])),
      mode: 'onSubmit',
      reValidateMode: 'onSubmit',
      // It would move the focus twice, the second time a moment later, when somebody may have gone on with the keyboard.
      shouldFocusError: false,
      // The form judges field by field and keeps what it found; going through one schema of the whole form would do it all again.
      resolver: (values, _context, options): ResolverResult<Values> => {
        const wrong = live.check()
        if (wrong.length === 0) return { values, errors: {} }
        // The focus goes to a field that the customer can put right, before one that waits for data.
        const mendable = wrong.filter((one) => !one.finding()?.unjudged)
        const found = Object.fromEntries(
          (mendable.length ? mendable : wrong).map(({ field }): [string, FieldError] => [field.name, { type: field.type }]),
        )
        // Names of fields have no dots, so no entry is a list of others.
        return { values: {}, errors: toNestErrors<Values>(found, { ...options, names: [] }) }
      },
    })
    this.registered = new Map(live.fields.map(({ field }) => [field.name, this.rhf.register(field.name)]))
  }

  /** The field as its widget sees it. Made when it is first drawn. */
  part(field: FormField<View>): FieldPart {
    let part = this.handles.get(field.field.name)
    if (!part) this.handles.set(field.field.name, (part = new FieldPart(field, this)))
    return part
  }

  register(name: string): UseFormRegisterReturn {
    return this.registered.get(name) ?? this.rhf.register(name)
  }

  /** Returns the present value of the control. */
  read(name: string): unknown {
    return this.rhf.getValues(name)
  }

  write(name: string, raw: unknown): void {
    this.rhf.setValue(name, raw)
  }

  /** In the same task, so that a phone opens its keyboard; a field that shows since just now is not drawn yet. */
  focus(name: string): void {
    const element = this.elements.get(name)
    if (element) element.focus()
    else setTimeout(() => this.elements.get(name)?.focus())
  }

  isIn(name: string): boolean {
    const element = this.elements.get(name)
    return element?.contains(document.activeElement) ?? false
  }

  /** @param element null once it is no longer drawn */
  holds(name: string, element: HTMLElement | null): void {
    if (element) this.elements.set(name, element)
    else this.elements.delete(name)
  }

  /** Judges everything; sends when nothing is wrong, otherwise puts the focus on the first field that is. */
  submit(send: () => Promise<void>): Promise<void> {
    return this.rhf.handleSubmit(send, (errors) => {
      const first = this.live.fields.find(({ field }) => Object.hasOwn(errors, field.name))
      if (first) this.focus(first.field.name)
    })()
  }
}

/** One field between its form and its widget. */
export class FieldPart {
  readonly field: FormField<View>
  private readonly fixed: Pick<FieldHandle, 'name' | 'id' | 'accept' | 'focusRef' | 'get' | 'set' | 'blur'>
  private readonly native: Pick<NativeField, 'id' | 'name' | 'ref' | 'onChange' | 'onBlur'>
  private made: { from: unknown; handle: FieldHandle } | undefined

  constructor(field: FormField<View>, form: FormPart) {
    this.field = field
    const { name } = field.field
    const id = `${form.id}-${name}`
    const { live } = form
    const registered = form.register(name)
    const left = () => live.left(name)
    this.native = {
      id,
      name,
      ref(element) {
        form.holds(name, element)
        registered.ref(element)
      },
      onChange: (event) => {
        void registered.onChange(event)
        live.typed(name, form.read(name))
      },
      onBlur: left,
    }
    this.fixed = {
      name,
      id,
      accept: (yes) => field.tick(yes),
      focusRef(element) {
        form.holds(name, element)
        registered.ref(element && { name })
      },
      get: () => field.raw,
      set: (value) => {
        form.write(name, value)
        live.typed(name, value)
      },
      blur: left,
    }
  }

  /** A new handle only when something to draw changed. */
  handle(): FieldHandle {
    const shot = this.field.getSnapshot()
    if (this.made?.from === shot) return this.made.handle
    const { label, hint, required, enabled, problem, accepted } = shot
    const { id } = this.fixed
    const described = hint ? (problem ? `${id}-hint ${id}-problem` : `${id}-hint`) : problem ? `${id}-problem` : undefined
    const { raw } = this.field
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
        defaultValue: typeof raw === 'string' || typeof raw === 'number' ? String(raw) : '',
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
