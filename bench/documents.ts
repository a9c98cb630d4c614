import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bar, report, reported, short } from '#bench/bars.ts'
import { projectRoot } from '#bench/product.ts'

/**
 * Compares the length of three screens as documents with handwritten React of the same behaviour (bench/documents, whose tests run the
 * flows of the documents on the handwritten screens). `npm run bench:documents`. Nothing is timed, so the figures do not depend on the
 * machine.
 */
const screens = [
  { name: 'withdraw', screen: 'fund/withdraw' },
  { name: 'exchange', screen: 'fund/exchange' },
  { name: 'security', screen: 'setting/security' },
]
/** Code shared by many screens, which is counted on neither side. */
const kit = ['kit.tsx', 'fields.tsx', 'hooks.ts'].map((file) => `bench/documents/${file}`)

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8').trimEnd()
const isText = (value: unknown): value is string => typeof value === 'string'

/** All values under a name anywhere in a document. */
function under(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [...(key === name ? [inner] : []), ...under(name, inner)])
}

/** A screen with its forms and prompts, and what it shares with other screens: fragments and validations. */
function documentsOf(screen: string): { own: string[]; shared: string[] } {
  const first = `schemas/screens/${screen}.json`
  const body: unknown = JSON.parse(read(first))
  const files = (kind: string, ids: unknown[]) =>
    [...new Set(ids)].filter(isText).map((id) => `schemas/${kind}/${id.replaceAll('.', '/')}.json`)
  const forms = files('forms', under('form', body))
  const all = [body, ...forms.map((file) => JSON.parse(read(file)) as unknown)]
  const rules = under('rules', all).flat()
  const validations = [...rules.filter(isText), ...under('use', rules)]
  return {
    own: [first, ...forms, ...files('prompts', under('confirm', all))],
    shared: [...files('fragments', under('use', body)), ...files('validations', validations)],
  }
}

interface Size {
  lines: number
  /** Lines without blank lines and comments. */
  code: number
  /** Lines of brackets and commas only. */
  brackets: number
  characters: number
}

function sizeOf(paths: readonly string[]): Size {
  const all = paths.flatMap((path) => read(path).split('\n')).map((line) => line.trim())
  const code = all.filter((line) => line !== '' && !/^(?:\/\/|\/\*|\*|\{\/\*)/.test(line))
  return {
    lines: all.length,
    code: code.length,
    brackets: code.filter((line) => /^[[\](){}<>/,;]+$/.test(line)).length,
    characters: code.reduce((sum, line) => sum + line.length, 0),
  }
}

function barsOf({ name, screen }: (typeof screens)[number]): Bar[] {
  const documents = sizeOf(documentsOf(screen).own)
  const react = sizeOf([`bench/documents/${name}.tsx`])
  const against = (one: keyof Size) => `${short(documents[one] / react[one])} ×, ${documents[one]} to ${react[one]}`
  return [
    { name: `${name}: lines to React`, measured: against('code'), bar: '< 1 ×', met: documents.code < react.code },
    reported(`${name}: lines with blank ones and comments`, against('lines')),
    reported(`${name}: lines of brackets alone`, against('brackets')),
    reported(`${name}: characters without indentation`, against('characters')),
  ]
}

const shared = [...new Set(screens.flatMap(({ screen }) => documentsOf(screen).shared))]
report(
  'documents beside handwritten React',
  [
    ...screens.flatMap(barsOf),
    reported(
      'shared with other screens, not counted',
      `${sizeOf(shared).code} lines of ${shared.length} documents, ${sizeOf(kit).code} of the kit`,
    ),
  ],
  'npm run bench:documents',
)
