import type { DataState } from '#flows/answers.ts'
import { addressOf, type Pages } from '#flows/set.ts'
import type { FormDoc, Json, ParamDoc, ScreenDoc, Step } from '#language/documents/documents.ts'
import { factsOf } from '#language/documents/walk.ts'

/** One way to open a screen. */
export interface Visit {
  screen: string
  path: string
  params: Record<string, unknown>
  /** Only in this state; by default in all states. */
  state?: DataState
  /** The screen may redirect at once. */
  leaves: boolean
  /** Differences of the customer's account. */
  account?: { kyc: number; info?: Record<string, Json> }
}

const words: readonly (readonly [RegExp, unknown])[] = [
  [/url|link/, 'https://help.tessera.example/'],
  [/symbol/, 'BTCUSDT'],
]

function sampleParam(name: string, { type, values, default: fallback }: ParamDoc): unknown {
  if (fallback !== undefined) return fallback
  if (type === 'integer') return 1
  if (type === 'decimal') return '1.5'
  if (type === 'boolean') return true
  if (type === 'enum') return values?.[0]
  return words.find(([pattern]) => pattern.test(name))?.[1] ?? 'sample'
}

/** Steps after the first answers of a screen may redirect. */
const answersMove = ({ data = {} }: ScreenDoc): boolean => Object.values(data).some(({ on }) => moves(on?.loaded))
const moves = (steps: readonly Step[] = []): boolean =>
  steps.some((step) => 'go' in step || 'return' in step || 'back' in step || ('if' in step && (moves(step.then) || moves(step.else))))

/** Members of the account that a screen reads and that a customer may lack: a second visit has the opposite of each. */
function accountsOf(screen: ScreenDoc, forms: Pages['forms']): Visit['account'][] {
  const formIds = [...JSON.stringify(screen).matchAll(/"form":"([^"]+)"/g)].map(([, id]) => id as string)
  const text = [JSON.stringify(screen), ...formIds.map((id) => JSON.stringify(forms.get(id) ?? ''))].join()
  const reads = (name: string) => new RegExp(`(?:info|user)\\.${name}\\b`).test(text)
  const flipped: Record<string, Json> = { has_email: false, has_mobile: false, has_pay_password: false, totp: true, demo: true }
  const info = Object.fromEntries(Object.entries(flipped).filter(([name]) => reads(name)))
  if (reads('withdraw_hold_until')) info.withdraw_hold_until = 4_102_444_800_000
  const levels = reads('level') || reads('kyc') ? [0, 2] : []
  const accounts: Visit['account'][] = Object.keys(info).length > 0 ? [{ kyc: 1, info }] : []
  return [...accounts, ...levels.map((kyc) => ({ kyc }))]
}

/**
 * How a visitor or a customer opens every screen: once with the required parameters, and in the state `ok` once more for each other word of
 * a parameter, without optional parameters, and with an account that has what the sample account lacks. Visitors do not open pages for
 * customers.
 */
export function visitsOf({ routes, screens, forms }: Pages, wanted: readonly string[], person: 'visitor' | 'customer'): Visit[] {
  const visits: Visit[] = []
  const taken = new Set<string>()
  for (const [path, route] of Object.entries(routes)) {
    const screen = screens.get(route.screen)
    if (!screen || !wanted.includes(route.screen) || taken.has(route.screen)) continue
    if (person === 'visitor' && (route.auth || route.kyc)) continue
    taken.add(route.screen)
    const declared = Object.entries(screen.params ?? {})
    const params = Object.fromEntries(
      declared.flatMap(([name, param]) => (param.required || param.type === 'enum' ? [[name, sampleParam(name, param)]] : [])),
    )
    const least = Math.max(1, route.kyc ?? 0)
    const common = { screen: route.screen, path, leaves: moves(screen.enter) || answersMove(screen) }
    const account = { kyc: least }
    visits.push({ ...common, params, ...(person === 'customer' && { account }) })
    for (const [name, { type, values = [] }] of declared) {
      if (type !== 'enum') continue
      for (const value of values)
        if (value !== params[name]) visits.push({ ...common, params: { ...params, [name]: value }, state: 'ok', account })
    }
    if (person === 'visitor') continue
    for (const other of accountsOf(screen, forms))
      if (other && other.kyc >= (route.kyc ?? 0)) visits.push({ ...common, params, state: 'ok', account: other })
  }
  return visits
}

/** Options of a screen and of its forms that only set state or a field, and search boxes, which have no options. */
export function choicesOf(screen: ScreenDoc, forms: Pages['forms']): { node: string; option?: string }[] {
  const choices = (doc: ScreenDoc | FormDoc, isFree: (steps: unknown) => boolean, nameOf: (id: string) => string) =>
    factsOf(doc).nodes.flatMap(({ node, standIn }): { node: string; option?: string }[] => {
      if (standIn !== undefined || !isFree(node.on?.change)) return []
      const name = nameOf(node.id)
      if (node.widget.split('@', 1)[0] === 'search') return [{ node: name }]
      const options = node.props?.options ?? node.props?.items
      if (!Array.isArray(options)) return []
      const ids = options.flatMap((one) =>
        typeof one === 'object' && one !== null && !Array.isArray(one) && typeof one.id === 'string' ? [one.id] : [],
      )
      // Returns to the first option at the end, as the screen was found.
      return [...ids.slice(1), ...ids.slice(0, 1)].map((option) => ({ node: name, option }))
    })
  const own = choices(screen, setsState, (id) => id)
  const ofForms = factsOf(screen).nodes.flatMap(({ node }) => {
    const form = node.widget.split('@', 1)[0] === 'form' ? forms.get(String(node.props?.form)) : undefined
    return form
      ? choices(
          form,
          (steps) => steps === undefined || setsState(steps),
          (id) => `${node.id}-${id}`,
        )
      : []
  })
  return [...own, ...ofForms]
}
const setsState = (steps: unknown): boolean =>
  Array.isArray(steps) && steps.every((step) => 'set' in step && Object.keys(step.set).every(isOfScreen))
const isOfScreen = (path: string) => path.startsWith('state.')

/** A visit as an address, for people. */
export const addressOfVisit = ({ path, params }: Pick<Visit, 'path' | 'params'>): string => addressOf(path, params)
