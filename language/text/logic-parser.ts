import { limits } from '#language/documents/limits.ts'
import { nearest } from '#language/documents/nearest.ts'
import { isFunctionName } from '#language/expression/operator.ts'
import { operators } from '#language/expression/operators.ts'
import { roots } from '#language/expression/scope.ts'
import { precedence } from '#language/text/infix.ts'
import { LogicProblem, type Token, tokensOf } from '#language/text/logic-tokens.ts'

/** Offsets in the text, `to` exclusive. */
export interface Range {
  from: number
  to: number
}

/** An expression as written. `closed`: it had parentheses, so it is a single operand. */
export type Tree = Range & { closed?: true } & (
    | { kind: 'literal'; value: unknown }
    | { kind: 'path'; path: string; otherwise?: Tree; outer?: true }
    | { kind: 'list'; items: Tree[] }
    | { kind: 'call'; op: string; args: Tree[] }
    /** A computed value, or the one behind `??` where it is missing. */
    | { kind: 'fallback'; value: Tree; otherwise: Tree }
  )

/** Parses the syntax of a text; limits of the language are not checked here. @throws LogicProblem */
export function parseTree(text: string): Tree {
  return new Parser(text).whole()
}

const comparisons: Record<string, string> = {
  '=': '===',
  '==': '===',
  '≠': '!==',
  '!=': '!==',
  '≤': '<=',
  '≥': '>=',
  ...Object.fromEntries(Object.keys(precedence).flatMap((op) => (precedence[op] === 4 ? [[op, op]] : []))),
}
const operands = ['a path', 'a number', 'a text in quotes', '(', '[', 'not', 'a call']
const iterations = new Set(Object.keys(operators).filter((op) => operators[op]?.body))

class Parser {
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0
  /** True inside the body of an iteration. */
  private element = false

  constructor(text: string) {
    this.tokens = tokensOf(text)
  }

  whole(): Tree {
    if (this.tokens.length === 1) throw this.problem('there is no expression', operands)
    const tree = this.any()
    if (this.next.kind !== 'end') throw this.problem(`${this.shown()} is not expected here`, ['and', 'or', 'an operator', 'the end'])
    return tree
  }

  private get next(): Token {
    return this.tokens[this.at] as Token
  }

  private take(): Token {
    const token = this.next
    this.at += 1
    return token
  }

  private isWord(...words: string[]): boolean {
    return (this.next.kind === 'word' || this.next.kind === 'sign') && words.includes(this.next.text)
  }

  private shown(): string {
    return this.next.kind === 'end' ? 'the end' : JSON.stringify(this.next.text)
  }

  private problem(message: string, expected: readonly string[], suggestion?: string, at: Range = this.next): LogicProblem {
    return new LogicProblem(at, message, expected, suggestion)
  }

  private any(): Tree {
    this.depth += 1
    if (this.depth > 4 * limits.expressionDepthMax) throw this.problem('too many nested parentheses', [])
    const tree = this.joined(['or', '||'], 'or', () => this.joined(['and', '&&'], 'and', () => this.not()))
    this.depth -= 1
    return tree
  }

  private joined(words: string[], op: string, part: () => Tree): Tree {
    const first = part()
    const args = [first]
    while (this.isWord(...words)) {
      this.take()
      args.push(part())
    }
    return args.length === 1 ? first : call(op, args)
  }

  private not(): Tree {
    if (!(this.isWord('not') && !this.isCall())) return this.comparison()
    const { from } = this.take()
    this.depth += 1
    if (this.depth > 4 * limits.expressionDepthMax) throw this.problem('too many "not" in a row', [])
    const inside = this.not()
    this.depth -= 1
    return { kind: 'call', op: '!', args: [inside], from, to: inside.to }
  }

  private comparison(): Tree {
    const first = this.sum()
    const op = this.comparator()
    if (op === undefined) return first
    const args = [first, this.sum()]
    if ((op === '<' || op === '<=') && this.comparator(op)) args.push(this.sum())
    if (this.comparator() !== undefined) throw this.problem('a comparison of a comparison needs parentheses', ['and', 'or', ')'])
    return call(op, args)
  }

  private comparator(only?: string): string | undefined {
    const op = this.next.kind === 'sign' || this.next.kind === 'word' ? comparisons[this.next.text] : undefined
    if (op === undefined || (only !== undefined && op !== only)) return undefined
    this.at += 1
    return op
  }

  private sum(): Tree {
    return this.chain(['+', '-'], () => this.chain(['*', '/', '%'], () => this.signed()))
  }

  /** `a - b - c` is `(a - b) - c`; `a + b + c` is one sum of three operands. */
  private chain(words: string[], part: () => Tree): Tree {
    let left = part()
    while (this.isWord(...words)) {
      const op = this.take().text
      const right = part()
      const grows = (op === '+' || op === '*') && left.kind === 'call' && left.op === op && !left.closed && left.args.length > 1
      left = grows ? call(op, [...(left as Tree & { kind: 'call' }).args, right]) : call(op, [left, right])
    }
    return left
  }

  private signed(): Tree {
    if (!this.isWord('-') || this.isCall()) return this.operand()
    const { from } = this.take()
    if (this.next.kind === 'number') {
      const { value, to } = this.take()
      return { kind: 'literal', value: -(value as number), from, to }
    }
    const inside = this.operand()
    return { kind: 'call', op: '-', args: [inside], from, to: inside.to }
  }

