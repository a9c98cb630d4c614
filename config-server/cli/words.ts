import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Command, failed, hint } from '#config-server/cli/command.ts'
import { openProject } from '#config-server/cli/project.ts'
import { languagesOf } from '#config-server/files.ts'
import { baseLanguage, copyMark, filled, type Untranslated, untranslated, type WordTree } from '#language/edit/words.ts'

const kinds = { missing: 'missing', copy: 'still English', same: 'equal to English' } as const

export const wordsCommand: Command = {
  name: 'words',
  takes: '[language …] [--fill]',
  does: 'lists the words that are not translated',
  more: [
    'missing: the language has no text. still English: a copy that --fill wrote. equal to English: written so, which may be right; it stops nothing.',
    `--fill writes the English text of each missing word into its file, with "${copyMark.trim()}" before it, until it is translated. Lint refuses it.`,
  ].join('\n'),
  async run(call) {
    const { root, words, options } = call
    const project = await openProject(call)
    const tags = languagesOf(project.files)
    const languages = [...tags.keys()].filter((one) => one !== baseLanguage)
    const strange = words.find((word) => !languages.includes(word))
    if (strange !== undefined) return failed(`there is no language "${strange}"${hint(strange, languages)}`)
    const found = untranslated(project.texts, words.length > 0 ? words : languages)
    const missing = found.filter(({ is }) => is === 'missing')
    const written = options.has('fill') ? await fill(root, project.files, missing, tags) : []
    const now = found.map((one) => (options.has('fill') && one.is === 'missing' ? { ...one, is: 'copy' as const } : one))
    const open = now.filter(({ is }) => is !== 'same')
    return {
      ok: open.length === 0,
      text: [...(options.has('fill') ? written.map((file) => toTranslate(file, missing)) : now.map(line)), sumOf(now)].join('\n'),
      json: { ok: open.length === 0, written, words: now },
    }
  },
}

const fileOf = ({ language, area }: Pick<Untranslated, 'language' | 'area'>) => `locales/${language}/${area}.json`
const line = (one: Untranslated) => `${fileOf(one)} ${one.path} ${kinds[one.is]}: ${JSON.stringify(one.english)}`
const toTranslate = (file: string, written: readonly Untranslated[]) =>
  `written, to translate: ${file} ${written
    .filter((one) => fileOf(one) === file)
    .map(({ path }) => path)
    .join(', ')}`
const sumOf = (found: readonly Untranslated[]) =>
  Object.entries(kinds)
    .map(([is, words]) => `${found.filter((one) => one.is === is).length} ${words}`)
    .join(', ')

const read = (text: string | undefined) => JSON.parse(text ?? '{}') as WordTree

async function fill(
  root: string,
  files: Readonly<Record<string, string>>,
  missing: readonly Untranslated[],
  tags: ReadonlyMap<string, string>,
): Promise<string[]> {
  const paths = [...new Set(missing.map(fileOf))]
  for (const path of paths) {
    const mine = missing.filter((one) => fileOf(one) === path)
    const english = read(files[fileOf({ language: baseLanguage, area: mine[0]?.area ?? '' })])
    const tree = filled(
      read(files[path]),
      english,
      new Set(mine.map((one) => one.path)),
      tags.get(mine[0]?.language ?? '') ?? mine[0]?.language ?? baseLanguage,
    )
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${JSON.stringify(tree, null, 2)}\n`)
  }
  return paths
}
