import { written } from '#console/frames/protocol.ts'
import '#console/zod-config.ts'
import { useEffect, useReducer } from 'react'
import { createRoot } from 'react-dom/client'
import { product } from '#app/product.ts'
import type { AppEngine } from '#app/session/app-engine.ts'
import { createAnswers, sampleUser } from '#console/preview/frame/answers.ts'
import { elementAt, hiddenNodes, placeAt, sheetAround, whyOf } from '#console/preview/frame/hidden-nodes.ts'
import { createPromptShow } from '#console/preview/frame/prompt-show.ts'
import { createRelease } from '#console/preview/frame/release.ts'
import { ownHistory, ownSocket, ownStorage } from '#console/preview/frame/world.ts'
import { type FromFrame, type NodePlace, readToFrame, type Switches, type ToFrame } from '#console/preview/protocol.ts'
import type { ScreenDoc } from '#language/documents/documents.ts'
import type { DocumentKey } from '#language/publish/release.ts'
import { type ApiOptions, createApi } from '#renderer/calls/api.ts'
import { ScreenStore } from '#renderer/engine/store.ts'
import { branchAt, ownRoot } from '#renderer/inspector/find.ts'
import { Highlight } from '#renderer/inspector/Highlight.tsx'
import { Picker } from '#renderer/inspector/Picker.tsx'
import { flat, treeOf } from '#renderer/inspector/tree.ts'
import { type Watch, watchModels } from '#renderer/inspector/watch.ts'
import { startApp } from '#renderer/start.tsx'
import '#renderer/inspector/views.css'
import '#console/preview/frame/frame.css'

/** Composition root of the preview's frame: the app with documents, answers and a session that the console provides. */

const token = 'preview'
const hiddenEveryMs = 300
const staleAfterMs = 400

const release = createRelease()
const open = ownHistory(window, () => where())
ownSocket(window)
const tell = (message: FromFrame) => {
  if (window.parent !== window) window.parent.postMessage(written(message), location.origin)
}

let switches: Switches = { language: '', theme: 'dark', customer: false, kyc: 0, data: 'ok' }
let engine: AppEngine | undefined
let watch: Watch | undefined
let begun = false
let selected: NodePlace | null = null
let picking = false
let drawHighlights: () => void = () => undefined

const prompt = createPromptShow({
  engine: () => engine,
  address: () => location.hash,
  shown: (id) => tell({ kind: 'prompt', id }),
})

const where = () => {
  if (!engine) return
  const address = location.hash.slice(1) || '/'
  const screen = engine.match(address.split('?', 1)[0] ?? '')?.route.screen ?? null
  tell({ kind: 'where', address: address.startsWith('/') ? address : `/${address}`, screen, customer: engine.session.root().logged_in })
}

/** Starts the app as customers have it, with other answers and other listeners. */
function begin(): void {
  begun = true
  const begunWith = switches
  ownStorage(window, {
    version: '1',
    language: JSON.stringify(switches.language),
    theme: JSON.stringify(switches.theme),
    ...(switches.customer && { token: token, user: JSON.stringify(sampleUser(switches.kyc, Date.now())) }),
  })
  watch = watchModels()
  startApp(product, {
    // Releases do not wait for open forms here: the editor shows each edit at once.
    config: { fetch: release.fetch, eventSource: release.eventSource, busy: { free: () => Promise.resolve() } },
    api,
    made: (made) => {
      engine = made as AppEngine
      stand(engine)
      // Options that arrived while the app was being made were not in its storage.
      const asked = switches
      switches = begunWith
      change(asked)
    },
    broken: (problem) => tell({ kind: 'broken', reason: String(problem) }),
  })
}

function api(options: ApiOptions) {
  return createAnswers({
    // The server must not see the simulated session.
    real: createApi({ ...options, token: () => undefined, heard: () => undefined }),
    switches: () => switches,
    customer: () => options.token() !== undefined,
    dry: (run) => tell({ kind: 'dry', run }),
    again: (call) =>
      void setTimeout(() => void engine?.queries.refetchQueries({ predicate: ({ queryKey }) => queryKey[0] === call }), staleAfterMs),
    now: () => Math.floor(Date.now() / 60_000) * 60_000,
  })
}

/** All documents are in this page, so no screen has to wait for its own. */
function bringAll({ config }: AppEngine): void {
  for (const key of Object.keys(config.current()?.documents ?? {}) as DocumentKey[]) void config.fetchDocument(key).catch(() => undefined)
}

function stand(now: AppEngine): void {
  bringAll(now)
  now.onRelease(() => {
    const version = release.version()
    bringAll(now)
    prompt.draw()
    // Waits for the frame that shows the release.
    requestAnimationFrame(() => setTimeout(() => tell({ kind: 'drawn', version })))
  })
  now.bus.on('screen-drawn', where)
  now.bus.on('screen-drawn', prompt.draw)
  now.bus.on('screen-drawn', showSheet)
  now.bus.on('screen-drawn', () => tell({ kind: 'drawn', version: release.version() }))
  now.bus.on('release-unfit', () => tell({ kind: 'broken', reason: 'release-unfit' }))
  now.device.onChange('token', where)
  marks()
}

