import { limits } from '#language/documents/limits.ts'
import { refusedOperators } from '#language/expression/operators.ts'
import { reference, sample } from '#language/expression/reference.ts'
import { signs } from '#language/text/infix.ts'
import type { FunctionManifest } from '#language/types/catalog.ts'

/** Generates docs/guides/expressions.md: the syntax, and every operator and function with examples, which are also tests. */
const head = `# Expressions

Everything that a document computes is an expression: \`form.amount <= data.info.available and session.kyc >= 1\`. Operators and functions below are made by
\`npm run generate\` from \`language/expression/reference.ts\` and \`contract/functions/\`: change those, not this page.

The publisher compiles expressions to JSON-Logic, so that browsers never parse text. A JSON-Logic tree in place of a text is valid as well, and
\`npm run cfg -- format --write\` makes text of it. A mistake is told with its file, line and column, and with the nearest right name.

A tree is valid JSON-Logic: \`{ "and": [{ ">": [{ "var": "form.amount" }, 3] }, { "var": "session.logged_in" }] }\`. \`npm run cfg -- why "form.amount > 3" --logic\` prints
the tree of an expression, and \`why <document> <part> --logic\` those of a part. The operators that both have (paths with dots, comparisons, \`and\`, \`or\`, \`!\`,
\`if\`, arithmetic, \`min\`, \`max\`, \`cat\`, \`substr\`, \`in\`, \`map\`, \`filter\`, \`reduce\`, \`all\`, \`some\`, \`none\`) give the same value in the package json-logic-js; amounts
are exact here, so a result of arithmetic may be decimal text. All other operators, functions, and paths with brackets are of this language alone.

## Where they stand

- \`show\`, \`enable\`, \`when\`, \`test\`, \`if\`, a computed \`required\`, \`repeat.each\` and each of \`values\` hold the expression itself: \`"show": "has(form.to)"\`.
- Everywhere else an expression begins with \`= \`: \`"value": "= data.info.available"\`, which is short for \`{"$": "data.info.available"}\`.

\`show\`, \`enable\`, \`when\` and \`if\` are guards: one that reads a path without a value is closed. \`show\` hides, \`enable\` disables, \`when\` does not load, and \`if\`
takes \`else\`. null is a value. \`has\` asks whether there is one at all.

## Syntax

| written | means |
| --- | --- |
| \`data.site.name\`, \`data.list[form.id].name\` | a path; the roots are in [write-a-screen](write-a-screen.md#paths) |
| \`data.note ?? 'none'\` | the path, or the value behind \`??\` where it has none; null is a value |
| \`(form.a / form.b) ?? 0\`, \`find(data.list, .id = 1, 'name') ?? '–'\` | the same behind a call or parentheses, where null counts as missing too: it is what an operator gives that cannot compute |
| \`1\`, \`'text'\`, \`true\`, \`null\`, \`[1, 2]\` | literals; a text with a single quote in it stands in double quotes |
| \`a + b\`, \`-\`, \`*\`, \`/\`, \`%\` | arithmetic, from left to right, \`*\` \`/\` \`%\` first |
| \`a = b\`, \`!=\`, \`<\`, \`<=\`, \`>\`, \`>=\`, \`in\` | comparisons; \`1 <= a <= 5\` lies between |
| \`not a\`, \`a and b\`, \`a or b\` | in this order; parentheses decide otherwise |
| \`if(a, b, c)\`, \`len(x)\` | every other operator is written as a call |
| \`filter(data.list, .price > form.least)\` | inside of an iteration a dot begins at the element, \`.\` alone is the element, and a path without a dot begins at its root |
| \`wallet.withdrawFee(form.amount, …)\` | a function of the domain |

Numbers and decimal texts are computed exactly: \`'9.5' < '10'\` holds and \`0.1 + 0.2\` is \`0.3\`. A value that cannot be computed is null.

As a condition, false, 0, \`''\`, null, a missing value and an empty list are false, and everything else is true: also the text \`'0'\`, so an amount of an
answer is compared (\`data.info.balance > 0\`). Lint warns (\`text-conditions\`) where the text of a number stands as a condition; \`!!(x)\` says that it is
meant, and asks whether there is a text at all.

An expression is at most ${limits.expressionDepthMax} deep and has at most ${limits.expressionNodesMax} parts; an iteration (\`filter\`, \`map\`, \`find\`, \`reduce\`, \`all\`, \`some\`,
\`none\`) works through at most ${limits.expressionItemsMax.toLocaleString('en')} rows, other operators on lists through ${limits.repeatItemsMax.toLocaleString('en')}. Beyond a limit nothing is cut: the part shows its error state with a
sentence, a step is not carried out, and the report of the app has the code \`expression_items\` (\`expression_steps\`, \`expression_text\`). Lint warns
(\`bounds\`) of an iteration over a list whose call names no greatest number of rows, and over the rows of a source with pages, which are put
together: name the number in the contract (\`.max(100)\` of the list) where the server keeps it, or take \`first(…, 1000)\`. One iteration does not
stand inside another.
`

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ') || '–'
const code = (text: string) => `\`${text}\``
const shown = (value: unknown) => code(typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

function operatorRows(): string[] {
  return Object.entries(reference).map(([op, { takes, gives, examples }]) => {
    const name = op === '!' ? 'not' : (signs[op] ?? op)
    const lines = examples.map(([text, value]) => `${code(text)} is ${shown(value)}`)
    return `| ${code(name)} | ${cell(takes)} | ${cell(gives)} | ${cell(lines.join('<br>'))} |`
  })
}

function functionRows(functions: readonly FunctionManifest[]): string[] {
  return functions.map(({ name, about, params, examples }) => {
    const call = `${name}(${params.map((param) => param.name).join(', ')})`
    const lines = examples.map(({ args, gives }) => `${code(`${name}(${Object.values(args).map(written).join(', ')})`)} is ${shown(gives)}`)
    return `| ${code(call)} | ${cell(about)} | ${cell(lines.join('<br>'))} |`
  })
}
const written = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value))

export function expressionGuide(functions: readonly FunctionManifest[]): string {
  const refused = Object.entries(refusedOperators).map(([op, why]) => `| ${code(op)} | ${cell(why)} |`)
  return [
    head,
    '## Operators',
    '',
    `The examples read this: ${code(JSON.stringify(sample))}`,
    '',
    '| operator | takes | gives | examples |',
    '| --- | --- | --- | --- |',
    ...operatorRows(),
    '',
    '## Functions',
    '',
    'Screens and the server compute with the same functions; [write-a-function](write-a-function.md) explains how to add one.',
    '',
    '| function | gives | examples |',
    '| --- | --- | --- |',
    ...functionRows(functions),
    '',
    '## Operators of JSON-Logic that are refused in a tree',
    '',
    '| operator | instead |',
    '| --- | --- |',
    ...refused,
    '',
  ].join('\n')
}
