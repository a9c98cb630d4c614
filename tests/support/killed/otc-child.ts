import { createHash, randomUUID } from 'node:crypto'
import { ApiProblem } from '#contract/problem.ts'
import { openOtcStage } from '#tests/support/databases/otc-stage.ts'
import { askedBefore, numbersOf, openArguments, program } from '#tests/support/killed/program.ts'
import { say } from '#tests/support/say.ts'

/**
 * A process to be killed while customers order at OTC offers and reviewers decide. Its arguments are folder and address of the database, the offers,
 * the customers, and `on` or `end`; standard input names the keys to retry first. It prints `try <key>` before an order with a new key,
 * `done <key> <order>` or `no <key>` for the outcome, and `was <order> <status>` once the order is decided. With `end` it tries no new keys and
 * exits. What a key orders, and what becomes of it, is derived from the key.
 */
const [offers = '', customers = '', how = 'on'] = process.argv.slice(4)
const clients = 6

async function run(): Promise<void> {
  const again = await askedBefore()
  const on = await openOtcStage({ open: openArguments })
  const [offerIds, uids] = [numbersOf(offers), numbersOf(customers)]

  async function deal(key: string): Promise<void> {
    const [who = 0, which = 0, much = 0, what = 0] = createHash('sha256').update(key).digest()
    const uid = uids[who % uids.length]!
    try {
      const { id } = await on.order(uid, offerIds[which % offerIds.length]!, `0.${1 + (much % 99)}`, key)
      say(`done ${key} ${id}`)
      const decide = [() => on.approve(id), () => on.reject(id), () => on.cancel(uid, id, `${key}-cancel`)][what % 4]
      if (decide) say(`was ${id} ${(await decide()).status}`)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      if (error.code === 'outcome_unknown' || error.code === 'busy') return deal(key)
      // Decided before the process that knew of it was killed.
      if (error.code === 'state_wrong') return
      say(`no ${key}`)
    }
  }
  for (const key of again) await deal(key)
  if (how === 'end') return on.stage.database.close()
  const client = async () => {
    for (;;) {
      const key = randomUUID()
      say(`try ${key}`)
      await deal(key)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

program(run)
