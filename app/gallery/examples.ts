import type { ExampleFile } from '#app/gallery/cases.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import manifest from '#widgets/manifest.json'

/** Widget data that is available without running the widgets. Schemas come from the manifest, because passports have none in a browser. */
const files = import.meta.glob<ExampleFile>('/widgets/*/*.example.json', { eager: true, import: 'default' })
const byType = new Map((manifest.widgets as unknown as WidgetManifest[]).map((widget) => [widget.type, widget]))

export const allWidgets = [...byType.values()]
export const findWidget = (type: string): WidgetManifest | undefined => byType.get(type)

const noExamples: ExampleFile = { examples: [] }
export const examplesOf = (type: string): ExampleFile => files[`/widgets/${type}/${type}.example.json`] ?? noExamples
