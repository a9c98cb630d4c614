/** The two clocks of a device, as an environment or a test gives them. */
export interface DeviceClock {
  /** Milliseconds since 1970 as the device shows them: may be wrong, and anybody may set it. */
  wall(): number
  /** Milliseconds that nobody sets. May stand still while the device sleeps. */
  steady(): number
}

/**
 * The one clock of an app. The server's answers set it, so a wrong clock of the device has no effect; between two answers it is carried on by a
 * clock that nobody sets, and by the device's own over a sleep.
 */
export interface Clock {
  /** Time of the server in milliseconds since 1970, as far as its answers have reported it. It goes back only when an answer says so. */
  now(): number
  /** Whether an answer has set it. Until then the time is the device's own. */
  known(): boolean
  /** Milliseconds since the clock was made, sleep included; never goes back. For durations. */
  elapsed(): number
  /**
   * The server has said its time.
   * @param roundTripMs time since the request left: the server's moment lies somewhere in it
   * @param stepMs how coarse the time is: 1,000 for one without parts of a second
   */
  heard(serverMs: number, roundTripMs: number, stepMs?: number): void
  /** Whether a time that the server has sent by itself, and that was under way for an unknown time, contradicts this clock. */
  contradicts(serverMs: number): boolean
  /** @param run hears by how many milliseconds the clock has jumped; never of less than half a second */
  onJump(run: (byMs: number) => void): () => void
}

export interface ClockOptions {
  device: DeviceClock
  /** How far the server was ahead of the device when the app was last open, in milliseconds; used until the first answer. */
  ahead?: number | undefined
  /** Keeps that for the next time. */
  keep?: (aheadMs: number) => void
}

/** The clocks of this browser. */
export const browserClock: DeviceClock = { wall: () => Date.now(), steady: () => performance.now() }

/** A sleep, or a device whose clock was set: the two clocks of the device have parted by more. */
const sleepMs = 1_000
/** Smallest jump that listeners hear of; a smaller one is corrected silently. */
const jumpMs = 500
/** A message that was under way for less than this says nothing of the clock. */
const underWayMs = 1_000
/** How fast two clocks part at most. */
const drift = 1e-4
/** The last moment that a date can be. */
const timeMax = 8.64e15

export function createClock({ device, ahead, keep }: ClockOptions): Clock {
  const listeners = new Set<(byMs: number) => void>()
  let wall = device.wall()
  let steady = device.steady()
  /** Milliseconds since the start, at `steady`. */
  let passed = 0
  /** The server's time is `passed + base`, give or take `error`. */
  let base = wall + (ahead !== undefined && Math.abs(ahead) < timeMax ? ahead : 0)
  let error = Number.POSITIVE_INFINITY
  let heardAt = Number.NEGATIVE_INFINITY
  let kept = ahead ?? 0

  function tell(byMs: number): void {
    if (Math.abs(byMs) < jumpMs) return
    // The clock may have been read while something is drawn.
    queueMicrotask(() => {
      for (const run of listeners) run(byMs)
    })
  }

  function elapsed(): number {
    const [nextWall, nextSteady] = [device.wall(), device.steady()]
    const ran = Math.max(0, nextSteady - steady)
    const slept = nextWall - wall - ran
    wall = nextWall
    steady = nextSteady
    passed += ran
    if (slept > sleepMs) {
      passed += slept
      // Somebody may have set the clock of the device, so the next answer counts whatever it says.
      error = Number.POSITIVE_INFINITY
      tell(slept)
    }
    return passed
  }

  const errorAt = (at: number) => error + Math.max(0, at - heardAt) * drift

  return {
    elapsed,
    now: () => elapsed() + base,
    known: () => heardAt >= 0,
    heard(serverMs, roundTripMs, stepMs = 0) {
      if (!Number.isFinite(serverMs) || serverMs <= 0 || serverMs > timeMax || !(roundTripMs >= 0)) return
      const at = elapsed()
      const half = (roundTripMs + stepMs) / 2
      const by = serverMs + half - at - base
      const before = errorAt(at)
      // A less exact answer that agrees with the known time adds nothing.
      if (half >= before && Math.abs(by) <= half + before) return
      base += by
      error = half
      heardAt = at
      tell(by)
      const nextAhead = Math.round(at + base - wall)
      if (Math.abs(nextAhead - kept) >= jumpMs) keep?.((kept = nextAhead))
    },
    contradicts(serverMs) {
      const at = elapsed()
      const ahead = serverMs - at - base
      return Number.isFinite(serverMs) && (ahead > errorAt(at) || -ahead > errorAt(at) + underWayMs)
    },
    onJump(run) {
      listeners.add(run)
      return () => void listeners.delete(run)
    },
  }
}
