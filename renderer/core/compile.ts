import type { Action, ChildDoc, NodeDoc, ScreenDoc, SourceDoc, Step, Value } from '#language/documents/documents.ts'
import { limits } from '#language/documents/limits.ts'
import { type Compiled, compile, ExpressionProblem } from '#language/expression/expression.ts'
import { compileNamed, type Definitions } from '#language/expression/named.ts'
import type { PathOptions } from '#language/expression/scope.ts'
import { type CompiledValue, compileValue } from '#language/expression/value.ts'
import { type PropPart, partsOf } from '#renderer/core/parts.ts'
import type { Registry, Widget } from '#renderer/core/registry.ts'
import { topicOf } from '#renderer/core/scope.ts'

/** A node made ready to be shown: expressions compiled, topics and sources known. Made once for each revision of a document. */
export interface CompiledNode<View = unknown> {
  id: string
  ref: string
  widget: Widget<View> | undefined
  /** Props that never change, and those that do. */
  fixed: Record<string, unknown>
  moving: readonly (readonly [name: string, value: CompiledValue, part: PropPart | undefined])[]
  show: Compiled | undefined
  enable: Compiled | undefined
  on: Readonly<Record<string, CompiledAction>>
  /** It has an action at all. */
  acts: boolean
  slots: Readonly<Record<string, readonly CompiledNode<View>[]>>
  /** `sources`: whose rows they are. */
  repeat: { each: CompiledValue; key: string; as: string | undefined; sources: readonly string[] } | undefined
  states: Readonly<Partial<Record<string, CompiledNode<View>>>>
  fallback: CompiledNode<View> | 'drop' | undefined
  /** An ancestor has a fallback, so an error here may climb to it. */
  sheltered: boolean
  critical: boolean
  /** Topics that wake the node, and the data sources that it waits for. Repeats in its slots count as its own. */
  topics: readonly string[]
  sources: readonly string[]
  /** Children of its slots that are repeated. */
  repeated: readonly CompiledNode<View>[]
  /** It shows a form: its slots read that form. */
  isForm: boolean
  /** Names of the slots that the widget declares or the document fills. */
  slotNames: readonly string[]
  /** Everything it reads belongs to its row. */
  rowOnly: boolean
}

interface CompiledAction {
  steps: readonly Step[]
  /** Moves, asks or calls: guarded against a second tap. */
  throttled: boolean
}

export interface CompiledScreen<View = unknown> {
  doc: ScreenDoc
  /** Stands for the screen itself: its one slot `body` holds the nodes. */
  root: CompiledNode<View>
  sources: readonly CompiledSource[]
  values: Definitions
}
export interface CompiledSource {
  name: string
  doc: SourceDoc
  args: CompiledValue
  when: Compiled | undefined
  topics: readonly string[]
}

/** Steps that may be repeated at once: they neither move, ask nor call. */
const quiet = new Set(['set', 'toast', 'refresh', 'more', 'open', 'close'])
const isThrottled = (steps: readonly Step[]): boolean =>
  steps.some((step) =>
    'if' in step ? isThrottled(step.then) || isThrottled(step.else ?? []) : !Object.keys(step).some((k) => quiet.has(k)),
  )

const never: Compiled = { deps: [], paths: [], operators: [], texts: [], evaluate: () => ({ value: undefined, missing: ['refused'] }) }

/** A logic that this build refuses is a closed guard, not a crash. */
function compileGuard(logic: NodeDoc['show'], options: PathOptions): Compiled | undefined {
  if (logic === undefined) return undefined
  try {
    return compile(logic, options)
  } catch {
    return never
  }
}

const topicsOf = (paths: Iterable<string>) => [...new Set([...paths].map(topicOf))]
const sourcesOf = (paths: Iterable<string>) => [...new Set([...paths].flatMap((p) => /^data\.([\w-]+)/.exec(p)?.[1] ?? []))]

class NodeCompiler<View> {
  private readonly registry: Registry<View>
  private readonly actions: Record<string, Step[]>
  private readonly options: PathOptions
  /** The screen itself is one. */
  private left: number = limits.nodesPerScreenMax + 1
  private depth = 0

  constructor(registry: Registry<View>, actions: Record<string, Step[]>, values: Definitions) {
    this.registry = registry
    this.actions = actions
    this.options = { named: values.deps }
  }

  list(children: readonly ChildDoc[], sheltered: boolean): CompiledNode<View>[] {
    return children.flatMap((child) => ('widget' in child ? [this.node(child, sheltered)] : []))
  }

