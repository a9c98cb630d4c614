import { mergeOrder } from '#language/edit/merge-order.ts'
import { record, type Thing, type Things } from '#language/edit/parts.ts'
import { canonical } from '#language/publish/canonical.ts'
import type { MergeConflict } from '#language/publish/publishing.ts'
import { below, segmentsOf } from '#language/text/position.ts'

export type Side = 'mine' | 'theirs'
/** A conflict between both sides. `key` identifies it in the document. */
type Clash = Pick<MergeConflict, 'pointer' | 'node' | 'member' | 'base' | 'mine' | 'theirs'> & { key: string }

/** Merges one document; `choose` returns the decision for a conflict by its key. Undecided conflicts take the value of `mine`. */
export function mergeThings(
  base: Things,
  mine: Things,
  theirs: Things,
  choose: (key: string) => Side | undefined,
): { value: unknown; conflicts: Clash[] } {
  const merger = new Merger(base, mine, theirs, choose)
  return { value: merger.merge(), conflicts: merger.conflicts }
}

type Values = Pick<Clash, 'base' | 'mine' | 'theirs'>
const parentOf = (home: string) => home.split('\n', 1)[0] as string
const same = (a: unknown, b: unknown) =>
  a === b || (a !== undefined && b !== undefined && a !== record && b !== record && canonical(a) === canonical(b))

class Merger {
  readonly conflicts: Clash[] = []
  private readonly base: Things
  private readonly mine: Things
  private readonly theirs: Things
  private readonly choose: (key: string) => Side | undefined
  private readonly decided = new Map<string, Side>()
  private readonly homes = new Map<string, string>()
  private readonly children = new Map<string, string[]>()

  constructor(base: Things, mine: Things, theirs: Things, choose: (key: string) => Side | undefined) {
    this.base = base
    this.mine = mine
    this.theirs = theirs
    this.choose = choose
  }

  merge(): unknown {
    const alive = this.alive()
    for (const key of alive) this.homes.set(key, this.home(key))
    this.settle()
    this.straighten()
    for (const [key, home] of this.homes) if (key !== '') this.children.set(home, [...(this.children.get(home) ?? []), key])
    return this.build('')
  }

  private decide(key: string, at: string, member: string, values: Values): Side {
    const id = member === '' ? key : `${key}#${member}`
    const before = this.decided.get(id)
    if (before) return before
    const side = this.choose(id)
    if (!side) {
      const thing = (this.mine.get(key) ?? this.theirs.get(key) ?? this.base.get(key)) as Thing
      const names = thing.named && at !== ''
      const about = { pointer: thing.pointer + at, node: names ? member : thing.id, member: names ? '' : member }
      const written = Object.entries(values).filter(([, value]) => value !== undefined)
      this.conflicts.push({ key: id, ...about, ...Object.fromEntries(written) })
    }
    this.decided.set(id, side ?? 'mine')
    return side ?? 'mine'
  }

  /**
   * Keys of the things that stay. A thing that one side removed is removed, unless the other side changed or filled it, which is a
   * conflict.
   */
  private alive(): Set<string> {
    const dead = new Set([...this.deletions(this.mine, this.theirs, 'theirs'), ...this.deletions(this.theirs, this.mine, 'mine')])
    const alive = new Set([...this.mine.keys(), ...this.theirs.keys()].filter((key) => !dead.has(key)))
    // Things added to a removed thing are removed with it.
    for (const side of [this.mine, this.theirs]) {
      const other = side === this.mine ? this.theirs : this.mine
      for (const [key, { home }] of side) {
        if (key !== '' && !this.base.has(key) && !other.has(key) && !alive.has(parentOf(home))) alive.delete(key)
      }
    }
    return alive
  }

