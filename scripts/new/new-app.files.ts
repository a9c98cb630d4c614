import { formatNow } from '#language/documents/nodes.ts'
import { imports, type NewFile } from '#scripts/new/new.files.ts'

/** Files of `npm run new:app`. Pure functions, which can be tested without a folder. */

/** Folder of apps beside the product. */
export const appsFolder = 'examples'
const nameLengthMax = 40

/**
 * Why an app may not have this name; undefined when it may.
 * @param existing names of the folders in `examples/`
 */
export function refusal(name: string, existing: readonly string[]): string | undefined {
  if (name === '') return 'a name is required, such as: npm run new:app book-club'
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    return `${name}: use small letters and digits, parts joined by one dash, a letter first`
  if (name.length > nameLengthMax) return `${name} is longer than ${nameLengthMax} characters`
  if (existing.includes(name)) return `there is already a folder ${appsFolder}/${name}`
  return undefined
}

/** `book-club` becomes `bookclub` in names of calls and texts, and `Book club` on the screen. */
export function namesOf(name: string): { area: string; title: string } {
  const words = name.replaceAll('-', ' ')
  return { area: name.replaceAll('-', ''), title: words.charAt(0).toUpperCase() + words.slice(1) }
}

const json = (value: unknown) => `${JSON.stringify(value)}\n`

/** A working app: one screen, one call, texts in English and French. `npm run format` formats its documents. */
export function filesOf(name: string): NewFile[] {
  const { area, title } = namesOf(name)
  const own = `#${appsFolder}/${name}`
  const file = (path: string, text: string): NewFile => ({ path: `${appsFolder}/${name}/${path}`, text })
  const schema = (path: string, document: { kind: string } & Record<string, unknown>) =>
    file(
      `schemas/${path}`,
      json({ $schema: `${'../'.repeat(path.split('/').length - 1) || './'}meta/${document.kind}.schema.json`, ...document }),
    )
  const words = (language: string, home: string, hello: string) => file(`locales/${language}/${area}.json`, json({ title, home, hello }))
  return [
    file(
      'api.ts',
      `${imports(`* as z from 'zod'`, `{ calls } from '#contract/call.ts'`, `{ timeMs } from '#contract/fields.ts'`, `{ defineApi } from '#examples/serve.ts'`)}

/** The calls of the app, the tables that they need, and what answers them. */
export const api = defineApi({
  calls: calls({
    '${area}.hello': {
      method: 'GET',
      path: '/${area}/hello',
      auth: 'none',
      reads: true,
      input: z.object({}),
      output: z.object({ time: timeMs }),
      problems: [],
      summary: 'Tells the time of the server',
    },
  }),
  migrations: [],
  handlers: () => ({
    '${area}.hello': async () => ({ time: Date.now() }),
  }),
})
`,
    ),
    file(
      'widgets.ts',
      `${imports(`{ navBar } from '#widgets/nav-bar/nav-bar.widget.ts'`, `{ page } from '#widgets/page/page.widget.ts'`, `{ tabBar } from '#widgets/tab-bar/tab-bar.widget.ts'`, `{ text } from '#widgets/text/text.widget.ts'`)}

/** The widgets that the documents of this app name, and those that the engine puts around a screen. */
export const widgets = [navBar, page, tabBar, text]
`,
    ),
    file(
      'main.ts',
      `${imports(`{ widgets } from '${own}/widgets.ts'`, `{ startApp } from '#renderer/start.tsx'`)}

// The build makes the table of routes from the calls of api.ts.
startApp({ widgets, calls: import.meta.env.VITE_CALLS })
`,
    ),
    file(
      'index.html',
      `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E" />
    <title>${title}</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="./main.ts"></script>
  </body>
</html>
`,
    ),
    schema('app.json', {
      kind: 'app',
      id: 'app',
      format: formatNow,
      defaultLanguage: 'en',
      languages: [
        { id: 'en', label: 'English', tag: 'en' },
        { id: 'fr', label: 'Français', tag: 'fr' },
      ],
      constants: {},
      device: {
        language: { type: 'string', default: '' },
        theme: { type: 'enum', values: ['dark', 'light', 'system'], default: 'system' },
      },
      links: [],
      tabBar: { id: 'tabs', widget: 'tab-bar', props: { list: 'tabs', selected: '= app.tab', label: `@${area}.title` } },
    }),
    schema('routes.json', { kind: 'routes', id: 'routes', format: formatNow, routes: { '/': { screen: 'home', tab: 'home' } } }),
    schema('quick-entries/tabs.json', {
      kind: 'quick-entries',
      id: 'tabs',
      format: formatNow,
      entries: [{ id: 'home', to: '/', icon: 'layout-grid', label: `@${area}.home` }],
    }),
    schema('screens/home.json', {
      kind: 'screen',
      id: 'home',
      format: formatNow,
      title: `@${area}.title`,
      back: false,
      data: { hello: { call: `${area}.hello` } },
      body: [
        {
          id: 'hello',
          widget: 'text',
          props: { text: { $t: `${area}.hello`, time: "= format('dateTime', data.hello.time)" }, size: 'lg' },
        },
      ],
    }),
    words('en', 'Home', 'Hello! The clock of the server says {{time}}.'),
    words('fr', 'Accueil', 'Bonjour ! L’horloge du serveur indique {{time}}.'),
  ]
}
