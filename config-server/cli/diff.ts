import { resolve } from 'node:path'
import { type Call, type Command, failed, type Project, showProblem } from '#config-server/cli/command.ts'
import { put } from '#config-server/cli/export.ts'
import { appHelp, serveApp } from '#config-server/cli/place.ts'
import { openProject, setHelp } from '#config-server/cli/project.ts'
import { openBrowser } from '#flows/chromium.ts'
import { picturesOf } from '#flows/pictures.ts'
import { diffSets } from '#language/edit/diff.ts'
import type { Change, DocumentDiff } from '#language/publish/publishing.ts'
import { readEnv } from '#server-kit/ops/env.ts'

export const diffCommand: Command = {
  name: 'diff',
  takes: '<A> <B> [--images FOLDER]',
  does: 'says what differs between two sets, by what it means',
  more: `${setHelp}\n--images writes a picture of each changed screen before and after, <screen>.before.png and <screen>.after.png.\n${appHelp}`,
  async run(call) {
    const [a, b] = call.words
    if (a === undefined || b === undefined) return failed('diff <A> <B>')
    const [before, after] = await Promise.all([openProject(call, a), openProject(call, b)])
    const diff = diffSets(before.files, after.files, after.catalog)
    const images = call.options.get('images')
    const unread = [...before.problems, ...after.problems].filter(({ severity }) => severity === 'error')
    if (images !== undefined && unread.length > 0)
      return {
        ok: false,
        text: [...unread.map(showProblem), 'no pictures of what cannot be read'].join('\n'),
        json: { ok: false, problems: unread },
      }
    const written = images === undefined ? [] : await pictures(call, diff, before, after, resolve(call.root, images))
    const count =
      diff.length === 0
        ? 'nothing differs'
        : `${diff.length} files differ, ${new Set(diff.flatMap(({ screens }) => screens)).size} screens are touched`
    const text = [...diff.flatMap(linesOf), ...written.map((file) => `picture  ${file}`), count].join('\n')
    return { ok: true, text, json: { ok: true, diff, ...(images !== undefined && { images: written }) } }
  },
}

function linesOf({ path, state, changes, screens }: DocumentDiff): string[] {
  const shown = screens.length > 0 ? `  (screens: ${screens.join(', ')})` : ''
  return [`${state.padEnd(8)} ${path}${shown}`, ...changes.map((change) => `    ${lineOf(change)}`)]
}

const short = (value: unknown) => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function lineOf({ kind, node, member, pointer, before, after }: Change): string {
  const what = [node ?? (pointer || 'document'), member].filter(Boolean).join(' ')
  if (kind === 'added') return `+ ${what}${after === undefined ? '' : `: ${short(after)}`}`
  if (kind === 'removed') return `- ${what}${before === undefined ? '' : `: ${short(before)}`}`
  return `${kind === 'changed' ? '~' : kind} ${what}: ${short(before)} → ${short(after)}`
}

async function pictures(call: Call, diff: readonly DocumentDiff[], before: Project, after: Project, folder: string): Promise<string[]> {
  const screens = [...new Set(diff.flatMap((one) => one.screens))].sort()
  if (screens.length === 0) return []
  const app = await serveApp(call, after.name)
  const browser = await openBrowser(readEnv().CHROMIUM_PATH)
  const written: string[] = []
  try {
    for (const [when, set] of [
      ['before', before],
      ['after', after],
    ] as const) {
      for (const { screen, picture } of await picturesOf({ set, origin: app.origin, browser, screens })) {
        const name = `${screen}.${when}.png`
        await put(folder, name, picture)
        written.push(name)
        call.tell(name)
      }
    }
  } finally {
    await browser.close()
    app.close()
  }
  return written.sort()
}
