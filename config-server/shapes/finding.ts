import type { ErrorObject } from 'ajv'
import { nearest } from '#language/documents/nearest.ts'
import { below, segmentsOf } from '#language/text/position.ts'

/** One violation in plain words, as the parser says it; the console translates these sentences (problem-words.rules.ts). */
export interface Finding {
  pointer: string
  message: string
  suggestion?: string
}

/** Keywords that say only that something inside does not fit. */
const around = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', '$ref'])
/** Longer lists are not read; the nearest name is suggested instead. */
const namedMax = 12

/** The violation that lies deepest: where alternatives were tried, the one that came furthest is the one that was meant. */
export function findingOf(errors: readonly ErrorObject[]): Finding {
  const inside = errors.filter(({ keyword }) => !around.has(keyword))
  const depth = ({ instancePath, keyword }: ErrorObject) =>
    segmentsOf(instancePath).length + (keyword === 'additionalProperties' || keyword === 'required' ? 0.5 : 0)
  const [deepest] = [...(inside.length > 0 ? inside : errors)].sort((a, b) => depth(b) - depth(a))
  return deepest ? inWords(deepest) : { pointer: '', message: 'has a form that is not allowed' }
}

function inWords({ keyword, params, instancePath: pointer, parentSchema, propertyName, data: value }: ErrorObject): Finding {
  const shown = JSON.stringify(value)?.slice(0, 80)
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const near = nearest(name, Object.keys((parentSchema?.properties as object | undefined) ?? {}))
      return withNear({ pointer: below(pointer, name), message: `"${name}" is not a member here` }, near)
    }
    case 'required':
      return { pointer: below(pointer, String(params.missingProperty)), message: `"${params.missingProperty}" is missing` }
    case 'dependentRequired':
      return { pointer: below(pointer, String(params.property)), message: `"${params.missingProperty}" is missing` }
    case 'type':
      return { pointer, message: `expected ${[params.type].flat().join(' or ')}, received ${typeName(value)}` }
    case 'enum':
    case 'const': {
      const words = (params.allowedValues as unknown[] | undefined) ?? [params.allowedValue]
      const near = typeof value === 'string' ? nearest(value, words.map(String)) : undefined
      const message = words.length > namedMax ? `${shown} is none of the names known here` : `${shown} is not one of ${words.join(', ')}`
      return withNear({ pointer, message }, near)
    }
    case 'minItems':
      return { pointer, message: `at least ${counted(params.limit, 'entry', 'entries')}` }
    case 'maxItems':
      return { pointer, message: `at most ${counted(params.limit, 'entry', 'entries')}` }
    case 'minLength':
      return { pointer, message: `at least ${counted(params.limit, 'character', 'characters')}` }
    case 'maxLength':
      return { pointer, message: `at most ${counted(params.limit, 'character', 'characters')}` }
    case 'minProperties':
      return { pointer, message: 'at least one member is needed' }
    case 'minimum':
    case 'exclusiveMinimum':
      return { pointer, message: `${shown} is too small` }
    case 'maximum':
    case 'exclusiveMaximum':
      return { pointer, message: `${shown} is too large` }
    case 'uniqueItems':
      return { pointer: below(pointer, Math.max(Number(params.i), Number(params.j))), message: 'this entry occurs twice' }
    case 'propertyNames':
      return { pointer: below(pointer, String(params.propertyName)), message: `"${params.propertyName}" is not a name here` }
    default:
      return propertyName === undefined
        ? { pointer, message: `${shown} is not written in the form that is needed here` }
        : { pointer: below(pointer, propertyName), message: `"${propertyName}" is not a name here` }
  }
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const withNear = (finding: Finding, near: string | undefined): Finding => (near === undefined ? finding : { ...finding, suggestion: near })

const typeName = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
