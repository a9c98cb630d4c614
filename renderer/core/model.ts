import { limits } from '#language/documents/limits.ts'
import type { StopReason } from '#language/expression/run.ts'
import type { CompiledNode } from '#renderer/core/compile.ts'
import { type Resolved, resolve, type Say, type StatusOf } from '#renderer/core/resolve.ts'
import { type RowGroup, regroup } from '#renderer/core/row-groups.ts'
import { drawnOf, FormScope, type LiveScope, RowScope } from '#renderer/core/scope.ts'

/** The part of the screen that a node's model needs. */
export interface ModelHost {
  say: Say
  statusOf: StatusOf
  onClosed: (node: string, what: string, missing: readonly string[]) => void
  /** A limit of expressions has ended the evaluation of a prop, a guard or the list of a repeat. */
  onStopped: (node: string, what: string, reason: StopReason) => void
}

/** The state that a view is drawn from. A new object only when something to draw changed. */
export interface Shot extends Resolved {
  busy: boolean
  /** Grows when rows came, went or moved; a change inside a row does not touch it. */
  rows: number
}

interface Repeated {
  key: string
  as?: string | undefined
}

/** Rows of one repeated child. A row keeps its scope as long as its key stays. */
class Rows<View> {
  keys: readonly string[] = []
  scopes: RowScope[] = []
  private groups: readonly RowGroup<Standing<View>>[] = []
  private grouped: readonly string[] | undefined
  /** The limit that the list is beyond: an error stands in place of its rows. */
  stopped: StopReason | undefined
  private byKey = new Map<string, RowScope>()
  private stale = false

  /**
   * @param stale the rows come from data that answers other arguments than the present ones
   * @returns true when keys changed
   */
  update(list: readonly unknown[], { key: keyName, as }: Repeated, outer: LiveScope, stale: boolean): boolean {
    const { length } = list
    const turned = stale !== this.stale
    this.stale = stale
    if (length === this.keys.length && !turned) {
      const changed = this.changed(list, keyName, length)
      if (changed) {
        for (const i of changed) this.scopes[i]!.update(list[i], i, stale)
        return false
      }
    }
    const before = this.keys
    const next = new Map<string, RowScope>()
    const keys: string[] = []
    for (let i = 0; i < length; i++) {
      let key = keyOf(list[i], keyName, i)
      if (next.has(key)) key = `${key}#${i}`
      const scope = this.byKey.get(key) ?? new RowScope(outer, list[i], i, as)
      scope.update(list[i], i, stale)
      next.set(key, scope)
      keys.push(key)
    }
    this.byKey = next
    this.keys = keys
    this.scopes = [...next.values()]
    return !turned || keys.length !== before.length || keys.some((key, i) => key !== before[i])
  }

  standing(node: CompiledNode<View>): Standing<View>[] {
    return this.keys.map((key, i) => ({ node, scope: this.scopes[i]!, key, row: true }))
  }

  /** The same in groups, for who draws all of them. */
  inGroups(node: CompiledNode<View>): readonly RowGroup<Standing<View>>[] {
    if (this.grouped !== this.keys) this.groups = regroup(this.groups, this.standing(node))
    this.grouped = this.keys
    return this.groups
  }

  /** Places whose object is another while every key stays; undefined when a key moved. The same object has the same key. */
  private changed(list: readonly unknown[], keyName: string, length: number): number[] | undefined {
    const { scopes, keys } = this
    const places: number[] = []
    for (let i = 0; i < length; i++) {
      if (scopes[i]!.item === list[i]) continue
      if (keys[i] !== keyOf(list[i], keyName, i)) return undefined
      places.push(i)
    }
    return places
  }
}

function keyOf(item: unknown, name: string, index: number): string {
  if (typeof item !== 'object' || item === null) return `${String(item)}`
  const key = Object.hasOwn(item, name) ? (item as Record<string, unknown>)[name] : undefined
  return key === undefined ? `#${index}` : String(key)
}

/** One child that stands in a slot: a node, or one row of a repeated node. */
export interface Standing<View> {
  node: CompiledNode<View>
  scope: LiveScope
  key: string
  row: boolean
  /** Its rows cannot be worked out: the error state stands in their place. */
  stopped?: StopReason
}

/** All rows of a repeated node. */
export interface StandingRows<View> {
  node: CompiledNode<View>
  groups: readonly RowGroup<Standing<View>>[]
}

/** Hears of every model that begins or ends to be shown. */
type ModelWatcher = (model: NodeModel, live: boolean) => void

/** The live side of one node: what it shows now, who wants to know, and the rows in its slots. */
export class NodeModel<View = unknown, Host extends ModelHost = ModelHost> {
  /** Set by tools of developers before the first screen stands; nobody watches otherwise. */
  static watcher: ModelWatcher | undefined
  readonly node: CompiledNode<View>
  readonly scope: LiveScope
  /** The scope of what stands in its slots. */
  private readonly inner: LiveScope
  readonly host: Host
  private readonly rows: Map<CompiledNode<View>, Rows<View>> | undefined
  private shot: Shot
  private wake: (() => void) | undefined
  private closedReported = false
  private stopReported = false
  private seen: number

