import type { FieldDoc } from '#language/documents/documents.ts'
import { circleFrom, type Link, readsOf } from '#language/lint/circles.ts'
import type { Check } from '#language/lint/world.ts'

/** Checks fields that follow a value: nothing else may begin with one, and they must not follow each other in a circle. */
export const follows: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind !== 'form') continue
    const links = entry.doc.fields.flatMap((field, i) => linksOf(field, `/fields/${i}/follows`))
    const said = new Set<string>()
    for (const link of links) {
      const way = circleFrom(link, links)
      const name = way && [...new Set(way.map(({ from }) => from))].sort().join(' ')
      if (!way || name === undefined || said.has(name)) continue
      said.add(name)
      const circle = [...way.map(({ from }) => from), link.from].map((one) => `"${one}"`).join(' → ')
      yield world.report('follows', entry, link.pointer, `fields follow each other in a circle: ${circle}`)
    }
    for (const [i, { default: start, follows, followsAgain }] of entry.doc.fields.entries()) {
      if (follows !== undefined && start !== undefined)
        yield world.report(
          'follows',
          entry,
          `/fields/${i}/default`,
          'a field that follows a value begins with that value, not with a "default"',
        )
      if (follows === undefined && followsAgain !== undefined)
        yield world.report('follows', entry, `/fields/${i}/followsAgain`, '"followsAgain" has no effect on a field without "follows"')
    }
  }
}

/** The fields from which a field takes its value. */
function linksOf({ name, follows }: FieldDoc, pointer: string): (Link & { pointer: string })[] {
  const read = follows === undefined ? [] : readsOf(follows)
  return read.flatMap((path) => {
    const [root, field] = path.split('.')
    return root === 'form' && field !== undefined ? [{ from: name, to: field, conditional: false, pointer }] : []
  })
}
