import { isObject } from '#language/documents/json.ts'

/**
 * Short forms of nodes: `"bind": "state.side"` is a prop together with the event that changes it, and `"go": "pages/market/market"` a press
 * that only goes. Reading a document expands them, so checks, engines and releases know the long form only.
 */

/** Paths that a `set` step may write; in a fragment, a parameter that is such a path. */
export const writablePath =
  /^(?:(?:state|form|device)\.[A-Za-z_][\w.]*|(?:state|device)\.[A-Za-z_]\w*\[[^\s]+\](?:\.[A-Za-z_]\w*)?|params\.[A-Za-z_]\w*)$/
/** Names in a `set` step: such paths, and `*` for all of a record parameter. */
export const settable = new RegExp(`^\\*$|${writablePath.source}`)

type Members = Record<string, unknown>
interface ShortNode {
  bind?: string | Record<string, string> | undefined
  go?: unknown
  params?: unknown
  props?: Members | undefined
  on?: Members | undefined
}

/** The event that changes a bound prop: `change` for `value`, otherwise the event with the name of the prop. */
export const eventOf = (prop: string): string => (prop === 'value' ? 'change' : prop)
/** Paths of `bind` by prop: a single path is that of `value`. */
const boundIn = (bind: ShortNode['bind']): [prop: string, path: string][] =>
  typeof bind === 'string' ? [['value', bind]] : Object.entries(bind ?? {})

/** Problems of a node whose short forms say what it says elsewhere too, as path and message. */
export function shortNodeProblems({ bind, go, params, props = {}, on = {} }: ShortNode): { path: string[]; message: string }[] {
  const twice = (path: string[], name: string) => ({ path, message: `"${name}" occurs twice` })
  return [
    ...boundIn(bind).flatMap(([prop]) => {
      const event = eventOf(prop)
      const steps = on[event]
      const path = typeof bind === 'string' ? ['bind'] : ['bind', prop]
      if (Object.hasOwn(props, prop)) return [twice(path, prop)]
      return steps === undefined || Array.isArray(steps) ? [] : [twice(path, event)]
    }),
    ...(go !== undefined && on.press !== undefined ? [twice(['go'], 'press')] : []),
    ...(go === undefined && params !== undefined ? [{ path: ['params'], message: '"params" needs a "go"' }] : []),
  ]
}

/** Expands `bind` and `go`. Steps that the node has for a bound event run after the value is set. */
export function withLongActions<Node extends ShortNode>(node: Node) {
  const { bind, go, params, ...rest } = node
  if (bind === undefined && go === undefined) return rest
  const bound = boundIn(bind)
  const on: Members = { ...rest.on }
  for (const [prop, path] of bound)
    on[eventOf(prop)] = [{ set: { [path]: { $: 'value' } } }, ...((on[eventOf(prop)] as unknown[] | undefined) ?? [])]
  if (go !== undefined) on.press = [params === undefined ? { go } : { go, params }]
  const props = { ...rest.props, ...Object.fromEntries(bound.map(([prop, path]) => [prop, { $: path }])) }
  return { ...rest, ...(Object.keys(props).length > 0 && { props }), on }
}

/** Shortens a node where its props and events say what `bind` or `go` says; the inverse of `withLongActions`. */
export function withShortActions(node: Members): Members {
  const props = isObject(node.props) ? { ...node.props } : {}
  const on = isObject(node.on) ? { ...node.on } : {}
  const bind: Record<string, string> = node.bind === undefined ? {} : Object.fromEntries(boundIn(node.bind as ShortNode['bind']))
  for (const [event, steps] of Object.entries(on)) {
    const path = pathSet(steps)
    const prop = event === 'change' ? 'value' : event
    if (path === undefined || onlyMember(props[prop], '$') !== path || Object.hasOwn(bind, prop)) continue
    bind[prop] = path
    delete props[prop]
    on[event] = (steps as unknown[]).slice(1)
    if ((steps as unknown[]).length === 1) delete on[event]
  }
  const move = node.go === undefined ? onlyMove(on.press) : undefined
  if (move) delete on.press
  const { bind: _, props: __, on: ___, ...rest } = node
  const paths = Object.keys(bind)
  return {
    ...rest,
    ...(paths.length > 0 && { bind: paths.length === 1 && paths[0] === 'value' ? bind.value : bind }),
    ...(keeps(node.props, props) && { props }),
    ...move,
    ...(keeps(node.on, on) && { on }),
  }
}

/** An object that was empty before stays; one that a short form has emptied goes. */
const keeps = (before: unknown, after: object) => before !== undefined && (Object.keys(after).length > 0 || isEmpty(before))
const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0
const onlyMember = (value: unknown, name: string): unknown => (isObject(value) && Object.keys(value).length === 1 ? value[name] : undefined)

/** The path that the first step of a list sets to the value of the event, if it does nothing else. */
function pathSet(steps: unknown): string | undefined {
  const set = Array.isArray(steps) ? onlyMember(steps[0], 'set') : undefined
  const [path, ...others] = isObject(set) ? Object.keys(set) : []
  if (path === undefined || others.length > 0 || !writablePath.test(path)) return undefined
  return onlyMember((set as Members)[path], '$') === 'value' ? path : undefined
}

/** A list of steps that only goes. */
function onlyMove(steps: unknown): { go: unknown; params?: unknown } | undefined {
  const [step, ...others] = Array.isArray(steps) ? steps : []
  if (!isObject(step) || others.length > 0 || step.go === undefined) return undefined
  const isPlain = Object.keys(step).every((name) => name === 'go' || name === 'params')
  return isPlain ? (step as { go: unknown }) : undefined
}

/**
 * The place in a file of a part of a read document: what a short form has expanded is at that short form.
 * @param has whether the file has a part at a pointer
 */
export function shortPlace(pointer: string, has: (pointer: string) => boolean): string {
  const [, node = '', event = '', index = '0', rest = ''] = /^(.*?)\/on\/(\w+)(?:\/(\d+)(\/.*)?)?$/.exec(pointer) ?? []
  if (event === 'press' && has(`${node}/go`)) return rest.startsWith('/params') && has(`${node}/params`) ? node + rest : `${node}/go`
  const bound = event && boundAt(node, event === 'change' ? 'value' : event, has)
  if (bound) return index === '0' ? bound : `${node}/on/${event}/${Number(index) - 1}${rest}`
  if (has(pointer)) return pointer
  const [, holder, prop = ''] = /^(.*)\/props\/(\w+)(?:\/.*)?$/.exec(pointer) ?? []
  return (holder !== undefined && boundAt(holder, prop, has)) || pointer
}

/** The place where a node binds a prop. */
function boundAt(node: string, prop: string, has: (pointer: string) => boolean): string | undefined {
  if (has(`${node}/bind/${prop}`)) return `${node}/bind/${prop}`
  return prop === 'value' && has(`${node}/bind`) && !has(`${node}/props/value`) ? `${node}/bind` : undefined
}
