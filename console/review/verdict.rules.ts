import type { GuardFigures } from '#language/publish/publishing.ts'

/** What is said of a release. Nobody calls a release healthy that no client has shown a screen of: that is `unseen`. */
export const verdictOf = ({ verdict, shown }: Pick<GuardFigures, 'verdict' | 'shown'>): GuardFigures['verdict'] | 'unseen' =>
  verdict === 'healthy' && shown === 0 ? 'unseen' : verdict
