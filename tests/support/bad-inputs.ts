import { readFileSync } from 'node:fs'

/** One row of tests/data/bad-inputs.jsonl. The note starts with the expected result: refuse, inert, accept, fall back … */
export interface BadInput {
  kind: string
  value: unknown
  note: string
}

interface Made {
  $gen: string
  unit?: string
  times?: number
  prefix?: string
  suffix?: string
  open?: string
  close?: string
  middle?: string
  depth?: number
  base?: string
  part?: string
  sep?: string
}

function make(spec: Made): unknown {
  const {
    unit = '',
    times = 0,
    prefix = '',
    suffix = '',
    open = '',
    close = '',
    middle = '',
    depth = 0,
    base = '',
    part = '',
    sep = '',
  } = spec
  if (spec.$gen === 'repeat') return prefix + unit.repeat(times) + suffix
  if (spec.$gen === 'nest') return open.repeat(depth) + middle + close.repeat(depth)
  if (spec.$gen === 'nest-key') return base + part.repeat(depth) + suffix
  if (spec.$gen === 'join') return Array.from({ length: times }, (_, i) => unit.replaceAll('{i}', String(i))).join(sep)
  return undefined
}

/** Rows of these kinds, with described values generated. Values that only another harness can generate are left out. */
export function badInputs(...kinds: string[]): BadInput[] {
  return readFileSync('tests/data/bad-inputs.jsonl', 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as BadInput)
    .filter((line) => kinds.includes(line.kind))
    .map((line) => ({
      ...line,
      value: typeof line.value === 'object' && line.value !== null && '$gen' in line.value ? make(line.value as Made) : line.value,
    }))
    .filter((line) => line.value !== undefined)
}

/** The same for kinds whose values are texts. */
export function badTexts(...kinds: string[]): (BadInput & { value: string })[] {
  return badInputs(...kinds).flatMap((line) => (typeof line.value === 'string' ? [{ ...line, value: line.value }] : []))
}

/** A short test name for a row. */
export function nameOf({ kind, value, note }: BadInput): string {
  const text = JSON.stringify(value)
  return `${kind} ${text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text}: ${note}`
}
