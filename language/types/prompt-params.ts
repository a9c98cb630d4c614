import { parseLogic } from '#language/text/logic-text.ts'

const reads = /(?:^|\[)(?:params|latest)\.([A-Za-z_][A-Za-z0-9_-]*)/g

/**
 * Names of the parameters that a prompt reads, as shown or as they are at present, in order: those that `with` of a `confirm` step passes.
 * Expressions may be text, as in files, or trees; the document may be incomplete.
 */
export function promptParams(prompt: unknown): string[] {
  return [...new Set(readIn(prompt, '', false))]
}

/** @param isTree inside an expression, where a text is a path or a literal */
function readIn(value: unknown, name: string, isTree: boolean): string[] {
  if (typeof value === 'string') {
    if (name === '$t') return []
    const parsed = isTree ? undefined : parseLogic(value)
    return parsed?.ok ? readIn(parsed.logic, '', true) : [...value.matchAll(reads)].map(([, param]) => param as string)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, part]) => readIn(part, Array.isArray(value) ? name : member, isTree))
}
