import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rootsOf, trialOf } from '#console/editor/fields/trial.rules.ts'
import type { FieldDoc, FormDoc, ValidationDoc } from '#language/documents/documents.ts'
import { parse } from '#language/documents/parse.ts'

const schemas = join(import.meta.dirname, '../../../schemas')
const read = (folder: string) =>
  readdirSync(join(schemas, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file, text: readFileSync(join(schemas, folder, file), 'utf8') }))
const files = read('validations')
const shipped = new Map(parse(files).documents.map(({ doc }) => [doc.id, doc as ValidationDoc]))
const find = (id: string) => shipped.get(id)

/** A field of a form as the engine reads it. */
function fieldOf(members: Record<string, unknown>): FieldDoc {
  const form = {
    kind: 'form',
    id: 'a',
    format: 1,
    fields: [{ name: 'answer', label: 'Answer', ...members }],
    submit: { label: 'Send', steps: [{ back: true }] },
  }
  const { documents, problems } = parse([{ file: 'a.json', text: JSON.stringify(form) }])
  expect(problems).toEqual([])
  return (documents[0]!.doc as FormDoc).fields[0]!
}

describe('the trial of a field', () => {
  test.for([
    [{ type: 'decimal', min: '1' }, '0.5', {}, { kind: 'type', key: 'form.too_small', args: { min: '1' } }],
    [{ type: 'decimal', min: '1' }, '2', {}, { kind: 'right' }],
    [{ type: 'integer' }, '1.5', {}, { kind: 'type', key: 'form.not_whole', args: {} }],
    [{ type: 'string', required: true }, '', {}, { kind: 'type', key: 'form.required', args: {} }],
    [{ type: 'string' }, '', {}, { kind: 'empty' }],
    [{ type: 'string', required: "form.kind = 'x'" }, '', { 'form.kind': 'x' }, { kind: 'type', key: 'form.required', args: {} }],
    [{ type: 'string', required: "form.kind = 'x'" }, '', { 'form.kind': 'y' }, { kind: 'empty' }],
    [{ type: 'boolean', required: true }, false, {}, { kind: 'type', key: 'form.required', args: {} }],
    [{ type: 'enum', options: [{ id: 'a', label: 'A' }] }, 'b', {}, { kind: 'type', key: 'form.choose_one', args: {} }],
    [{ type: 'string', rules: ['email'] }, 'ann', {}, { kind: 'rule', message: { $t: 'validation.email' }, params: {}, level: 'error' }],
    [{ type: 'string', rules: ['email'] }, 'ann@example.com', {}, { kind: 'right' }],
    [
      { type: 'decimal', rules: [{ use: 'within-balance', with: { available: '= data.info.available' } }] },
      '5',
      {},
      { kind: 'unsure', missing: ['data.info.available'] },
    ],
    [
      { type: 'decimal', rules: [{ use: 'within-balance', with: { available: '= data.info.available' } }] },
      '5',
      { 'data.info.available': '3' },
      { kind: 'rule', message: { $t: 'validation.within_balance' }, params: { available: '3' }, level: 'error' },
    ],
    [{ type: 'decimal', max: '= data.info.most' }, '5', {}, { kind: 'unsure', missing: ['data.info.most'] }],
    [
      { type: 'decimal', rules: [{ test: 'value < 10', message: 'Much', level: 'warn' }] },
      '12',
      {},
      { kind: 'rule', message: 'Much', params: {}, level: 'warn' },
    ],
    [{ type: 'decimal', rules: [{ test: 'value < form.other', message: 'Less' }] }, '12', { 'form.other': '20' }, { kind: 'right' }],
  ] as const)('%j judges %j with %j', ([members, raw, given, trial]) => {
    expect(trialOf(fieldOf(members as Record<string, unknown>), raw, given, find)).toEqual(trial)
  })

  test('values of paths are put together by root', () => {
    expect(rootsOf({ 'form.a': '1', 'form.b': 'true', 'data.info.x': 'y' })).toEqual({
      form: { a: '1', b: true },
      data: { info: { x: 'y' } },
    })
  })
})
