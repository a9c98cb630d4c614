import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { passwordText } from '#contract/credentials.ts'
import { timeMs } from '#contract/fields.ts'

const none = z.object({})
const password = passwordText.describe('the login password')

/** Sessions of an account; part of userCalls. */
export const sessionCalls = calls({
  'user.sessions': {
    method: 'GET',
    path: '/user/sessions',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      list: z
        .array(
          z.object({
            id: z.string(),
            device: z.string().describe('browser and system, such as Chrome · Android; empty when unknown'),
            agent: z.string().describe('which app'),
            ip: z.string(),
            created: timeMs,
            seen: timeMs,
            current: z.boolean(),
          }),
        )
        .meta({ key: 'id' }),
    }),
    problems: [],
    summary: 'Sessions of the account, the present one first',
  },
  'user.endSession': {
    method: 'POST',
    path: '/user/endSession',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({ id: z.string().min(1).max(60), password }),
    output: none,
    problems: ['not_found', 'password_wrong', 'too_many_tries'],
    summary: 'Ends one session of the account',
  },
  'user.endOtherSessions': {
    method: 'POST',
    path: '/user/endOtherSessions',
    auth: 'user',
    keyed: 'data',
    whileFrozen: true,
    input: z.object({ password }),
    output: z.object({ ended: z.int().nonnegative() }),
    problems: ['password_wrong', 'too_many_tries'],
    summary: 'Ends all sessions except this one',
  },
})
