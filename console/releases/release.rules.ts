import type { ReleaseInfo } from '#language/publish/publishing.ts'

/**
 * Who made a release what it is. A roll-back has the content of an earlier release, whose author did nothing just now: it is by who rolled
 * back.
 */
export const madeBy = ({ kind, author, publisher }: Pick<ReleaseInfo, 'kind' | 'author' | 'publisher'>): string =>
  kind === 'rollback' ? publisher : author

/**
 * Releases that the guard stopped and that no later one has replaced, the newest first: somebody must look at them.
 * @param releases in any order
 */
export function alarmsOf(releases: readonly ReleaseInfo[]): ReleaseInfo[] {
  const replacedBy = Math.max(
    0,
    ...releases.filter(({ kind, state }) => kind === 'publish' && state !== 'stopped').map(({ number }) => number),
  )
  return releases
    .filter(({ number, state, stop }) => state === 'stopped' && stop?.automatic === true && number > replacedBy)
    .sort((a, b) => b.number - a.number)
}

const reasons = ['error_rate', 'failure_rate', 'latency'] as const

/** The limit that a release broke, of a reason `<code>: words`; undefined for a reason in somebody's own words. */
export const limitOf = (reason: string): (typeof reasons)[number] | undefined => reasons.find((code) => reason.startsWith(`${code}:`))
