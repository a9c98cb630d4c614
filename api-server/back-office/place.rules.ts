import type { backOfficePlaces } from '#contract/calls/office.rows.ts'
import { listMost } from '#contract/fields.ts'

export interface Place {
  leads_to: (typeof backOfficePlaces)[number]
  /** 0 where there is none. */
  number: number
  /** Of terms; empty for other places. */
  product: string
  key: string
}

const places: Readonly<Record<string, Place['leads_to']>> = {
  recharge: 'recharge',
  withdraw: 'withdrawal',
  verification: 'verification',
  trader: 'trader',
  customer: 'customer',
  offer: 'offer',
  otc: 'otc_order',
}
const aboutTerms = /^(?:terms|instrument)\.(?:propose|agree|withdraw|refuse|pause|resume|end)$/

/** Where the back office shows what a row of its log is about: recharge:12, and the terms dual:7. */
export function placeOf({ action, subject }: { action: string; subject: string }): Place {
  const [, kind = '', digits = ''] = /^(\w+):(\d{1,15})$/.exec(subject) ?? []
  if (Object.hasOwn(places, kind)) return { leads_to: places[kind]!, number: Number(digits), product: '', key: '' }
  const [, sale] = (action.startsWith('allocation.') && /^ieo:(\d{1,9})$/.exec(subject)) || []
  if (sale) return { leads_to: 'ieo_allocation', number: Number(sale), product: '', key: '' }
  const [, product = '', key = ''] = (aboutTerms.test(action) && /^(\w+):(\w+)$/.exec(subject)) || []
  return { leads_to: product ? 'term' : 'none', number: 0, product, key }
}

export interface LoggedChange {
  name: string
  before: string
  after: string
}

/** The changes that the detail of a row lists, `fee_rate 0.1 % → 0.2 %; spread – → 1`; undefined for a detail in words. See `detailOf` of kit/proposals.ts. */
export function changesIn(detail: string): LoggedChange[] | undefined {
  const parts = detail.split('; ').map((part) => /^([a-z][a-z0-9_]{1,40}) (.*) → (.*)$/su.exec(part))
  if (detail === '' || parts.length > listMost.terms || parts.some((part) => part === null)) return undefined
  const shown = (text = '') => (text === '–' ? '' : text)
  return parts.map((part) => ({ name: part![1]!, before: shown(part![2]), after: shown(part![3]) }))
}
