import { type Insertion, insertionOf, renamed } from '#scripts/new/new-product.files.ts'

/** Changes of `npm run cfg -- new-set`. Its files are templates like those of a product, whose functions it uses. */

/** Folder of the starting set; see `templatesFolder` of new-product.files.ts. */
export const templatesFolder = 'scripts/new/set'

const insertions: readonly Insertion[] = [
  {
    file: 'contract/planned.ts',
    before: '\n/** A call that documents may name',
    text: `import { samplePlanCalls } from '#contract/planned/sample-plan.calls.ts'\n`,
  },
  { file: 'contract/planned.ts', before: '}\n', text: '  ...samplePlanCalls,\n' },
  {
    file: 'schemas/routes.json',
    before: '    "pages/common/article"',
    text: `    "pages/sample_plan/list": { "screen": "sample_plan.list", "off": true },
    "pages/sample_plan/detail": { "screen": "sample_plan.detail", "auth": true, "off": true },
`,
  },
]

export const insertionsOf = (name: string): Insertion[] => insertions.map((one) => insertionOf(one, name))

/** Next steps of the developer, as the command prints them. */
export function nextOf(name: string): string {
  const area = renamed('sample_plan', name)
  return `the pages are planned: their routes are off, and lint warns of each call that no server answers.
  1. contract/planned/${name}.calls.ts           the calls, their fields, refusals and examples; then npm run generate
  2. schemas/screens/${area}, schemas/forms/${area}, schemas/flows/${area}.json   the pages and their flow
  3. npm run cfg -- words                       texts to translate, marked [en]
  4. npm run cfg -- lint; npm run cfg -- flow ${area}; npm run cfg -- test ${area}.list ${area}.detail
  npm run cfg -- planned                        lists what is planned
  docs/guides/plan-a-set.md says how the server follows`
}
