import type { ReleaseInfo } from '#language/publishing.ts'

/**
 * Who made a release what it is. A roll-back has the content of an earlier release, whose author did nothing just now: it is by who rolled
 * back.
 */
export const madeBy = ({ kind, author, publisher }: Pick<ReleaseInfo, 'kind' | 'author' | 'publisher'>): string =>
  kind === 'rollback' ? publisher : author
