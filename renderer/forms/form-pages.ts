import type { Scope } from '#language/expression/expression.ts'
import type { CompiledPage } from '#renderer/core/forms/form.ts'
import { mayShow } from '#renderer/core/forms/form-judge.ts'

/** The page of a form that shows, among those that may: pages whose condition does not hold are passed over. */
interface PageShot {
  page: CompiledPage
  /** Its place from 0, and the number of pages. */
  n: number
  count: number
}

/** The pages of an open form. */
export class FormPages {
  private readonly all: readonly CompiledPage[]
  private readonly scope: Scope
  private id: string
  private shot: PageShot | undefined
  private readonly wakes = new Set<() => void>()
  /** The focus goes to a field of the page that is turned to, not to its title. */
  toField = false

  constructor(pages: readonly CompiledPage[], scope: Scope) {
    this.all = pages
    this.scope = scope
    this.id = pages[0]?.id ?? ''
  }

  private get shown(): readonly CompiledPage[] {
    return this.all.filter(({ show }) => mayShow(show, this.scope))
  }

  readonly getSnapshot = (): PageShot => (this.shot ??= this.look())

  readonly subscribe = (wake: () => void): (() => void) => {
    this.wakes.add(wake)
    return () => this.wakes.delete(wake)
  }

  get isLast(): boolean {
    const { n, count } = this.getSnapshot()
    return n === count - 1
  }

  /** The pages before the one that shows. */
  get before(): readonly CompiledPage[] {
    return this.shown.slice(0, this.getSnapshot().n)
  }

  next(): void {
    this.show(this.shown[this.getSnapshot().n + 1])
  }

  back(): void {
    this.show(this.shown[this.getSnapshot().n - 1])
  }

  /** Turns to a page; undefined: stays. */
  show(page: CompiledPage | undefined, toField = false): void {
    if (!page || page.id === this.id) return
    this.id = page.id
    this.toField = toField
    this.refresh()
  }

  /**
   * Turns to the first page, or to one that the customer had come to.
   * @param isDone whether nothing stops the customer on a page
   */
  begin(id: string | undefined, isDone: (page: CompiledPage) => boolean): void {
    const wanted = this.all.findIndex((page) => page.id === id)
    const at = this.shown.find((page) => page.id === id || !isDone(page))
    this.show(wanted < 0 ? this.all[0] : at)
  }

  /** A condition may hold that did not. */
  refresh(): void {
    const before = this.shot
    if (!before) return
    const now = this.look()
    if (now.page === before.page && now.n === before.n && now.count === before.count) return
    this.shot = now
    for (const wake of this.wakes) wake()
  }

  private look(): PageShot {
    const { shown, all } = this
    const own = all.findIndex(({ id }) => id === this.id)
    // A page that is hidden while it shows gives way to the one before.
    const page = shown.findLast((one) => all.indexOf(one) <= own) ?? shown[0] ?? (all[0] as CompiledPage)
    this.id = page.id
    return { page, n: Math.max(0, shown.indexOf(page)), count: Math.max(1, shown.length) }
  }
}
