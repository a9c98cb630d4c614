import type { backOfficePlaces } from '#contract/calls/office.rows.ts'

export interface Place {
  leads_to: (typeof backOfficePlaces)[number]
  /** 0 where there is none. */
  number: number
}

const places: Readonly<Record<string, Place['leads_to']>> = {
  recharge: 'recharge',
  withdraw: 'withdrawal',
  verification: 'verification',
  trader: 'trader',
  customer: 'customer',
  offer: 'offer',
  otc: 'otc_order',
  dual: 'dual_product',
}

/** Where the back office shows what a row of its log is about: recharge:12. */
export function placeOf(subject: string): Place {
  const [, kind = '', digits = ''] = /^(\w+):(\d{1,15})$/.exec(subject) ?? []
  const leads_to = Object.hasOwn(places, kind) ? places[kind]! : 'none'
  return { leads_to, number: leads_to === 'none' ? 0 : Number(digits) }
}
