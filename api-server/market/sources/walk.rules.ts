import { createStream, gaussFrom } from '#api-server/market/sources/noise.rules.ts'

/**
 * The simulated present: a geometric random walk that reverts slowly to its base price, with calm and busy regimes.
 * Nothing is computed ahead: each step draws from a stream that is seeded at start.
 */
export interface WalkParameters {
  /** Price to which the walk reverts, in ticks. */
  basePrice: number
  dayVolatility: number
  ticksPerSecond: number
  /** Average size of one trade, in units of size. */
  tradeSize: number
}

interface WalkStep {
  /** In ticks. */
  price: number
  /** In units of size. */
  size: number
  time: number
}

const dayMs = 86_400_000
const pullDays = 10
const regimeMs = 20 * 60_000
/** After a longer suspension the process continues with one step and does not make up for the lost time. */
const sleptMs = 2_000

export interface Walk {
  /** Returns the steps in (last call, now], at most a few. The first call only sets the time. */
  advance(now: number): WalkStep[]
  readonly price: number
}

/** @param startPrice in ticks */
export function createWalk(p: WalkParameters, startPrice: number, seed: number): Walk {
  const next = createStream(seed)
  let exact = startPrice
  let at: number | undefined
  let due = 0
  let busy = 1
  let drift = 0
  let regimeEnds = 0
  // Bounded, so that a simulated price never counts as old.
  const wait = () => Math.max(40, ((0.4 + 1.2 * next()) * 1_000) / p.ticksPerSecond)

  function step(time: number, elapsedMs: number): WalkStep {
    if (time >= regimeEnds || regimeEnds > time + 10 * regimeMs) {
      regimeEnds = time + regimeMs * (0.5 + next())
      busy = 0.6 + 0.8 * next()
      drift = (p.dayVolatility * gaussFrom(next)) / 2
    }
    const days = elapsedMs / dayMs
    const pull = (Math.log(p.basePrice / exact) * days) / pullDays
    exact *= Math.exp(pull + drift * days + busy * p.dayVolatility * Math.sqrt(days) * gaussFrom(next))
    exact = Math.max(1, exact)
    const size = Math.max(1, Math.round(p.tradeSize * busy * -Math.log(1 - next())))
    return { price: Math.max(1, Math.round(exact)), size, time }
  }

  return {
    advance(now) {
      if (at === undefined || now < at) {
        at = now
        due = now + wait()
        return []
      }
      if (now - at > sleptMs) {
        const slept = Math.min(now - at, sleptMs)
        at = now
        due = now + wait()
        return [step(now, slept)]
      }
      const steps: WalkStep[] = []
      while (due <= now) {
        const time = Math.floor(due)
        steps.push(step(time, due - at))
        at = due
        due += wait()
      }
      return steps
    },
    get price() {
      return Math.max(1, Math.round(exact))
    },
  }
}
