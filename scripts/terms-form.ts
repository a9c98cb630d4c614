import type { NumberTerm, TermField } from '#api-server/kit/terms.rules.ts'
import { rangeOf } from '#api-server/kit/terms.rules.ts'
import type { DefinedTerms } from '#api-server/kit/terms.ts'
import { termFields } from '#contract/calls/office.terms.calls.ts'
import { formatNow } from '#language/documents/nodes.ts'
import { formatted } from '#language/text/expression-texts.ts'

/** The form of the back office for the terms of all products, made from their definitions: a product with terms needs no form of its own. */

/** A rule of a kind, and the sentence for a text that breaks it. */
const ruleOf = (kind: string, range: string) => ({
  test: `terms.fits('${kind}', value, '${range}')`,
  message: range
    ? { $t: `office.wrong_${kind}`, range: range.replaceAll('>=', '≥').replaceAll('<=', '≤') }
    : { $t: `office.wrong_${kind}` },
})

/** Of the terms that change, or of those that new ones are like. */
const found = (name: string, member: 'value' | 'unit') =>
  ['terms', 'like'].map((source) => `find(data.${source}.terms, .name = '${name}', '${member}')`).join(' ?? ')

function unitProps(name: string, { kind, unit }: NumberTerm) {
  if (unit !== undefined && unit !== '%') return { props: { unit: `= ${found(name, 'unit')} ?? ''` } }
  const shown = unit ?? (kind === 'percent' ? '%' : undefined)
  return shown === undefined ? {} : { props: { unit: shown } }
}

function widgetOf(name: string, field: TermField): object {
  switch (field.kind) {
    case 'decimal':
    case 'percent':
      return { type: 'decimal', rules: [ruleOf(field.kind, rangeOf(field))], ...unitProps(name, field) }
    case 'whole':
      return { type: 'integer', rules: [ruleOf('whole', rangeOf(field))], ...unitProps(name, field) }
    case 'time':
      return { type: 'string', maxLength: 16, rules: [ruleOf('time', '')] }
    case 'choice':
      return {
        type: 'enum',
        widget: 'segmented-field',
        options: field.values.map((id) => ({ id, label: `@office.choice_${name}_${id}` })),
      }
    case 'own':
      return { type: 'string', widget: 'text-area-field', maxLength: 400 }
    case 'text':
      return { type: 'string', maxLength: 400 }
  }
}

/**
 * Text of the form document.
 * @throws Error for a member that the calls do not take, and for two products that mean different things by one name
 */
export function termsForm(definitions: readonly DefinedTerms[]): string {
  const members = new Map<string, { field: TermField; products: string[] }>()
  for (const { product, fields } of definitions)
    for (const [name, field] of Object.entries(fields)) {
      if (!(termFields as readonly string[]).includes(name)) throw new Error(`termFields of the contract lacks ${name} of ${product}`)
      const known = members.get(name)
      if (known && JSON.stringify(widgetOf(name, known.field)) !== JSON.stringify(widgetOf(name, field)))
        throw new Error(`${product} and ${known.products.join(', ')} mean different things by ${name}: give it another name`)
      members.set(name, { field: known?.field ?? field, products: [...(known?.products ?? []), product] })
    }
  const fields = [...members].map(([name, { field, products }]) => {
    const list = products.map((product) => `'${product}'`).join(', ')
    const of = products.length === 1 ? `params.product = ${list}` : `params.product in [${list}]`
    const usual = field.usual === undefined ? '' : ` ?? '${field.usual}'`
    return {
      name,
      label: `@office.term_${name}`,
      ...(field.hint && { hint: `@office.hint_${name}` }),
      ...widgetOf(name, field),
      required: true,
      default: `= ${found(name, 'value')}${usual}`,
      show: field.fixed ? `${of} and not has(params.key)` : of,
      draft: false,
    }
  })
  const sent = { fields: fields.map(({ name }) => name), args: { product: '= params.product', key: '= params.key' } }
  const doc = {
    $schema: '../../../../schemas/meta/form.schema.json',
    kind: 'form',
    id: 'office.terms',
    format: formatNow,
    errors: {
      terms_changed: { toast: '@office.terms_outdated' },
      state_wrong: { toast: '@office.terms_none', refresh: ['terms'] },
      parameter_error: { refresh: [] },
    },
    fields,
    submit: {
      label: '@office.terms_propose',
      steps: [
        { call: 'office.termsPreview', ...sent, as: 'seen' },
        {
          if: 'empty(result.seen.changes)',
          then: [{ toast: '@office.terms_none' }],
          else: [
            { confirm: 'terms-propose', with: { changes: '= result.seen.changes' } },
            { call: 'office.termsSave', ...sent, args: { ...sent.args, version: '= state.version' }, as: 'made' },
            { toast: '@office.proposal_stored', tone: 'success' },
            {
              if: 'not has(params.key)',
              then: [{ go: 'term', params: { product: '= params.product', key: '= result.made.key' }, replace: true }],
            },
          ],
        },
      ],
    },
  }
  return formatted(JSON.stringify(doc))
}
