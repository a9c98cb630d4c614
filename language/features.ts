import type { TopicManifest } from '#language/catalog.ts'
import type { AnyDoc } from '#language/documents.ts'

/**
 * Parts of the language that came after its first version, and that a build without them would pass over: the document would work, but not do
 * what it says. They stand among the steps that a document requires, so such a build keeps the revision before.
 */
const features = ['source.on'] as const
/** The topic that every build knows. */
const firstTopic = 'balance'

/** The later parts of the language that a build with these topics knows. */
export const featuresWith = (topics: readonly Pick<TopicManifest, 'name'>[] = []): string[] => [
  ...features,
  ...topics.flatMap(({ name }) => (name === firstTopic ? [] : [`live.${name}`])),
]

/** The later parts of the language that a document uses. */
export function featuresOf(doc: AnyDoc): string[] {
  if (doc.kind !== 'screen') return []
  return Object.values(doc.data ?? {}).flatMap(({ on, live = firstTopic }) => [
    ...(on ? ['source.on'] : []),
    ...(live === firstTopic ? [] : [`live.${live}`]),
  ])
}