  private isCall(): boolean {
    const after = this.tokens[this.at + 1]
    return (
      (this.next.kind === 'word' || this.next.kind === 'path') &&
      after?.text === '(' &&
      after.kind === 'sign' &&
      after.from === this.next.to &&
      this.next.text !== 'not'
    )
  }

  /** A value, with the one behind `??`. A literal is never missing, so nothing may stand behind it. */
  private operand(): Tree {
    const value = this.plain()
    if (value.kind === 'literal' || value.kind === 'list' || !this.isWord('??')) return value
    this.take()
    const otherwise = this.isWord('-') ? this.signed() : this.operand()
    if (value.kind === 'path' && !value.otherwise) return { ...value, otherwise, to: otherwise.to }
    return { kind: 'fallback', value, otherwise, from: value.from, to: otherwise.to }
  }

  private plain(): Tree {
    const { kind, text, value, from, to } = this.next
    if (kind === 'number' || kind === 'text') {
      this.at += 1
      return { kind: 'literal', value, from, to }
    }
    if (kind === 'path') return isFunctionName(text) && this.isCall() ? this.called() : this.path()
    if (this.isWord('(')) return this.parentheses()
    if (this.isWord('[')) return this.list()
    const after = this.tokens[this.at + 1]
    const calls = after?.kind === 'sign' && after.text === '(' && after.from === to
    if (calls && (kind === 'word' || (kind === 'sign' && Object.hasOwn(operators, text)))) return this.called()
    if (kind === 'word') {
      if (text === 'true' || text === 'false' || text === 'null') {
        this.at += 1
        return { kind: 'literal', value: text === 'null' ? null : text === 'true', from, to }
      }
      if (!(text in comparisons) && !['and', 'or', 'not'].includes(text)) return this.path()
    }
    if (this.isWord('not')) throw this.problem('"not" needs parentheses here', ['('])
    if (text === '!') throw this.problem('"!" is written as a word', ['not'], 'not')
    throw this.problem(kind === 'end' ? 'the expression is incomplete' : `${this.shown()} where a value is expected`, operands)
  }

  private path(): Tree {
    const { kind, text, from, to } = this.take()
    const own = kind === 'path' && text.startsWith('.')
    if (own && !this.element) throw this.problem('a path must start with its root', roots, undefined, { from, to })
    const root = /^\w*/.exec(text)?.[0] ?? ''
    if (!own && !(roots as readonly string[]).includes(root)) {
      if (this.element) throw this.problem(`inside an iteration, members start with a dot: ".${text}"`, ['.'], `.${text}`, { from, to })
      const near = nearest(root, [...roots, 'true', 'false', 'null', 'not', ...Object.keys(operators)])
      const right = near !== undefined && (roots as readonly string[]).includes(near) ? near + text.slice(root.length) : near
      throw this.problem(`"${text}" is neither a path nor a keyword; put texts in quotes`, roots, right, { from, to })
    }
    const path = own ? text.slice(1) : text
    const outer = this.element && !own ? ({ outer: true } as const) : {}
    return { kind: 'path', path, from, to, ...outer }
  }

  private parentheses(): Tree {
    const open = this.take()
    const inside = this.any()
    this.close(')', open)
    return { ...inside, closed: true }
  }

  private list(): Tree {
    const open = this.take()
    const items = this.items(']', () => this.any())
    const { to } = this.close(']', open)
    return { kind: 'list', items, from: open.from, to }
  }

  private called(): Tree {
    const name = this.take()
    const open = this.take()
    const op = name.text
    if (!Object.hasOwn(operators, op) && !isFunctionName(op)) {
      const near = nearest(op, ['not', ...Object.keys(operators)])
      throw this.problem(`there is no operator "${op}"`, Object.keys(operators), near, name)
    }
    const outer = this.element
    let place = 0
    const args = this.items(')', () => {
      this.element = outer || (iterations.has(op) && place === 1)
      place += 1
      const tree = this.any()
      this.element = outer
      return tree
    })
    const { to } = this.close(')', open)
    const known = operators[op]
    if (known && (args.length < known.min || args.length > known.max)) {
      const many = known.min === known.max ? `${known.min}` : `${known.min} to ${known.max}`
      throw this.problem(`"${op}" takes ${many} values, not ${args.length}`, [], undefined, { from: name.from, to })
    }
    return { kind: 'call', op, args, from: name.from, to, closed: true }
  }

  private items(end: string, item: () => Tree): Tree[] {
    const found: Tree[] = []
    if (this.isWord(end)) return found
    found.push(item())
    while (this.isWord(',')) {
      this.take()
      found.push(item())
    }
    return found
  }

  private close(end: string, open: Token): Token {
    if (!this.isWord(end))
      throw this.problem(`${this.shown()} where "${open.text}" is not closed yet`, end === ')' ? [end, 'and', 'or'] : [end, ','])
    return this.take()
  }
}

function call(op: string, args: Tree[]): Tree {
  return { kind: 'call', op, args, from: (args[0] as Tree).from, to: (args.at(-1) as Tree).to }
}