  private deletions(without: Things, other: Things, name: Side): string[] {
    const isGone = (key: string) => key !== '' && this.base.has(key) && !without.has(key) && other.has(key)
    const groups = new Map<string, Set<string>>()
    for (const key of this.base.keys()) {
      if (!isGone(key)) continue
      let root = key
      for (let up = parentOf((this.base.get(root) as Thing).home); isGone(up); up = parentOf((this.base.get(root) as Thing).home)) root = up
      groups.set(root, (groups.get(root) ?? new Set()).add(key))
    }
    const filled = new Set(
      [...other.values()].filter(({ key, home }) => this.base.get(key)?.home !== home).map(({ home }) => parentOf(home)),
    )
    return [...groups].flatMap(([root, keys]) => {
      const touched = [...keys].some((key) => filled.has(key) || this.isChanged(key, other))
      const values = { base: this.base.get(root)?.value, mine: this.mine.get(root)?.value, theirs: this.theirs.get(root)?.value }
      return touched && this.decide(root, '', '', values) === name ? [] : [...keys]
    })
  }

  private isChanged(key: string, side: Things): boolean {
    const [old, now] = [this.base.get(key), side.get(key)]
    if (!old || !now) return true
    return (
      old.home !== now.home ||
      [...new Set([...old.members.keys(), ...now.members.keys()])].some((at) => !same(old.members.get(at), now.members.get(at)))
    )
  }

  private home(key: string): string {
    const [base, mine, theirs] = [this.base, this.mine, this.theirs].map((side) => side.get(key)?.home)
    if (mine === undefined || theirs === undefined || mine === theirs) return (mine ?? theirs) as string
    if (base === mine) return theirs
    if (base === theirs) return mine
    return this.decide(key, '', 'place', this.places(key)) === 'mine' ? mine : theirs
  }

  private places(key: string): Values {
    const place = (side: Things) => {
      const { pointer, at } = side.get(key) ?? {}
      return pointer === undefined ? undefined : { in: pointer.slice(0, pointer.lastIndexOf('/')), at }
    }
    return { base: place(this.base), mine: place(this.mine), theirs: place(this.theirs) }
  }

  /** Moves things out of removed parents: to the parent on the other side, or further up. */
  private settle(): void {
    for (const [key, home] of this.homes) {
      if (key === '' || this.homes.has(parentOf(home))) continue
      const others = [this.mine, this.theirs, this.base].flatMap((side) => side.get(key)?.home ?? [])
      const known = others.find((other) => this.homes.has(parentOf(other)))
      let up = others[0] as string
      while (!this.homes.has(parentOf(up)))
        up = ((this.mine.get(parentOf(up)) ?? this.base.get(parentOf(up)) ?? this.theirs.get(parentOf(up))) as Thing).home
      this.homes.set(key, known ?? up)
    }
  }

  /** Two moves that would put two things into each other are a conflict. */
  private straighten(): void {
    for (const key of this.homes.keys()) {
      const ring = this.ringFrom(key)
      if (ring.length === 0) continue
      const moved = ring.find((one) => this.mine.get(one)?.home !== this.theirs.get(one)?.home) ?? key
      const side = this.decide(moved, '', 'place', this.places(moved))
      for (const one of ring) this.homes.set(one, (this[side].get(one) ?? this.mine.get(one) ?? this.theirs.get(one))?.home as string)
      if (this.ringFrom(key).length > 0) for (const one of ring) this.homes.set(one, this.base.get(one)?.home ?? '\n/body')
    }
  }

  private ringFrom(key: string): string[] {
    const seen: string[] = []
    for (let at = key; at !== ''; at = parentOf(this.homes.get(at) ?? '')) {
      if (seen.includes(at)) return seen.slice(seen.indexOf(at))
      seen.push(at)
    }
    return []
  }

  /** A member of a thing after merging; undefined when it is absent. */
  private member(key: string, at: string): unknown {
    const [old, mine, theirs] = [this.base.get(key), this.mine.get(key), this.theirs.get(key)]
    if (!mine || !theirs) return (mine ?? theirs)?.members.get(at)
    const [was, here, there] = [old, mine, theirs].map((thing) => thing?.members.get(at))
    if (same(here, there) || same(was, there)) return here
    if (same(was, here)) return there
    const written = (value: unknown) => (value === record ? {} : value)
    const side = this.decide(key, at, segmentsOf(at).join('.') || 'value', {
      base: written(was),
      mine: written(here),
      theirs: written(there),
    })
    return side === 'mine' ? here : there
  }

