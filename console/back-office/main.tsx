import '#console/zod-config.ts'
import set from 'virtual:back-office-set'
import words from 'virtual:back-office-words'
import { product } from '#app/product.ts'
import { type BackOfficeRoute, createBackOfficeApi } from '#console/back-office/api.ts'
import { badgeOf, type Counts, type FromBackOffice, readToBackOffice, type Viewer } from '#console/back-office/protocol.ts'
import { written } from '#console/frames/protocol.ts'
import { createRelease } from '#console/preview/frame/release.ts'
import { ownStorage } from '#console/preview/frame/world.ts'
import routes from '#contract/office.routes.json'
import type { DocumentKey } from '#language/publish/release.ts'
import { renew } from '#renderer/data/data-live.ts'
import type { Engine } from '#renderer/engine/types.ts'
import { startApp } from '#renderer/start.tsx'
import '#console/back-office/back-office.css'

/** Composition root of the back office's frame: the engine with the documents and calls of the back office. No customer, no feed, no config server. */

const base = '/console/back-office/api'
const consoleBase = '/console/api'
/** Pages outside of the frame, by their routes. */
const outside = new Set(['/draft', '/release'])
/** Each load of these is recorded as a view, so they load only when an operator opens them. */
const personal = new Set(['office.verification', 'office.customer', 'office.messages'])

const release = createRelease()
/** Asks the parent page, once for all waiting calls. */
let proved: ((shown: boolean) => void)[] = []
const tell = (message: FromBackOffice) => window.parent.postMessage(written(message), location.origin)
let engine: Engine | undefined
let begun = false
let version = 0
let counts: Counts | undefined

/** Address of the frame within the back office. */
const addressNow = () => location.hash.slice(1) || '/'
function askFresh(): Promise<boolean> {
  return new Promise((done) => {
    proved.push(done)
    if (proved.length === 1) tell({ kind: 'fresh' })
  })
}
function answerFresh(shown: boolean): void {
  const all = proved
  proved = []
  for (const done of all) done(shown)
}
let sent = ''
function where(): void {
  const address = addressNow()
  if (address === sent) return
  sent = address
  tell({ kind: 'where', address })
}

/** The router uses pushState, which fires no event. */
function watchHistory(): void {
  for (const name of ['pushState', 'replaceState'] as const) {
    const own = history[name].bind(history)
    history[name] = (...all) => {
      own(...all)
      setTimeout(where)
    }
  }
  for (const name of ['popstate', 'hashchange']) addEventListener(name, () => setTimeout(where))
}

async function bringWords(language: string): Promise<void> {
  const wanted = [...new Set(['en', language])].filter((id) => Object.hasOwn(words, id))
  const found = await Promise.all(wanted.map(async (id) => [id, (await words[id]!()).default] as const))
  version += 1
  release.put({ version, documents: version === 1 ? set.documents : {}, words: Object.fromEntries(found) })
}

/** All documents are in this page, so no screen has to wait for its own. */
function bringAll({ config }: Engine): void {
  for (const key of Object.keys(config.current()?.documents ?? {}) as DocumentKey[]) void config.fetchDocument(key).catch(() => undefined)
}

/** A page of the console outside of the back office is shown by the console: the frame stays where it is. */
function leadOutside(made: Engine): void {
  const setMover = made.setMover.bind(made)
  made.setMover = (mover) =>
    setMover({
      go(address, replace) {
        if (outside.has(address.split('?', 1)[0] ?? '')) tell({ kind: 'leave', address })
        else mover.go(address, replace)
      },
      back: () => mover.back(),
    })
}

async function begin(who: Viewer): Promise<void> {
  begun = true
  ownStorage(window, {
    version: '1',
    language: JSON.stringify(who.language),
    theme: JSON.stringify('system'),
    reviewer: JSON.stringify(who.reviewer),
    administrator: JSON.stringify(who.administrator),
  })
  await bringWords(who.language)
  startApp(product, {
    feed: false,
    config: {
      fetch: release.fetch,
      eventSource: release.eventSource,
      rescue: undefined,
      amend: undefined,
      busy: { free: () => Promise.resolve() },
    },
    api: ({ language }) =>
      createBackOfficeApi({
        base,
        consoleBase,
        routes: routes as unknown as Record<string, BackOfficeRoute>,
        language,
        onLogin: () => tell({ kind: 'login' }),
        onFresh: askFresh,
      }),
    made: (made) => {
      engine = made as Engine
      leadOutside(engine)
      bringAll(engine)
      if (counts) show(counts)
    },
    broken: (problem) => tell({ kind: 'broken', reason: String(problem) }),
  })
  watchHistory()
  where()
}

async function become(who: Viewer): Promise<void> {
  if (!begun) return begin(who)
  if (!engine) return
  if (engine.device.get('language') !== who.language) {
    await bringWords(who.language)
    engine.device.set('language', who.language)
  }
  engine.device.set('reviewer', who.reviewer)
  engine.device.set('administrator', who.administrator)
}

/** Answers of the config server that are asked for anew after a change there, by the start of the call's name. */
const changedBy: Readonly<Record<string, readonly string[]>> = {
  draft: ['audit.'],
  release: ['audit.'],
  operators: ['audit.', 'operators.'],
}
function renewAfter(about: string | null): void {
  const starts = about === null ? ['audit.', 'operators.'] : Object.hasOwn(changedBy, about) ? changedBy[about]! : []
  if (engine && starts.length > 0) renew(engine.queries, ({ queryKey }) => starts.some((start) => String(queryKey[0]).startsWith(start)))
}

/** Shows the counts at the tabs, and reloads every open queue. */
function show(now: Counts): void {
  const first = counts === undefined
  counts = now
  if (!engine) return
  // Approved withdrawals that were not sent yet stand at the tab of the withdrawals.
  const { to_send = 0, ...queues } = now
  for (const [name, count] of Object.entries(queues)) engine.device.set(name, badgeOf(name === 'withdrawals' ? count + to_send : count))
  if (!first) renew(engine.queries, ({ queryKey }) => String(queryKey[0]).startsWith('office.') && !personal.has(String(queryKey[0])))
}

if (window.parent === window) location.replace(`/console/#/back-office${addressNow()}`)
else {
  addEventListener('message', (event) => {
    const message = readToBackOffice(event, { origin: location.origin, window: window.parent })
    if (message?.kind === 'who') void become(message.who).catch((problem) => tell({ kind: 'broken', reason: String(problem) }))
    if (message?.kind === 'proved') answerFresh(message.shown)
    if (message?.kind === 'counts') show(message.counts)
    if (message?.kind === 'changed') renewAfter(message.about)
    if (message?.kind === 'open' && message.address !== addressNow()) location.replace(`#${message.address}`)
  })
  tell({ kind: 'ready' })
}
