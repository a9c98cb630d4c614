import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A minimal project folder for a config server: two screens, a prompt and texts in two languages. */
export interface ConfigRoot {
  root: string
  write(file: string, content: unknown): Promise<void>
  remove(): Promise<void>
}

const screen = (id: string, text: string, more: object = {}) => ({
  kind: 'screen',
  id,
  format: 1,
  body: [{ id: 'words', widget: 'text', props: { text: { $t: text } }, ...more }],
})

const dark = { ground: '#0E1116', surface: '#161B22', raised: '#1E2530', text: '#E8ECF2' }
const light = { ground: '#FFFFFF', surface: '#F4F6F9', raised: '#E8ECF2', text: '#0E1116' }

export const documents: Record<string, unknown> = {
  'schemas/app.json': {
    kind: 'app',
    id: 'app',
    format: 1,
    languages: [
      { id: 'en', label: 'English', tag: 'en' },
      { id: 'fr', label: 'Français', tag: 'fr', aliases: ['fra'] },
      { id: 'hk', label: '繁體中文', tag: 'zh-Hant-HK' },
    ],
    defaultLanguage: 'en',
    fiats: ['USD'],
    defaultFiat: 'USD',
    constants: {},
    device: {},
    links: [],
    tabBar: { id: 'tabs', widget: 'text', props: { text: { $t: 'app.tabs' } } },
  },
  'schemas/routes.json': {
    kind: 'routes',
    id: 'routes',
    format: 1,
    routes: { '/': { screen: 'home.home' }, 'pages/other': { screen: 'other' } },
  },
  'schemas/theme.json': { kind: 'theme', id: 'theme', format: 1, dark, light, space: {}, radius: {}, type: {} },
  'schemas/screens/home.json': screen('home.home', 'home.title', { on: { press: [{ confirm: 'leave' }, { go: 'pages/other' }] } }),
  'schemas/screens/other.json': screen('other', 'other.title', { on: { press: [{ go: '/' }] } }),
  'schemas/prompts/leave.json': { kind: 'prompt', id: 'leave', format: 1, title: { $t: 'home.leave' } },
}

const words = (mark: string) => ({
  app: { tabs: `Tabs ${mark}` },
  home: { title: `Home ${mark}`, leave: `Leave ${mark}` },
  other: { title: `Other ${mark}` },
  engine: { retry: `Again ${mark}` },
  widget: { more: `More ${mark}` },
})

const manifest = {
  icons: [],
  widgets: [
    {
      type: 'text',
      major: 1,
      props: { type: 'object', properties: { text: { type: 'string', text: true } }, required: ['text'] },
      events: ['press'],
      slots: {},
      label: null,
      states: {},
    },
  ],
}

/** @param changes files that replace or extend the default ones */
export async function createConfigRoot(changes: Record<string, unknown> = {}): Promise<ConfigRoot> {
  const root = await mkdtemp(join(tmpdir(), 'tessera-config-'))
  const write = async (file: string, content: unknown) => {
    const path = join(root, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
  }
  const texts = ['en', 'fr', 'hk'].flatMap((language) =>
    Object.entries(words(language)).map(([area, table]) => [`locales/${language}/${area}.json`, table] as const),
  )
  const files = {
    ...documents,
    'widgets/manifest.json': manifest,
    'contract/manifest.json': [],
    'contract/functions/manifest.json': [],
    'contract/symbols.json': [],
    'contract/topics.json': [],
    ...Object.fromEntries(texts),
    ...changes,
  }
  for (const [file, content] of Object.entries(files)) await write(file, content)
  return { root, write, remove: () => rm(root, { recursive: true, force: true }) }
}
