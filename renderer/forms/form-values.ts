import { createFormControl } from 'react-hook-form'

type Values = Record<string, unknown>

/**
 * The entries of one open form, and the only place that holds them. Rows are field arrays of react-hook-form. Controls are not registered with
 * it, because it would write each entry again when its control is mounted; and it judges nothing: the form does.
 */
export class FormValues {
  readonly rhf = createFormControl<Values>({ shouldFocusError: false })

  /** Takes the entries with which the form opens. */
  begin(values: Values): void {
    this.rhf.reset(values)
    // As its own hook does: from here on the entries count, not the defaults.
    this.rhf.control._state.mount = true
  }

  /** @param name of a field, or the name, index and field of a row */
  read(name: string, index?: number, cell = ''): unknown {
    const held: unknown = this.rhf.control._formValues[name]
    return index === undefined ? held : (held as readonly Values[] | undefined)?.[index]?.[cell]
  }

  /** Writes an entry. @param path `price`, or `exits.0.price` */
  write(path: string, raw: unknown): void {
    this.rhf.setValue(path, raw)
  }
}
