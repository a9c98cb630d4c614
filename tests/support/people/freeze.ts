import type { Decision } from '#api-server/kit/decision.ts'
import type { TestApi } from '#tests/support/servers/api.ts'

/** Freezes or releases an account, as an operator does who leaves no row in the log. */
export async function freezeAccount({ api, database }: Pick<TestApi, 'api' | 'database'>, uid: number, frozen: boolean): Promise<void> {
  const { freeze, tell } = api.accounts.administration
  await database.transaction((tx) => freeze({ tx } as Decision, uid, frozen))
  tell(uid)
}
