import type { ActionPlace, Result } from '#renderer/actions/place.ts'
import { pickFile, uploadFile } from '#renderer/calls/upload.ts'
import type { Effect } from '#renderer/core/plan.ts'

type SessionEffect = Extract<Effect, { do: 'login' | 'logout' | 'upload' }>

/** Steps that begin or end a session, or send a file. @throws CallProblem when the file cannot be sent */
export async function performSession(effect: SessionEffect, result: Record<string, unknown>, { engine }: ActionPlace): Promise<Result> {
  if (effect.do === 'logout') {
    await engine.session.logout()
    return 'done'
  }
  if (effect.do === 'login') return (await engine.session.login(effect.token)) ? 'done' : 'failed'
  const file = await pickFile(effect.accept)
  if (!file) return 'refused'
  result[effect.as] = await uploadFile(engine, file, effect.purpose === undefined ? {} : { purpose: effect.purpose })
  return 'done'
}
