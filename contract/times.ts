/** Smaller times are seconds, others milliseconds: up to ten digits, or eleven and more. */
const secondsBelow = 10_000_000_000

/** Milliseconds of a time since 1970 UTC that may be given in seconds. Calls, screens and widgets read times by this rule alone. */
export const msOf = (time: number): number => (Math.abs(time) < secondsBelow ? time * 1_000 : time)
