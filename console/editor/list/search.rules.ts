import { type DocumentEntry, kindRank } from '#console/editor/list/entries.rules.ts'
import { searchForm } from '#contract/text.ts'

/** A document with the place of the first match and the matching text. */
export interface Hit {
  entry: DocumentEntry
  in: 'title' | 'id' | 'route' | 'word' | 'widget' | 'call' | 'name'
  found: string
}

/** All words must match somewhere in a document. Documents that match in the title come first. */
export function search(entries: readonly DocumentEntry[], text: string): Hit[] {
  const words = searchForm(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries.map((entry) => ({ entry, in: 'title', found: '' }))
  const hits = entries.flatMap((entry) => {
    const places: [Hit['in'], readonly string[]][] = [
      ['title', [entry.title]],
      ['id', [entry.id]],
      ['route', entry.routes],
      ['word', entry.words],
      ['widget', entry.widgets],
      ['call', entry.calls],
      ['name', entry.names],
    ]
    const folded = places.map(([place, texts]) => [place, texts, texts.map(searchForm)] as const)
    let worst = -1
    let found = ''
    for (const word of words) {
      let best = -1
      for (const [rank, [, texts, plain]] of folded.entries()) {
        const at = plain.findIndex((one) => one.includes(word))
        if (at < 0) continue
        best = rank
        if (rank >= worst) found = texts[at] as string
        break
      }
      if (best < 0) return []
      worst = Math.max(worst, best)
    }
    return [{ rank: worst, hit: { entry, in: (places[worst] as [Hit['in'], unknown])[0], found } satisfies Hit }]
  })
  return hits
    .sort(
      (a, b) =>
        a.rank - b.rank || kindRank(a.hit.entry.kind) - kindRank(b.hit.entry.kind) || a.hit.entry.title.localeCompare(b.hit.entry.title),
    )
    .map(({ hit }) => hit)
}
