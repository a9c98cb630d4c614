import type { Kind } from '#language/documents/documents.ts'
import type { Check } from '#language/lint/world.ts'

/** Documents that no app starts without, with their files. */
const needed = { app: 'schemas/app.json', routes: 'schemas/routes.json', theme: 'schemas/theme.json' } as const satisfies Partial<
  Record<Kind, string>
>

/** A set has every document that an app needs to start. */
export const kinds: Check = function* (world) {
  for (const [kind, file] of Object.entries(needed))
    if (!world.entries.some(({ doc }) => doc.kind === kind))
      yield {
        check: 'kinds',
        severity: 'error',
        file,
        line: 1,
        pointer: '',
        message: `there is no ${kind} document, and no app starts without it`,
      }
}
