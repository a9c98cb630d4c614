/**
 * Writes expressions as text: `form.amount <= data.info.available and session.kyc >= 1`. Paths are unquoted, texts quoted. Inside an
 * iteration `.price` is a member of the element and `.` the element itself. Operators without a symbol are written as calls.
 */

/** Precedence of infix operators. */
export const precedence: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  '===': 4,
  '!==': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  in: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
/** Operators with another symbol in text. */
export const signs: Readonly<Record<string, string>> = { '===': '=', '!==': '!=' }
const leaf = 9
const unary = 7
const bodies = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce', 'find'])

/** @param top true for a whole expression, where a plain text is a path */
export function toText(logic: unknown, top = true): string {
  if (top && typeof logic === 'string') return logic
  return print(logic, false).text
}

interface Printed {
  text: string
  rank: number
}

function print(logic: unknown, element: boolean): Printed {
  if (Array.isArray(logic)) return { text: `[${logic.map((part) => print(part, element).text).join(', ')}]`, rank: leaf }
  if (typeof logic === 'string') return { text: quoted(logic), rank: leaf }
  if (typeof logic !== 'object' || logic === null) return { text: JSON.stringify(logic) ?? 'null', rank: leaf }
  const keys = Object.keys(logic)
  const op = keys[0]
  if (keys.length !== 1 || op === undefined) return { text: JSON.stringify(logic), rank: leaf }
  const written = (logic as Record<string, unknown>)[op]
  const args: readonly unknown[] = Array.isArray(written) ? written : [written]
  if (op === 'var' && typeof args[0] === 'string') return variable(args, element, element)
  if (op === 'outer' && element && typeof args[0] === 'string') return variable(args, element, false)
  const [value, otherwise] = op === 'if' ? fallbackOf(args) : []
  if (value !== undefined)
    return { text: `${wrapped(print(value, element), leaf)} ?? ${wrapped(print(otherwise, element), leaf)}`, rank: 0 }
  const rank = precedence[op]
  if (rank !== undefined && args.length >= 2) return joined(op, rank, args, element)
  if (op === '!' && args.length === 1) return { text: `not ${wrapped(print(args[0], element), 3)}`, rank: 3 }
  if (op === '-' && args.length === 1) {
    const least = typeof args[0] === 'number' ? leaf + 1 : unary + 1
    return { text: `-${wrapped(print(args[0], element), least)}`, rank: unary }
  }
  const inside = args.map((arg, i) =>
    op === 'has' && i === 0 && typeof arg === 'string' ? place(arg, element) : print(arg, element || (bodies.has(op) && i === 1)).text,
  )
  // `has` of a plain path is a different operator.
  const name = op === 'present' && !isPlainRead(args[0]) ? 'has' : op
  return { text: `${name}(${inside.join(', ')})`, rank: leaf }
}

/** Quotes a text for an expression. Single quotes need no escapes in JSON. */
export function quoted(text: string): string {
  return /['\\\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`
}

function place(path: string, element: boolean): string {
  return element ? `.${path}` : path
}

/** @param own the path starts at the element */
function variable(args: readonly unknown[], element: boolean, own: boolean): Printed {
  const text = place(args[0] as string, own)
  return args.length > 1 ? { text: `${text} ?? ${wrapped(print(args[1], element), leaf)}`, rank: 0 } : { text, rank: leaf }
}

/** Of the arguments of an `if` that `??` behind a computed value gives: the value, and the one in its place. */
function fallbackOf(args: readonly unknown[]): readonly unknown[] {
  const [asked, value, otherwise] = args
  if (args.length !== 3 || !isCall(asked, 'present') || value === null || typeof value !== 'object' || Array.isArray(value)) return []
  const [present] = [(asked as { present: unknown }).present].flat(1)
  return !isPlainRead(value) && JSON.stringify(present) === JSON.stringify(value) ? [value, otherwise] : []
}

function joined(op: string, rank: number, args: readonly unknown[], element: boolean): Printed {
  const sign = ` ${signs[op] ?? op} `
  const chains = op === '-' || op === '/' || op === '%'
  const least = (arg: unknown, i: number) => (i === 0 && rank >= 5 && (chains || !isCall(arg, op)) ? rank : rank + 1)
  return { text: args.map((arg, i) => wrapped(print(arg, element), least(arg, i))).join(sign), rank }
}

/** `a + b + c` is one sum of three operands; a sum inside a sum has parentheses. */
function isCall(logic: unknown, op: string): boolean {
  return typeof logic === 'object' && logic !== null && Object.hasOwn(logic, op)
}

function wrapped({ text, rank }: Printed, least: number): string {
  return rank < least ? `(${text})` : text
}

const isPlainRead = (logic: unknown) => isCall(logic, 'var') && !Array.isArray((logic as { var: unknown }).var)