  constructor(node: CompiledNode<View>, scope: LiveScope, host: Host) {
    this.node = node
    this.scope = scope
    this.host = host
    this.inner = node.isForm ? new FormScope(scope, node.id) : scope
    if (node.repeated.length) {
      this.rows = new Map(node.repeated.map((child) => [child, new Rows<View>()]))
      this.updateRows()
    }
    this.seen = scope.version ?? 0
    this.shot = { ...this.resolve(undefined), busy: false, rows: 0 }
  }

  subscribe(wake: () => void): () => void {
    this.wake = wake
    const offs = this.node.topics.map((topic) => this.scope.subscribe(topic, this.refresh))
    for (const source of this.node.sources) offs.push(this.scope.subscribe(`$status.${source}`, this.refresh))
    // Between drawing and subscribing something may have changed; a row knows by its version when nothing has.
    if (!this.node.rowOnly || this.scope.version !== this.seen) this.refresh()
    NodeModel.watcher?.(this as NodeModel, true)
    return () => {
      for (const off of offs) off()
      this.wake = undefined
      NodeModel.watcher?.(this as NodeModel, false)
    }
  }

  getSnapshot(): Shot {
    return this.shot
  }

  setBusy(busy: boolean): void {
    if (this.shot.busy === busy) return
    this.shot = { ...this.shot, busy }
    this.wake?.()
  }

  /** Children of a slot in order, repeats unrolled. */
  standing(slot: string): Standing<View>[] {
    return (this.node.slots[slot] ?? []).flatMap((child) => this.rowsOf(child)?.standing(child) ?? [this.single(child)])
  }

  /** Children of a slot in order, the rows of each repeat in groups. */
  standingInGroups(slot: string): (Standing<View> | StandingRows<View>)[] {
    return (this.node.slots[slot] ?? []).map((child) => {
      const rows = this.rowsOf(child)
      return rows ? { node: child, groups: rows.inGroups(child) } : this.single(child)
    })
  }

  /** Rows of a child; undefined for one that is not repeated, or whose rows cannot be worked out. */
  private rowsOf(child: CompiledNode<View>): Rows<View> | undefined {
    const rows = this.rows?.get(child)
    return rows?.stopped === undefined ? rows : undefined
  }

  private single(child: CompiledNode<View>): Standing<View> {
    const stopped = this.rows?.get(child)?.stopped
    const standing = { node: child, scope: this.inner, key: child.id, row: false }
    return stopped === undefined ? standing : { ...standing, stopped }
  }

  private readonly refresh = (): void => {
    const before = this.shot
    const moved = this.updateRows()
    const now = this.resolve(before)
    this.seen = this.scope.version ?? 0
    if (!moved && now === before) return
    this.shot = { ...now, busy: before.busy, rows: before.rows + (moved ? 1 : 0) }
    this.wake?.()
  }

  private resolve(before: Resolved | undefined): Resolved {
    return resolve(this.node, this.scope, this.host.say, this.host.statusOf, before, this)
  }

  /** A guard is closed because its inputs are missing; reported once. */
  onClosed(what: 'show' | 'enable', missing: readonly string[]): void {
    if (this.closedReported) return
    this.closedReported = true
    this.host.onClosed(this.node.id, what, missing)
  }

  /** A limit ended an evaluation; reported once. */
  onStopped(what: string, reason: StopReason, node: string = this.node.id): void {
    if (this.stopReported) return
    this.stopReported = true
    this.host.onStopped(node, what, reason)
  }

  /** Rows of rows are as old as the row that they stand in. */
  private areStale(repeat: CompiledNode<View>['repeat']): boolean {
    if (!repeat) return false
    const inside = this.scope instanceof RowScope && this.scope.old && repeat.each.deps.some((dep) => /^(?:item|row)\b/.test(dep))
    return inside || repeat.sources.some((name) => this.host.statusOf(name)?.status === 'stale')
  }

  private updateRows(): boolean {
    let moved = false
    if (!this.rows) return moved
    for (const [child, rows] of this.rows) {
      const { repeat } = child
      let stopped = undefined as StopReason | undefined
      const read = repeat?.each.read(drawnOf(this.inner), this.host.say, (reason) => {
        stopped = reason
      })
      const list = Array.isArray(read) ? read : []
      if (list.length > limits.repeatItemsMax) stopped = 'items'
      if (stopped !== undefined) this.onStopped('repeat', stopped, child.id)
      if (rows.stopped !== stopped) moved = true
      rows.stopped = stopped
      if (rows.update(stopped === undefined ? list : [], repeat ?? { key: '' }, this.inner, this.areStale(repeat))) moved = true
    }
    return moved
  }
}
