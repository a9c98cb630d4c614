import type { PreparedSet } from '#console/io/workspace-types.ts'
import type { FrameDocument, SetChange } from '#console/preview/protocol.ts'
import type { RoutesDoc, ScreenDoc } from '#language/documents/documents.ts'
import { covers, type Shows } from '#language/publish/covers.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import type { PreparedDocument } from '#language/types/catalog.ts'

/** The documents of one rendering. Unchanged objects keep their identity. */
export type PreviewSet = Pick<PreparedSet, 'documents' | 'words'>

const frameDocument = ({ doc, computed }: PreparedDocument): FrameDocument => ({ doc, uses: computed.uses, areas: computed.areas })
const isEmpty = (value: object) => Object.keys(value).length === 0

/** The changes from `before` to `after`; undefined when there are none. @param before undefined: the frame has nothing yet */
export function changeBetween(before: PreviewSet | undefined, after: PreviewSet): Omit<SetChange, 'version'> | undefined {
  const documents: SetChange['documents'] = {}
  for (const [key, one] of Object.entries(after.documents)) {
    if (before?.documents[key as DocumentKey] !== one) documents[key] = frameDocument(one)
  }
  for (const key of Object.keys(before?.documents ?? {})) if (!Object.hasOwn(after.documents, key)) documents[key] = null
  const words: SetChange['words'] = {}
  for (const language of new Set([...Object.keys(before?.words ?? {}), ...Object.keys(after.words)])) {
    const [old = {}, now = {}] = [before?.words[language], after.words[language]]
    if (old === now) continue
    const areas: Record<string, Record<string, unknown> | null> = {}
    for (const [area, tree] of Object.entries(now)) if (old[area] !== tree) areas[area] = tree
    for (const area of Object.keys(old)) if (!Object.hasOwn(now, area)) areas[area] = null
    if (!isEmpty(areas)) words[language] = areas
  }
  return isEmpty(documents) && isEmpty(words) ? undefined : { documents, words }
}

/** The documents as a build gets them: one that it cannot show is replaced by the base version where it can show that. Others are unchanged. */
export function asBuild(set: PreviewSet, base: PreviewSet | undefined, build: Shows): PreviewSet {
  const behind = Object.values(set.documents).flatMap(({ key, computed }) => {
    const earlier = covers(build, computed.requires) ? undefined : base?.documents[key]
    return earlier && covers(build, earlier.computed.requires) ? [[key, earlier] as const] : []
  })
  return behind.length === 0 ? set : { ...set, documents: { ...set.documents, ...Object.fromEntries(behind) } }
}

export interface ScreenRoute {
  /** As the routes document names it. */
  path: string
  screen: string
  auth: boolean
  kyc: number
  params: NonNullable<ScreenDoc['params']>
}

/** All pages, in the order of the routes document. */
export function routesOf({ documents }: PreviewSet): ScreenRoute[] {
  const routes = documents['routes/routes']?.doc as RoutesDoc | undefined
  return Object.entries(routes?.routes ?? {}).map(([path, { screen, auth, kyc }]) => ({
    path,
    screen,
    auth: auth === true || kyc !== undefined,
    kyc: kyc ?? 0,
    params: (documents[`screen/${screen}`]?.doc as ScreenDoc | undefined)?.params ?? {},
  }))
}

/** Screens that show a document: itself, or through forms, prompts, quick entries and validations. Undefined: every screen may (app, theme, texts). */
export function screensOf({ documents }: PreviewSet, key: DocumentKey): string[] {
  const users = (wanted: string, seen: Set<string>): string[] => {
    if (seen.has(wanted)) return []
    seen.add(wanted)
    if (wanted.startsWith('screen/')) return [wanted.slice(7)]
    return Object.values(documents).flatMap((one) => (one.computed.uses.includes(wanted) ? users(one.key, seen) : []))
  }
  return [...new Set(users(key, new Set()))]
}

/** Ids of the prompts that a document opens: itself, or those of its steps and of its forms' steps. */
export function promptsOf({ documents }: PreviewSet, key: DocumentKey): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const look = (one: string) => {
    if (seen.has(one)) return
    seen.add(one)
    const document = documents[one as DocumentKey]
    if (document && one.startsWith('prompt/')) found.add(one.slice('prompt/'.length))
    for (const used of document?.computed.uses ?? []) look(used)
  }
  look(key)
  return [...found].sort()
}

/** Screens that use a fragment. Prepared documents contain its nodes without its name, so the files are searched. */
export function screensWithFragment(files: Readonly<Record<string, string>>, fragment: string): string[] {
  const found = new Set<string>()
  const seen = new Set<string>()
  const look = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    const used = new RegExp(`"use":\\s*${JSON.stringify(id).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)
    for (const [path, text] of Object.entries(files)) {
      const own = /"id":\s*"([^"]+)"/.exec(text)?.[1]
      if (own === undefined || !used.test(text)) continue
      if (path.startsWith('schemas/screens/')) found.add(own)
      if (path.startsWith('schemas/fragments/')) look(own)
    }
  }
  look(fragment)
  return [...found].sort()
}

/** The initial value of a parameter. */
export function firstParam(name: string, param: ScreenRoute['params'][string]): string {
  if (param.default !== undefined && param.default !== null) return String(param.default)
  if (!param.required) return ''
  if (param.values?.[0] !== undefined) return String(param.values[0])
  if (/symbol/.test(name)) return 'BTCUSDT'
  return { integer: '1', decimal: '1', boolean: 'true', string: 'sample', enum: '' }[param.type]
}

/** The person for whom the app is shown. */
interface Viewer {
  customer: boolean
  kyc: number
}

/** Whether the app redirects a person from this page to the login or to the verification. */
export function isClosedFor(route: Pick<ScreenRoute, 'auth' | 'kyc'>, { customer, kyc }: Viewer): boolean {
  return (route.auth && !customer) || (route.kyc > 0 && kyc < route.kyc)
}

/** The requested page, where the app shows another one because of the person; undefined otherwise. */
export function ledElsewhere<R extends Pick<ScreenRoute, 'auth' | 'kyc' | 'screen'>>(
  asked: R | undefined,
  screen: string | null,
  person: Viewer,
): R | undefined {
  return asked && screen !== null && screen !== asked.screen && isClosedFor(asked, person) ? asked : undefined
}
