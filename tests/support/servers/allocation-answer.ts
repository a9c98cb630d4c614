import type * as z from 'zod'
import type { backOfficeCalls } from '#contract/calls/office.calls.ts'

/** The allocation of a sale in which nobody has applied, as the back office shows it. */
const allocation: z.output<(typeof backOfficeCalls)['office.ieoAllocation']['output']> = {
  id: 1,
  terms_version: 1,
  name: 'Nova',
  token: 'NOVA',
  token_scale: 8,
  quote: 'USDT',
  price: '0.05',
  total: '100',
  applied: '0',
  customers: 0,
  passed: null,
  fill: '0',
  step: '1',
  least: '1',
  limit: '100',
  pay: [{ code: 'USDT' }],
  starts: 1,
  ends: 2,
  lists: 2,
  listed: false,
  symbol: null,
  lock_days: 0,
  state: 'ended',
  risk: 4,
  simulated: false,
  digest: '0'.repeat(64),
  passes: '0',
  remainder: '100',
  may_propose: true,
  proposal: null,
  list: [],
  count: 0,
}

/** Answers of the calls about sales of new tokens. */
export const earningAnswers = {
  'office.ieoProjects': async () => ({ list: [], total: 0 }),
  'office.ieoAllocation': async () => allocation,
  'office.ieoAllocate': async () => ({ id: 1 }),
  'office.ieoOwed': async () => ({ days: [], coins: [] }),
  'office.miningOwed': async () => ({ days: [], coins: [] }),
}
