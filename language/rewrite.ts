import type { Node } from 'jsonc-parser'
import { canonical } from '#language/canonical.ts'
import { listed, opened, print, readTree, type Style } from '#language/json-text.ts'

/**
 * The text that means `value` and differs least from `text`: what is equal keeps its bytes, also where it moved in or between lists.
 * Order of names counts. @throws EditProblem when `text` is not JSON
 */
export function rewrite(text: string, value: unknown): string {
  const { tree, value: before } = readTree(text)
  if (same(before, value)) return text
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  const writer = new Writer(text, tree, unit)
  return text.slice(0, tree.offset) + writer.write(tree, value, { unit, indent: '', used: 0 }) + text.slice(tree.offset + tree.length)
}

const idMembers = ['id', 'name', 'use', 'field'] as const

class Writer {
  private readonly text: string
  private readonly tree: Node
  private readonly unit: string
  private moved: Map<string, Node> | undefined

  constructor(text: string, tree: Node, unit: string) {
    this.text = text
    this.tree = tree
    this.unit = unit
  }

  /** `value` where `part` stood, or where nothing stood. */
  write(part: Node | undefined, value: unknown, style: Style): string {
    if (part && same(meaningOf(part), value)) return this.kept(part, style)
    if (typeof value !== 'object' || value === null) return print(value, style)
    if (Array.isArray(value)) return this.list(part?.type === 'array' ? part : undefined, value, style)
    if (!part) {
      const elsewhere = this.elsewhere(value)
      if (elsewhere) return this.kept(elsewhere, style)
    }
    return this.object(part?.type === 'object' ? part : undefined, value as Record<string, unknown>, style)
  }

  private object(part: Node | undefined, value: Record<string, unknown>, style: Style): string {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    const old = new Map((part?.children ?? []).map((property) => [property.children?.[0]?.value as string, property.children?.[1]]))
    if (part && sameNames([...old.keys()], members) && part.children?.length === old.size) {
      return this.spliced(
        part,
        members.map(([name, member]) => [old.get(name) as Node, member]),
      )
    }
    const writers = members.map(([name, member]) => [name, (inside: Style) => this.write(old.get(name), member, inside)] as const)
    const oneLine = part && part.length > 2 && !this.slice(part).includes('\n') ? this.closed(writers, style) : undefined
    return oneLine ?? opened(writers, { ...style, unit: this.unitIn(part, style) })
  }

  /** An object that people wrote on one line stays there while it fits. */
  private closed(writers: readonly (readonly [string, (style: Style) => string])[], style: Style): string | undefined {
    if (writers.length === 0) return '{}'
    const text = `{ ${writers.map(([name, write]) => `${JSON.stringify(name)}: ${write({ ...style, used: 0 })}`).join(', ')} }`
    return text.includes('\n') || style.used + text.length > 160 ? undefined : text
  }

  private list(part: Node | undefined, value: readonly unknown[], style: Style): string {
    const old = part?.children ?? []
    const match = matched(old, value)
    if (part && value.length === old.length && value.length > 0 && match.every((item, i) => item === old[i])) {
      const text = this.spliced(
        part,
        value.map((item, i) => [old[i] as Node, item]),
      )
      if (text.includes('\n') || style.used + text.length <= 160) return text
    }
    const unit = this.unitIn(part, style)
    const inside: Style = { unit: this.unit, indent: style.indent + unit, used: style.indent.length + unit.length + 1 }
    const parts = value.map((item, i) => this.write(match[i], item ?? null, inside))
    return listed(
      parts,
      { ...style, unit },
      value.every((item) => typeof item === 'number'),
    )
  }

  /** The part as it is written, with other values in it. */
  private spliced(part: Node, values: readonly (readonly [old: Node, value: unknown])[]): string {
    let text = ''
    let at = part.offset
    for (const [old, value] of values) {
      text += this.text.slice(at, old.offset) + this.write(old, value, this.styleAt(old))
      at = old.offset + old.length
    }
    return text + this.text.slice(at, part.offset + part.length)
  }

  private styleAt(part: Node): Style {
    const lineFrom = this.text.lastIndexOf('\n', part.offset - 1) + 1
    const line = this.text.slice(lineFrom, part.offset)
    return { unit: this.unit, indent: /^[ \t]*/.exec(line)?.[0] ?? '', used: line.length + 1 }
  }

  /** How far the members of a part stand in. */
  private unitIn(part: Node | undefined, { indent }: Style): string {
    const first = part?.children?.[0]
    const inner = first ? this.styleAt(first).indent : ''
    return inner.startsWith(indent) && inner.length > indent.length ? inner.slice(indent.length) : this.unit
  }

  private kept(part: Node, { indent }: Style): string {
    const from = this.styleAt(part).indent
    const text = this.slice(part)
    return from === indent ? text : text.replaceAll(`\n${from}`, `\n${indent}`)
  }

  private slice(part: Node): string {
    return this.text.slice(part.offset, part.offset + part.length)
  }

  /** The same object at another place: what moves is not written anew. */
  private elsewhere(value: object): Node | undefined {
    if (!this.moved) {
      this.moved = new Map()
      collect(this.tree, this.moved)
    }
    return this.moved.get(JSON.stringify(value))
  }
}

function collect(part: Node, into: Map<string, Node>): void {
  if (part.type === 'object') {
    const key = JSON.stringify(meaningOf(part))
    if (!into.has(key)) into.set(key, part)
  }
  for (const child of part.children ?? []) collect(child, into)
}

/** Which old item stands for each new one: an equal one, one of the same id, or the next that is left. */
function matched(old: readonly Node[], value: readonly unknown[]): (Node | undefined)[] {
  const left = new Set(old)
  const found: (Node | undefined)[] = value.map(() => undefined)
  const by = (keyOf: (item: unknown) => string | undefined) => {
    const waiting = new Map<string, Node[]>()
    for (const node of left) {
      const key = keyOf(meaningOf(node))
      if (key !== undefined) waiting.set(key, [...(waiting.get(key) ?? []), node])
    }
    value.forEach((item, i) => {
      const key = found[i] ? undefined : keyOf(item)
      const node = key === undefined ? undefined : waiting.get(key)?.shift()
      if (!node) return
      found[i] = node
      left.delete(node)
    })
  }
  by((item) => JSON.stringify(item))
  by((item) => {
    const name = typeof item === 'object' && item !== null ? idMembers.find((member) => Object.hasOwn(item, member)) : undefined
    return name && canonical((item as Record<string, unknown>)[name])
  })
  if (old.length === value.length) old.forEach((node, i) => void (found[i] ??= left.has(node) ? node : undefined))
  return found
}

function sameNames(names: readonly string[], members: readonly (readonly [string, unknown])[]): boolean {
  return names.length === members.length && members.every(([name], i) => name === names[i])
}

/** Equal, order of names included. */
function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
}

const values = new WeakMap<Node, unknown>()
function meaningOf(part: Node): unknown {
  if (part.type === 'string' || part.type === 'number' || part.type === 'boolean' || part.type === 'null') return part.value
  const before = values.get(part)
  if (before !== undefined) return before
  const made =
    part.type === 'array'
      ? (part.children ?? []).map(meaningOf)
      : Object.fromEntries(
          (part.children ?? []).flatMap(({ children: [key, value] = [] }) =>
            key && value ? [[key.value as string, meaningOf(value)]] : [],
          ),
        )
  values.set(part, made)
  return made
}
