import type { Branch } from '#renderer/inspector/tree.ts'

export type Mark = 'hidden' | 'disabled' | 'busy' | 'absent' | 'broken' | 'loading' | 'stale' | 'failed'

/** Returns the unusual states of a node now; none for one that shows and is ready. */
export function marksOf({ model }: Pick<Branch, 'model'>): Mark[] {
  if (!model) return ['absent']
  const { shown, enabled, busy, status } = model.getSnapshot()
  const missing: Mark[] = model.node.widget ? [] : ['broken']
  if (!shown) return [...missing, 'hidden']
  return [
    ...missing,
    ...(enabled ? [] : (['disabled'] as const)),
    ...(busy ? (['busy'] as const) : []),
    ...(status === 'ready' ? [] : [status]),
  ]
}