function marks(): void {
  const box = document.createElement('div')
  box.id = ownRoot
  document.body.append(box)
  const root = createRoot(box)
  const picked = (place: NodePlace | null) => {
    picking = false
    drawHighlights()
    tell({ kind: 'picked', place })
  }
  drawHighlights = () => root.render(<Highlights watch={watch!} picking={picking} selected={selected} picked={picked} />)
  drawHighlights()
}

/** The sheet that was opened because it contains the selected node. */
let shownSheet: { store: ScreenStore; sheet: string } | undefined

/** Opens the sheet around the selected node, and closes the one of the former selection. */
function showSheet(): void {
  const screens = new Map([...(watch?.live ?? [])].flatMap(({ host }) => (isScreen(host) ? [[host.store, host.screen] as const] : [])))
  const wanted = [...screens].flatMap(([store, screen]) => {
    const sheet = selected ? sheetAround(screen, selected) : undefined
    return sheet === undefined ? [] : [{ store, sheet }]
  })[0]
  if (shownSheet && shownSheet.store !== wanted?.store && shownSheet.store.openedSheet() === shownSheet.sheet)
    shownSheet.store.openSheet(undefined)
  if (wanted && (wanted.store !== shownSheet?.store || wanted.sheet !== shownSheet.sheet)) wanted.store.openSheet(wanted.sheet)
  shownSheet = wanted
}

const isScreen = (host: unknown): host is { store: ScreenStore; screen: ScreenDoc } =>
  (host as { store?: unknown; screen?: unknown }).store instanceof ScreenStore && (host as { screen?: unknown }).screen !== undefined

/** Applies changed options to the running app, so that it keeps its place. */
function change(next: Switches): void {
  const before = switches
  switches = next
  if (!engine) return
  const { device, session, queries } = engine
  if (next.language !== before.language) device.set('language', next.language)
  if (next.theme !== before.theme) device.set('theme', next.theme)
  if (next.customer !== before.customer) {
    if (next.customer) session.begin(token)
    else session.end()
  }
  if (device.token() !== undefined) session.adopt(sampleUser(next.kyc, Date.now()))
  if (next.data !== before.data) void queries.resetQueries()
}

let hiddenTimer: ReturnType<typeof setInterval> | undefined
let lastHidden = ''
function follow(on: boolean): void {
  clearInterval(hiddenTimer)
  lastHidden = ''
  if (!on) return
  const look = () => {
    if (!engine || !watch) return
    const nodes = hiddenNodes(engine, watch.live)
    const text = JSON.stringify(nodes)
    if (text === lastHidden) return
    lastHidden = text
    tell({ kind: 'hidden', nodes: JSON.parse(text) })
  }
  look()
  hiddenTimer = setInterval(look, hiddenEveryMs)
}

function obey(message: ToFrame): void {
  switch (message.kind) {
    case 'set':
      release.put(message.set)
      if (!begun) begin()
      return
    case 'switches':
      change(message.switches)
      return
    case 'open':
      open(message.address)
      return
    case 'prompt':
      prompt.show(message.id)
      return
    case 'pick':
      picking = message.on
      drawHighlights()
      return
    case 'select':
      selected = message.place
      showSheet()
      drawHighlights()
      return
    case 'watch':
      follow(message.on)
      return
    case 'why': {
      const answer = engine && watch ? (whyOf(engine, watch.live, message.place) ?? null) : null
      tell({ kind: 'why', id: message.id, answer: answer && JSON.parse(JSON.stringify(answer)) })
    }
  }
}

window.addEventListener('message', (event) => {
  const message = readToFrame(event, { origin: location.origin, window: window.parent })
  if (message) obey(message)
})
tell({ kind: 'ready' })

interface HighlightsProps {
  watch: Watch
  picking: boolean
  selected: NodePlace | null
  picked: (place: NodePlace | null) => void
}

/** Interval at which the selected node's element is looked up again, because elements change without an event. */
const lookEveryMs = 200

/** Overlays of the app: the outline of the selected node, and the one that follows the pointer while a node is picked. */
function Highlights({ watch, picking, selected, picked }: HighlightsProps) {
  const [, look] = useReducer((n: number) => n + 1, 0)
  useEffect(() => {
    if (!selected) return
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [selected])
  if (picking) {
    const trunks = treeOf(watch.live)
    const pick = (element: Element | null) => picked(placeAt(element, watch.live, branchAt(element, trunks)))
    return <Picker trunks={trunks} pick={pick} cancel={() => picked(null)} />
  }
  const element = selected && elementAt(selected, watch.live)
  if (!element) return null
  const branch = treeOf(watch.live)
    .flatMap(({ roots }) => flat(roots))
    .find(({ id }) => id === selected.node)
  return <Highlight element={element} label={{ id: selected.node, widget: branch?.widget ?? selected.document }} />
}
