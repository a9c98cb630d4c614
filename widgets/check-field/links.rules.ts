import type { CheckFieldProps } from '#widgets/check-field/check-field.props.ts'

/** A link with its words in the label. */
export type CheckLink = NonNullable<CheckFieldProps['links']>[number]

type Piece = string | CheckLink

/** Splits a label at its links, each at its first occurrence. Links whose words do not occur follow at the end. */
export function pieces(label: string, links: readonly CheckLink[]): Piece[] {
  // Words that come from data are absent until it has come.
  const worded = links.filter(({ text }) => Boolean(text))
  const placed = worded
    .map((link) => ({ link, at: label.indexOf(link.text) }))
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
  for (const link of worded) if (!used.has(link)) cut.push(' ', link)
  return cut
}