  private build(key: string): unknown {
    const versions = [this.mine.get(key), this.theirs.get(key)].filter((thing) => thing !== undefined)
    const places = [...new Set(versions.flatMap(({ members, lists }) => [...members.keys(), ...lists.keys()]))]
    const whole = versions.some(({ members }) => members.has('')) ? this.member(key, '') : undefined
    if (whole !== undefined) return whole
    const branch = new Branch()
    for (const at of places) {
      const value = versions.some(({ members }) => members.has(at)) ? this.member(key, at) : undefined
      if (value === record) branch.at(at)
      else if (value !== undefined) branch.put(at, value)
      if (versions.some(({ lists }) => lists.has(at)) && (value === undefined || value === record)) this.putList(branch, key, at)
    }
    return branch.value(versions.map(({ value }) => value))
  }

  private putList(branch: Branch, key: string, at: string): void {
    const [old, mine, theirs] = [this.base, this.mine, this.theirs].map((side) => side.get(key)?.lists.get(at))
    const form = (this.mine.get(key) ?? this.theirs.get(key))?.forms.get(at) ?? this.theirs.get(key)?.forms.get(at)
    const here = new Set(this.children.get(`${key}\n${at}`))
    const bothKnow = this.mine.has(key) && this.theirs.has(key)
    if (here.size === 0 && (form === 'one' || (bothKnow && old && !(mine && theirs)))) return
    const name = `${segmentsOf(at).join('.')}.order`
    const ids = (keys: readonly string[] | undefined) =>
      keys?.map((one) => (this.mine.get(one) ?? this.theirs.get(one) ?? this.base.get(one))?.id)
    const ask = () => (form === 'record' ? 'mine' : this.decide(key, at, name, { base: ids(old), mine: ids(mine), theirs: ids(theirs) }))
    const keys = mergeOrder(here, old ?? [], mine ?? [], theirs ?? [], ask)
    const idOf = (one: string) => (this.mine.get(one) ?? this.theirs.get(one))?.id ?? ''
    if (form === 'list')
      branch.put(
        at,
        keys.map((one) => this.build(one)),
      )
    else if (form === 'record') {
      const names = branch.at(at)
      for (const one of keys) names.put(below('', idOf(one)), this.build(one))
    } else branch.put(at, this.build(this.only(key, at, keys, mine?.[0], theirs?.[0])))
  }

  /** A place for a single thing, in which both sides put different things, is a conflict. */
  private only(key: string, at: string, keys: readonly string[], mine: string | undefined, theirs: string | undefined): string {
    const [first, second] = keys as [string, string?]
    if (second === undefined) return first
    const written = (one: string | undefined) => (one === undefined ? undefined : this.build(one))
    const side = this.decide(key, at, segmentsOf(at).join('.'), { mine: written(mine), theirs: written(theirs) })
    return side === 'theirs' ? (theirs ?? second) : (mine ?? first)
  }
}

/** An object built up by pointers. */
class Branch {
  private readonly members = new Map<string, { value: unknown } | Branch>()

  at(pointer: string): Branch {
    return segmentsOf(pointer).reduce<Branch>((branch, name) => branch.below(name), this)
  }

  put(pointer: string, value: unknown): void {
    const name = segmentsOf(pointer).at(-1) as string
    this.at(pointer.slice(0, pointer.lastIndexOf('/'))).members.set(name, { value })
  }

  private below(name: string): Branch {
    const known = this.members.get(name)
    const branch = known instanceof Branch ? known : new Branch()
    this.members.set(name, branch)
    return branch
  }

  /** Names in the order of the first model; additional names follow their predecessor in the second model. */
  value(models: readonly unknown[]): Record<string, unknown> {
    const [first = [], second = []] = models.map((model) => (typeof model === 'object' && model !== null ? Object.keys(model) : []))
    const names = mergeOrder(new Set(this.members.keys()), [], first, second, () => 'mine')
    return Object.fromEntries(
      names.map((name) => {
        const part = this.members.get(name)
        const inner = models.map((model) =>
          typeof model === 'object' && model !== null ? (model as Record<string, unknown>)[name] : undefined,
        )
        return [name, part instanceof Branch ? part.value(inner) : part?.value]
      }),
    )
  }
}