  /** A node whose expressions this build refuses is drawn as broken; its neighbours live on. */
  node(doc: NodeDoc, sheltered: boolean): CompiledNode<View> {
    const { depth } = this
    this.left -= 1
    this.depth += 1
    if (this.left < 0 || depth > limits.nodeDepthMax)
      throw new RangeError(`over ${limits.nodesPerScreenMax} nodes, or ${limits.nodeDepthMax} deep`)
    try {
      return this.read(doc, sheltered)
    } catch (error) {
      if (!(error instanceof ExpressionProblem)) throw error
      return this.read({ id: doc.id, widget: `${doc.widget}@0`, ...(doc.fallback !== undefined && { fallback: doc.fallback }) }, sheltered)
    } finally {
      this.depth = depth
    }
  }

  private read(doc: NodeDoc, sheltered: boolean): CompiledNode<View> {
    const widget = this.registry.find(doc.widget)
    const covered = sheltered || doc.fallback !== undefined
    const slots = Object.fromEntries(Object.entries(doc.slots ?? {}).map(([name, children]) => [name, this.list(children, covered)]))
    const moving: [string, CompiledValue, PropPart | undefined][] = []
    const parts = widget && partsOf(widget)
    const fixed: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(doc.props ?? {})) {
      if (typeof value !== 'object') {
        fixed[name] = value
        continue
      }
      const compiled = compileValue(value, this.options)
      if (compiled.static) fixed[name] = compiled.evaluate(emptyScope, sayNothing).value
      else moving.push([name, compiled, parts?.get(name)])
    }
    const show = compileGuard(doc.show, this.options)
    const enable = compileGuard(doc.enable, this.options)
    const repeated = Object.values(slots).flatMap((children) => children.filter((child) => child.repeat))
    const repeats = repeated.flatMap((child) => child.repeat ?? [])
    const paths = new Set([
      ...moving.flatMap(([, v]) => v.deps),
      ...(show?.deps ?? []),
      ...(enable?.deps ?? []),
      ...repeats.flatMap((r) => r.each.deps),
    ])
    const waits = new Set([...moving.flatMap(([, v]) => v.deps), ...repeats.flatMap((r) => r.each.deps)])
    const topics = topicsOf(moving.some(([, v]) => v.texts.length) ? [...paths, 'session.language'] : paths)
    return {
      id: doc.id,
      ref: doc.widget,
      widget,
      topics,
      repeated,
      isForm: doc.widget.split('@', 1)[0] === 'form',
      slotNames: [...new Set([...Object.keys(widget?.slots ?? {}), ...Object.keys(slots)])],
      rowOnly: topics.every((topic) => topic === 'item' || topic === 'index'),
      fixed,
      moving,
      show,
      enable,
      on: Object.fromEntries(Object.entries(doc.on ?? {}).map(([event, action]) => [event, this.action(action)])),
      acts: Object.keys(doc.on ?? {}).length > 0,
      slots,
      repeat: doc.repeat && repeatOf(doc.repeat, this.options),
      states: Object.fromEntries(
        Object.entries(doc.states ?? {}).flatMap(([state, child]) => ('widget' in child ? [[state, this.node(child, covered)]] : [])),
      ),
      fallback: doc.fallback === undefined || doc.fallback === 'drop' ? doc.fallback : this.node(doc.fallback, sheltered),
      sheltered,
      critical: doc.critical ?? false,
      sources: sourcesOf(waits),
    }
  }

  action(action: Action): CompiledAction {
    const steps = typeof action === 'string' ? (this.actions[action] ?? []) : action
    return { steps, throttled: isThrottled(steps) }
  }
}

function repeatOf({ each, key, as }: NonNullable<NodeDoc['repeat']>, options: PathOptions): NonNullable<CompiledNode['repeat']> {
  const compiled = compileValue(each as Value, options)
  return { each: compiled, key, as, sources: sourcesOf(compiled.deps) }
}

const emptyScope = { get: () => undefined }
const sayNothing = (key: string) => key

export function compileScreen<View>(doc: ScreenDoc, registry: Registry<View>): CompiledScreen<View> {
  const values = compileNamed(doc.values)
  const compiler = new NodeCompiler(registry, doc.actions ?? {}, values)
  const options = { named: values.deps }
  const sources = Object.entries(doc.data ?? {}).map(([name, source]): CompiledSource => {
    const args = compileValue((source.args ?? {}) as Value, options)
    const when = compileGuard(source.when, options)
    return { name, doc: source, args, when, topics: topicsOf([...args.deps, ...(when?.deps ?? [])]) }
  })
  const root: NodeDoc = { id: doc.id, widget: 'screen', slots: { body: doc.body } }
  return { doc, root: compiler.node(root, false), sources, values }
}

/** A node that stands outside any screen, such as the tab bar. */
export function compileNode<View>(doc: NodeDoc, registry: Registry<View>): CompiledNode<View> {
  return new NodeCompiler(registry, {}, compileNamed()).node(doc, false)
}
