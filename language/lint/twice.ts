import { isOption } from '#language/lint/dead-ends.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Text below this cannot be read on a phone. */
const typeMinPx = 10

/** What looks like another thing: options and forms that stand twice, gain that looks like loss, text that is too small. */
export const twice: Check = function* (world) {
  for (const entry of world.entries) {
    if (entry.doc.kind === 'theme') {
      for (const palette of ['dark', 'light'] as const)
        for (const [gain, loss] of [
          ['up', 'down'],
          ['up-text', 'down-text'],
          ['up-soft', 'down-soft'],
        ] as const)
          if (entry.doc[palette][gain] !== undefined && entry.doc[palette][gain]?.toLowerCase() === entry.doc[palette][loss]?.toLowerCase())
            yield world.report(
              'twice',
              entry,
              `/${palette}/${gain}`,
              `"${gain}" and "${loss}" are one colour, so that gain looks like loss`,
            )
      for (const [name, px] of Object.entries(entry.doc.type))
        if (px < typeMinPx)
          yield world.report('twice', entry, below('/type', name), `text of ${px} px cannot be read, at least ${typeMinPx} are needed`)
    }
    const forms = new Set<string>()
    for (const { node, pointer, field, fragment } of entry.own.nodes) {
      if (fragment !== undefined) continue
      const [options, at] = field ? [field.options, `${pointer}/options`] : [node.props?.options, `${pointer}/props/options`]
      yield* chosenTwice(world, entry, options, at)
      const form = node.widget.split('@', 1)[0] === 'form' ? node.props?.form : undefined
      if (typeof form !== 'string') continue
      if (forms.has(form)) yield world.report('twice', entry, `${pointer}/props/form`, `the form "${form}" stands twice on this screen`)
      forms.add(form)
    }
  }
}

function* chosenTwice(world: World, entry: Entry, options: unknown, pointer: string): Generator<LintProblem> {
  const seen = new Set<string>()
  for (const [i, one] of (Array.isArray(options) ? options : []).entries()) {
    if (!isOption(one)) continue
    if (seen.has(one.id)) yield world.report('twice', entry, `${pointer}/${i}/id`, `"${one.id}" can be chosen twice`)
    seen.add(one.id)
  }
}
