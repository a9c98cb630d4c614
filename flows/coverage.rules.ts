import type { Look } from '#flows/look.ts'
import type { FormDoc, Logic, ScreenDoc } from '#language/documents/documents.ts'
import { factsOf, type NodePlace } from '#language/documents/walk.ts'
import { toText } from '#language/text/infix.ts'

/** A branch of a screen or of one of its forms, and the outcomes seen. */
export interface Branch {
  screen: string
  /** `screen/home.home`, `form/common.login`. */
  document: string
  pointer: string
  role: 'show' | 'enable' | 'when' | 'if'
  /** Node, field, source or action. */
  of: string
  logic: Logic
  /** The call of a source. */
  call?: string
  /** Ids that the node may have in the page, and those of its ancestors. */
  ids?: readonly string[]
  around?: readonly string[]
}
export interface Seen {
  yes: boolean
  no: boolean
}
/** A branch of which not both outcomes were seen. */
export interface Unseen extends Pick<Branch, 'screen' | 'document' | 'pointer' | 'role' | 'of'> {
  /** The condition as text. */
  text: string
  /** The outcome that was never seen. */
  never: 'true' | 'false' | 'both'
}

const roles = new Set(['show', 'enable', 'when', 'if'])

/** All show, enable, when and if of a screen and its forms, except inside nodes for other states and fallbacks. */
export function branchesOf(screen: ScreenDoc, forms: ReadonlyMap<string, FormDoc>): Branch[] {
  const branches: Branch[] = []
  const take = (
    doc: ScreenDoc | FormDoc,
    idOf: (place: NodePlace) => string[],
    around: (place: NodePlace) => string[],
    idsOfGroup: (group: string) => Pick<Branch, 'ids' | 'around'> = () => ({}),
  ) => {
    const facts = factsOf(doc)
    for (const { logic, role, pointer, node, action } of facts.logics) {
      if (!roles.has(role) || node?.standIn !== undefined) continue
      const source = doc.kind === 'screen' && role === 'when' ? doc.data?.[pointer.split('/')[2] ?? ''] : undefined
      const group = doc.kind === 'form' && pointer.startsWith('/groups/') ? doc.groups?.[Number(pointer.split('/')[2])]?.id : undefined
      branches.push({
        screen: screen.id,
        document: `${doc.kind}/${doc.id}`,
        pointer,
        role: role as Branch['role'],
        of: action?.name ?? node?.node.id ?? group ?? pointer.split('/')[2] ?? '',
        logic: logic as Logic,
        ...(source && { call: source.call }),
        ...(node && !action && { ids: idOf(node), around: around(node) }),
        // A group is drawn with its fields.
        ...(group !== undefined && idsOfGroup(group)),
      })
    }
    return facts
  }
  const { nodes } = take(
    screen,
    ({ node }) => [node.id],
    ({ parent }) => (parent ? [parent.node.id] : []),
  )
  for (const { node } of nodes) {
    const form = node.widget.split('@', 1)[0] === 'form' ? forms.get(String(node.props?.form)) : undefined
    if (form)
      take(
        form,
        (field) => [`${node.id}-${field.node.id}`],
        () => [node.id],
        (group) => ({
          ids: form.fields.filter((field) => field.group === group).map(({ name }) => `${node.id}-${name}`),
          around: [node.id],
        }),
      )
  }
  return branches
}

/** Collects the outcomes of branches, look by look. */
export class Coverage {
  private readonly branches: readonly Branch[]
  private readonly seen = new Map<Branch, Seen>()

  constructor(branches: readonly Branch[]) {
    this.branches = branches
    for (const branch of branches) this.seen.set(branch, { yes: false, no: false })
  }

  /**
   * @param made calls since the screen was opened
   * @param truth current value of an action's condition; undefined when it is not known
   */
  note(look: Look, made: ReadonlySet<string>, truth: (branch: Branch) => boolean | undefined = () => undefined): void {
    for (const branch of this.branches) {
      if (branch.screen !== look.screen) continue
      const way = wayOf(branch, look, made) ?? (branch.role === 'if' ? truth(branch) : undefined)
      const seen = this.seen.get(branch)
      if (!seen || way === undefined) continue
      if (way) seen.yes = true
      else seen.no = true
    }
  }

  /** Branches of the screens with an outcome that was never seen, in the order of the documents. */
  unseen(screens?: ReadonlySet<string>): Unseen[] {
    return this.branches.flatMap((branch) => {
      const { yes, no } = this.seen.get(branch) ?? { yes: false, no: false }
      if ((yes && no) || (screens && !screens.has(branch.screen))) return []
      const { screen, document, pointer, role, of, logic } = branch
      return [{ screen, document, pointer, role, of, text: toText(logic), never: yes ? 'false' : no ? 'true' : 'both' }]
    })
  }

  /** Number of seen outcomes, and of all: two for each branch. */
  count(): { seen: number; of: number } {
    const ways = [...this.seen.values()].reduce((sum, { yes, no }) => sum + Number(yes) + Number(no), 0)
    return { seen: ways, of: this.branches.length * 2 }
  }
}

function wayOf({ role, ids = [], around = [], call }: Branch, { nodes }: Look, made: ReadonlySet<string>): boolean | undefined {
  if (role === 'when') return call === undefined ? undefined : made.has(call)
  if (role === 'if' || ids.length === 0) return undefined
  const own = ids.find((id) => Object.hasOwn(nodes, id))
  if (role === 'enable') return own === undefined ? undefined : nodes[own]
  if (own !== undefined) return true
  // A node that is not drawn covers nothing while its ancestors are not drawn either.
  return around.length === 0 || around.some((id) => Object.hasOwn(nodes, id)) ? false : undefined
}
