import { limits } from '#language/documents/limits.ts'
import type { Scope } from '#language/expression/expression.ts'
import type { CompiledField } from '#renderer/core/forms/form.ts'
import type { JudgeScope } from '#renderer/core/forms/form-judge.ts'
import type { Say } from '#renderer/core/resolve.ts'
import { drawnOf, overlay } from '#renderer/core/scope.ts'
import { type FieldHome, FormField } from '#renderer/forms/form-field.ts'

/** The entries of one row, by field. */
type RowEntries = Record<string, unknown>
/** The form around a field with rows. */
interface RowsHome extends FieldHome {
  readonly entries: { read(name: string, index?: number, cell?: string): unknown }
}

const listOf = (raw: unknown): readonly RowEntries[] =>
  Array.isArray(raw) ? raw.filter((row): row is RowEntries => typeof row === 'object' && row !== null && !Array.isArray(row)) : []

let keys = 0

/** One row: its fields read each other as `item.<name>`, and the place of the row as `index`. */
export class LiveRow<View> implements FieldHome {
  /** Stays the same when the row moves. */
  readonly key = ++keys
  readonly cells: readonly FormField<View>[]
  readonly say: Say
  index: number
  private readonly rows: RowsField<View>

  constructor(rows: RowsField<View>, index: number) {
    this.rows = rows
    this.index = index
    this.say = rows.form.say
    this.cells = rows.field.cells.map((field) => new FormField(field, this))
    for (const cell of this.cells) cell.initial = cell.raw
  }

  get(root: string): unknown {
    return root === 'item' ? this.values() : root === 'index' ? this.index : this.rows.form.get(root)
  }

  get drawn(): Scope {
    const outer = drawnOf(this.rows.form)
    return outer === this.rows.form ? this : overlay(outer, { item: this.values(), index: this.index })
  }

  readonly judging: JudgeScope = {
    get: (root) => (root === 'item' ? this.shownValues() : root === 'index' ? this.index : this.rows.form.judging.get(root)),
    awaits: (name) => (name.startsWith('item.') ? (this.cell(name.slice(5))?.awaited() ?? false) : this.rows.form.judging.awaits(name)),
    amount: (text) => this.rows.form.judging.amount(text),
  }

  values(): RowEntries {
    return Object.fromEntries(this.cells.map((cell) => [cell.field.name, cell.value()]))
  }

  shownValues(): RowEntries {
    return Object.fromEntries(this.cells.flatMap((cell) => (cell.shown() ? [[cell.field.name, cell.value()]] : [])))
  }

  cell(name: string): FormField<View> | undefined {
    return this.cells.find(({ field }) => field.name === name)
  }

  subscribe(topic: string, wake: () => void): () => void {
    return this.rows.form.subscribe(topic, wake)
  }

  metaChanged(): void {
    this.rows.form.metaChanged()
  }

  entry(name: string): unknown {
    return this.rows.form.entries.read(this.rows.field.name, this.index, name)
  }

  pathOf(name: string): string {
    return `${this.rows.field.name}.${this.index}.${name}`
  }

  idOf(name: string): string {
    return `${this.rows.field.name}-${this.key}-${name}`
  }

  after(field: FormField<View>): void {
    for (const cell of this.cells) {
      if (cell === field) continue
      cell.doubt()
      cell.refresh()
    }
    this.rows.changed(undefined, true)
    this.rows.form.after(this.rows)
  }
}

/** A field of type rows: its value is a list of records, and it stops the form when one of its fields does. */
export class RowsField<View = unknown> extends FormField<View> {
  declare readonly form: RowsHome
  private lines: LiveRow<View>[] = []
  /** The rows at the time when the form was sent. */
  private leaving: unknown

  /** @param form holds the entries of its rows */
  constructor(field: CompiledField<View>, form: RowsHome) {
    super(field, form)
  }

  /** Its rows now: as many as there are entries. */
  get rows(): readonly LiveRow<View>[] {
    const count = listOf(this.raw).length
    while (this.lines.length < count) this.lines.push(new LiveRow(this, this.lines.length))
    this.lines.length = count
    return this.lines
  }

  private get cells(): readonly FormField<View>[] {
    return this.rows.flatMap(({ cells }) => cells)
  }

  override get dirty(): boolean {
    return JSON.stringify(this.raw) !== JSON.stringify(this.initial)
  }

  override value(): unknown {
    const rows = this.rows.map((row) => row.values())
    return rows.length > 0 ? rows : null
  }

  override shownValue(): unknown {
    const rows = this.rows.map((row) => row.shownValues())
    return rows.length > 0 ? rows : null
  }

  /** Without a value it begins with as many rows as it needs. */
  override rawOf(value: unknown): unknown {
    const { doc, cells } = this.field
    const least = Number(typeof doc.min === 'number' || typeof doc.min === 'string' ? doc.min : 0) || 0
    const given: readonly RowEntries[] = Array.isArray(value)
      ? listOf(value)
      : Array.from({ length: Math.min(least, limits.rowsMax) }, () => ({}))
    return given.slice(0, limits.rowsMax).map((row) => {
      const entries = cells.map((cell) => [cell.name, Object.hasOwn(row, cell.name) ? rawOfCell(cell, row[cell.name]) : this.startOf(cell)])
      return Object.fromEntries(entries)
    })
  }

  /** The entries of a row that is added. */
  newRow(): RowEntries {
    return Object.fromEntries(this.field.cells.map((cell) => [cell.name, this.startOf(cell)]))
  }

  private startOf(cell: CompiledField<View>): unknown {
    return rawOfCell(cell, cell.default?.evaluate(this.form, this.form.say).value)
  }

  /**
   * Adds, removes or moves rows.
   * @param write does so among the entries
   * @param order the same for the rows
   */
  arrange(write: () => void, order: (rows: LiveRow<View>[]) => void): void {
    order(this.rows as LiveRow<View>[])
    write()
    for (const [index, row] of this.rows.entries()) row.index = index
    this.changed(undefined, true)
    for (const cell of this.cells) {
      cell.doubt()
      cell.refresh()
    }
    this.form.after(this)
  }

  override changed(before: unknown, fromControl: boolean): void {
    if (!fromControl) this.lines = []
    super.changed(before, fromControl)
  }

  override part(row: number | undefined, name: string | undefined): FormField<View> | undefined {
    return row === undefined || name === undefined ? this : this.rows[row]?.cell(name)
  }

  override stops(): boolean {
    return super.stops() || this.cells.some((cell) => cell.stops())
  }

  override wrong(): readonly FormField<View>[] {
    const cells = this.shown() ? this.cells.filter((cell) => cell.stops()) : []
    return super.stops() ? [...cells, this] : cells
  }

  override doubt(): void {
    super.doubt()
    for (const cell of this.cells) cell.doubt()
  }

  override refresh(): void {
    super.refresh()
    for (const cell of this.cells) cell.refresh()
  }

  override show(): void {
    super.show()
    for (const cell of this.cells) cell.show()
  }

  override tell(text: string | undefined): void {
    super.tell(text)
    if (text === undefined) for (const cell of this.cells) cell.tell(undefined)
  }

  override leave(): void {
    this.leaving = structuredClone(this.raw)
    super.leave()
  }

  override arrive(): void {
    this.initial = this.leaving ?? structuredClone(this.raw)
    if (!this.dirty) {
      this.judged = false
      for (const cell of this.cells) cell.arrive()
    }
    this.refresh()
  }
}

function rawOfCell({ type }: CompiledField, value: unknown): unknown {
  if (value === undefined || value === null) return type === 'boolean' ? false : ''
  return typeof value === 'number' ? String(value) : value
}
