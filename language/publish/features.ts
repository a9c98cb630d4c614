import type { AnyDoc, ScreenDoc } from '#language/documents/documents.ts'
import type { Facts } from '#language/documents/walk.ts'
import type { TopicManifest } from '#language/types/catalog.ts'

/**
 * Parts of the language that were added later and that an older build would silently ignore. They are listed among the steps that a
 * document requires, so an older build keeps the previous revision.
 */
const features = [
  'source.on',
  'source.send',
  'lists',
  'source.topics',
  'prompt.each',
  'changes',
  'field.follows',
  'form.pages',
  'values',
  'submit.by',
  'percent.decimals',
] as const
/** The topic that every build knows. */
const firstTopic = 'balance'

/** Later parts of the language that a build with these topics knows. */
export const featuresWith = (topics: readonly Pick<TopicManifest, 'name'>[] = []): string[] => [
  ...features,
  ...topics.flatMap(({ name }) => (name === firstTopic ? [] : [`live.${name}`])),
]

/** Later parts of the language that a document uses. */
export function featuresOf(doc: AnyDoc, { steps }: Pick<Facts, 'steps'>): string[] {
  const sets = steps.some(({ step }) => 'set' in step && Object.keys(step.set).some((path) => path.includes('[')))
  const declares = doc.kind === 'screen' ? doc.lists !== undefined : doc.kind === 'app' && Object.values(doc.device).some(({ of }) => of)
  const changes = (doc.kind === 'screen' || doc.kind === 'form') && doc.changes !== undefined
  const follows = doc.kind === 'form' && doc.fields.some((field) => field.follows !== undefined)
  const repeats = doc.kind === 'prompt' && doc.rows?.some(({ each }) => each !== undefined)
  const names = 'values' in doc && doc.values !== undefined
  return [
    ...(names ? ['values'] : []),
    ...(sets || declares ? ['lists'] : []),
    ...(repeats ? ['prompt.each'] : []),
    ...(changes ? ['changes'] : []),
    ...(follows ? ['field.follows'] : []),
    ...(doc.kind === 'form' && doc.pages ? ['form.pages'] : []),
    ...(doc.kind === 'form' && doc.submit.by !== undefined ? ['submit.by'] : []),
    ...(doc.kind === 'screen' ? ofSources(doc) : []),
    ...(hasDecimalsOfPercent(doc) ? ['percent.decimals'] : []),
  ]
}

/** Whether an expression says the decimals of a percentage, which an older build reads as the wish for a sign. */
function hasDecimalsOfPercent(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  const { format, money } = part as { format?: unknown; money?: unknown }
  const written = [Array.isArray(format) && [format[0], format[2]], Array.isArray(money) && [money[2], money[3]]]
  const isOne = written.some((one) => one && one[0] === 'percent' && typeof one[1] === 'object' && one[1] !== null && 'object' in one[1])
  return isOne || Object.values(part).some(hasDecimalsOfPercent)
}

function ofSources(doc: ScreenDoc): string[] {
  return Object.values(doc.data ?? {}).flatMap(({ on, send, live = firstTopic }) => [
    ...(on ? ['source.on'] : []),
    ...(send ? ['source.send'] : []),
    ...(Array.isArray(live) ? ['source.topics'] : []),
    ...[live].flat().flatMap((topic) => (topic === firstTopic ? [] : [`live.${topic}`])),
  ])
}
