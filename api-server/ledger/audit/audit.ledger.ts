import { sql } from 'kysely'
import { type Check, within } from '#api-server/ledger/audit/audit.check.ts'
import { modules } from '#api-server/modules.ts'

/** A key is written before its event: an event may name a key that was taken up to this many ms earlier. */
const keySlackMs = 600_000

export const ledgerChecks: readonly Check[] = [
  {
    name: 'I1',
    says: 'balances sum to zero per currency',
    over: 'all',
    quick: true,
    breaches: () =>
      sql`select format('balances of currency %s: %s', currency, sum(balance)) as breach from ledger_account group by currency having sum(balance) <> 0`,
  },
  {
    name: 'I1',
    says: 'lines sum to zero per event and per currency',
    over: 'event',
    breaches: (
      range,
    ) => sql`select format('event %s, currency %s: %s', p.event_id, a.currency, sum(p.amount)) as breach from ledger_posting p
        join ledger_account a on a.id = p.account_id where ${within(range, 'p.event_id')} group by p.event_id, a.currency having sum(p.amount) <> 0
      union all select format('event %s has %s lines', e.id, count(p.line)) from ledger_event e
        left join ledger_posting p on p.event_id = e.id where ${within(range, 'e.id')} group by e.id having count(p.line) < 2`,
  },
  {
    name: 'I2',
    says: 'no balance of a customer and no position is below zero, or not a number',
    over: 'all',
    quick: true,
    breaches: () => sql`select format('%s, currency %s: %s', key, currency, balance) as breach from ledger_account
      where balance = 'NaN' or ((uid is not null or position is not null) and balance < 0)`,
  },
  {
    name: 'I3',
    says: 'what is frozen is what something open holds',
    over: 'user',
    breaches: (
      range,
    ) => sql`select format('%s %s, currency %s: frozen %s, held %s', uid, kind, currency, sum(frozen), sum(held)) as breach from (
        select uid, kind, currency, balance as frozen, 0::numeric as held from ledger_account where part = 'frozen' and ${within(range, 'uid')}
        union all select uid, kind, currency, 0, amount::numeric from (${sql.join(
          modules.flatMap(({ holds }) => (holds ? sql`(${holds})` : [])),
          sql` union all `,
        )}) h where ${within(range, 'uid')}) both_sides
      group by uid, kind, currency having sum(frozen) <> sum(held)`,
  },
  {
    name: 'I4',
    says: 'each event that happened under a key stands in the answered keys, as long as keys are kept',
    over: 'all',
    quick: true,
    breaches: () => sql`select format('event %s of %s: its key is gone', e.id, e.key_owner) as breach from ledger_event e
      where e.key is not null and e.at >= (select coalesce(max(before), 0) + ${keySlackMs}::bigint from once_sweep)
        and not exists (select from once_key k where k.owner = e.key_owner and k.key = e.key and (k.answer is not null or k.sealed is not null))
      union all select 'the time of the last sweep of keys is gone' where not exists (select from once_sweep)`,
  },
  {
    name: 'I6',
    says: 'each event happened once for its source',
    over: 'event',
    breaches: (range) => sql`select format('%s %s: %s times', e.kind, e.source, count(*)) as breach from ledger_event e
      join ledger_event o on o.kind = e.kind and o.source = e.source where ${within(range, 'e.id')} group by e.id, e.kind, e.source having count(*) > 1`,
  },
  {
    name: 'I9',
    says: 'the lines, played again, give the same chain of hashes',
    over: 'event',
    breaches: (
      range,
    ) => sql`select format('event %s line %s of %s', p.event_id, p.line, coalesce(a.key, 'no account')) as breach from ledger_posting p
      left join ledger_account a on a.id = p.account_id left join ledger_event e on e.id = p.event_id
      left join ledger_posting b on b.account_id = p.account_id and b.seq = p.seq - 1
      where ${within(range, 'p.event_id')} and (a.key is null or e.kind is null or (b.seq is null and p.seq <> 1)
        or p.balance <> coalesce(b.balance, 0) + p.amount or p.at <> e.at or p.uid is distinct from a.uid
        or p.hash <> sha256(coalesce(b.hash, '') || convert_to(concat_ws('|', a.key, a.currency, p.seq, p.event_id, e.kind, e.source, coalesce(e.uid, 0), p.at,
          p.line, p.amount, p.balance), 'UTF8')))`,
  },
  {
    name: 'I9',
    says: 'each account is where its last line has led',
    over: 'ledger_account',
    quick: true,
    breaches: (
      range,
    ) => sql`select format('%s, currency %s: %s, its lines say %s', a.key, a.currency, a.balance, coalesce(l.balance, 0)) as breach
      from ledger_account a
      left join lateral (select p.seq, p.balance, p.hash from ledger_posting p where p.account_id = a.id order by p.seq desc limit 1) l on true
      where ${within(range, 'a.id')} and (a.seq <> coalesce(l.seq, 0) or a.balance <> coalesce(l.balance, 0) or a.hash <> coalesce(l.hash, ''))`,
  },
  {
    name: 'I9',
    says: 'there are as many lines as the accounts have counted, and as many events as first lines',
    over: 'all',
    quick: true,
    counts: true,
    breaches: () => sql`select format('%s lines, the accounts have counted %s', lines, counted) as breach
        from (select (select count(*) from ledger_posting) as lines, (select coalesce(sum(seq), 0) from ledger_account) as counted) c where lines <> counted
      union all select format('%s events, %s first lines', events, firsts)
        from (select (select count(*) from ledger_event) as events, (select count(*) from ledger_posting where line = 1) as firsts) c where events <> firsts`,
  },
]
