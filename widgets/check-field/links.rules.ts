import type { CheckFieldProps } from '#widgets/check-field/check-field.props.ts'

/** Words of the label that lead somewhere. */
export type CheckLink = NonNullable<CheckFieldProps['links']>[number]

type Piece = string | CheckLink

/** A label cut at the words that lead somewhere, each at its first place. Words that the label does not have come after it. */
export function pieces(label: string, links: readonly CheckLink[]): Piece[] {
  const placed = links
    .map((link) => ({ link, at: link.text === '' ? -1 : label.indexOf(link.text) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  const cut: Piece[] = []
  const used = new Set<CheckLink>()
  let from = 0
  for (const { link, at } of placed) {
    if (at < from) continue
    if (at > from) cut.push(label.slice(from, at))
    cut.push(link)
    used.add(link)
    from = at + link.text.length
  }
  if (from < label.length) cut.push(label.slice(from))
  for (const link of links) if (!used.has(link) && link.text !== '') cut.push(' ', link)
  return cut
}
