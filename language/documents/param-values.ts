import type { ParamDoc } from '#language/documents/documents.ts'

const readers: Record<ParamDoc['type'], (text: string, param: Pick<ParamDoc, 'values'>) => unknown> = {
  string: (text) => (text.length <= 2_000 ? text : undefined),
  integer: (text) => (/^-?(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined),
  decimal: (text) => (/^(0|[1-9]\d{0,19})(\.\d{1,20})?$/.test(text) ? text : undefined),
  boolean: (text) => (text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : undefined),
  enum: (text, param) => (param.values?.includes(text) ? text : undefined),
}

/** The value of a parameter from its text in an address; undefined for a text that its type does not take. */
export const paramValue = (text: string, param: Pick<ParamDoc, 'type' | 'values'>): unknown => readers[param.type](text, param)
