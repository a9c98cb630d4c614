import { hash, parseOptions, verify } from '@node-rs/argon2'
import { ApiProblem } from '#contract/problem.ts'
import { isTooLong, passwordForm } from '#server-kit/security/password.rules.ts'
import { randomToken } from '#server-kit/security/secrets.ts'

/** Argon2id. 46 MiB and one pass: OWASP's and ASVS's figures; about 25 ms of one core. */
const hashParameters = { memoryCost: 47_104, timeCost: 1, parallelism: 1 } as const
const hasherLimits = { atOnce: 2, waitingMax: 200 } as const

export interface Hasher {
  /** @throws ApiProblem('busy') when too many wait already */
  hash(password: string): Promise<string>
  /**
   * With the parameters that the stored hash names. Without a stored hash the same work is done and the answer is no.
   * @throws ApiProblem('busy') when too many wait already
   */
  verify(stored: string | undefined | null, password: string): Promise<boolean>
  /** True for a hash that was made with other parameters than today's. */
  isDated(stored: string): boolean
  /** How many hashes were computed since the start. */
  count(): number
}

export async function createHasher(): Promise<Hasher> {
  let running = 0
  let count = 0
  const waiting: (() => void)[] = []

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= hasherLimits.atOnce) {
      if (waiting.length >= hasherLimits.waitingMax) throw new ApiProblem('busy')
      await new Promise<void>((go) => waiting.push(go))
    } else running++
    try {
      count++
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
  const nobody = await hash(randomToken(), hashParameters)

  return {
    hash: (password) => inTurn(() => hash(passwordForm(password), hashParameters)),
    async verify(stored, password) {
      if (isTooLong(password)) return false
      const right = await inTurn(() => verify(stored ?? nobody, passwordForm(password)))
      return right && typeof stored === 'string'
    },
    isDated(stored) {
      const { memoryCost, timeCost, parallelism } = parseOptions(stored)
      return memoryCost !== hashParameters.memoryCost || timeCost !== hashParameters.timeCost || parallelism !== hashParameters.parallelism
    },
    count: () => count,
  }
}
