import { canonical } from '#language/publish/canonical.ts'

/** Which things each kind of document contains, and how they are identified. */

/** How a member of a thing is compared: as a whole, member by member, or as things of its own. */
export type Rule = 'whole' | { each: Rules } | { form: 'list' | 'record' | 'one'; item: (value: unknown) => Item }
/** Name of a member → its rule. */
export type Rules = (name: string) => Rule

export interface Item {
  /** Ids are unique among the things of one space. */
  space: string
  /** @param name its index or its name in the parent */
  idOf: (value: unknown, name: string) => string | undefined
  rules: Rules
}

const whole: Rules = () => 'whole'
const each: Rule = { each: whole }
const only =
  (rules: Record<string, Rule>): Rules =>
  (name) =>
    (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? 'whole'
const list = (item: Item | ((value: unknown) => Item)): Rule => ({ form: 'list', item: typeof item === 'function' ? item : () => item })

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const by = (space: string, name: string, rules: Rules = whole): Item => ({ space, idOf: (value) => text(memberOf(value, name)), rules })
const named = (space: string, rules: Rules): Rule => ({ form: 'record', item: () => ({ space, idOf: (_, name) => name, rules }) })
const scalar = (space: string): Rule =>
  list({ space, idOf: (value) => (typeof value === 'object' ? undefined : String(value)), rules: whole })

const node: Item = by('node', 'id', (name) => {
  if (name === 'props' || name === 'on' || name === 'params') return each
  if (name === 'slots') return { each: () => list(child) }
  if (name === 'states') return { each: () => ({ form: 'one', item: child }) }
  return name === 'fallback' ? { form: 'one', item: () => node } : 'whole'
})
const use: Item = {
  space: 'use',
  idOf: (value) => text(memberOf(value, 'as')) ?? text(memberOf(value, 'use')),
  rules: only({ with: each, slots: { each: () => list(child) } }),
}
const child = (value: unknown): Item => (memberOf(value, 'use') === undefined ? node : use)

/** A row of a prompt has no id; its label identifies it. */
const row: Item = {
  space: 'row',
  idOf: (value) => text(memberOf(memberOf(value, 'label'), '$t')) ?? canonical(memberOf(value, 'label')),
  rules: whole,
}

/** Members that screens and fragments have in common. */
const shown: Record<string, Rule> = {
  params: each,
  state: each,
  values: each,
  actions: each,
  data: named('source', only({ args: each, on: each })),
  toolbar: list(child),
  head: list(child),
  body: list(child),
}
const kinds: Record<string, Record<string, Rule>> = {
  screen: { ...shown, lists: each, errors: each, foot: list(child) },
  fragment: shown,
  form: {
    fields: list(by('field', 'name', only({ props: each, on: each }))),
    groups: list(by('group', 'id')),
    rules: list(by('rule', 'field')),
    values: each,
    submit: each,
    errors: each,
  },
  prompt: { rows: list(row) },
  'quick-entries': { entries: list(by('entry', 'id', only({ params: each }))) },
  validation: { params: each },
  routes: { routes: named('route', only({ aliases: scalar('alias') })) },
  theme: Object.fromEntries(['dark', 'light', 'coins', 'space', 'radius', 'type'].map((name) => [name, each])),
  app: {
    languages: list(by('language', 'id')),
    fiats: scalar('fiat'),
    constants: each,
    device: each,
    links: scalar('link'),
    tabBar: { form: 'one', item: () => node },
    pushed: list(by('pushed', 'topic', only({ one: each, many: each }))),
  },
}

export function rulesOf(kind: string): Rules {
  return only((Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? {})
}
/** Texts may be nested. */
export const textRules: Rules = () => ({ each: textRules })
