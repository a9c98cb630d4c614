import type { AppDoc, RoutesDoc, ThemeDoc } from '#language/documents/documents.ts'
import { isObject } from '#language/documents/json.ts'
import type { DocumentKey, Manifest } from '#language/publish/release.ts'
import { compileNode } from '#renderer/core/compile.ts'
import type { Registry } from '#renderer/core/registry.ts'
import { createRouter } from '#renderer/core/route.ts'
import { themeVariables } from '#renderer/core/theme.ts'

/**
 * Whether a release has the parts that the app needs: constants, languages, a tab bar, colours and a way home. It is tried with the code
 * that will use it. Any other document may be broken: error boundaries keep that to one screen.
 */
export function isUsable<View>(manifest: Manifest, registry: Registry<View>): boolean {
  const read = (key: DocumentKey) => manifest.inline[manifest.documents[key]?.sha256 ?? '']
  try {
    const [app, routes, theme] = [read('app/app') as AppDoc, read('routes/routes') as RoutesDoc, read('theme/theme') as ThemeDoc]
    compileNode(app.tabBar, registry)
    const tags = app.languages.flatMap(({ tag }) => Intl.getCanonicalLocales(tag))
    for (const light of [true, false]) themeVariables(theme, light ? 'light' : 'dark', light)
    return (
      app.languages.some(({ id }) => id === app.defaultLanguage) &&
      tags.length === app.languages.length &&
      [theme.dark, theme.light, app.constants, app.device, ...Object.values(app.device)].every(isObject) &&
      createRouter(routes)('')?.route.screen !== undefined
    )
  } catch {
    return false
  }
}
