import { written } from '#console/frames/protocol.ts'
import {
  type DryRun,
  type FromFrame,
  type HiddenNode,
  type NodePlace,
  readFromFrame,
  type Switches,
  type ToFrame,
} from '#console/preview/protocol.ts'
import { changeBetween, type PreviewSet } from '#console/preview/sets.ts'

/** The state that the frame has reported. A new object with every change. */
export interface FrameView {
  /** The frame has rendered. */
  ready: boolean
  /** Ms from the last edit to its rendering; null before the first. */
  ms: number | null
  /** Number of rendered edits. */
  pictures: number
  address: string
  screen: string | null
  /** The prompt that is open at the console's request. */
  prompt: string | null
  /** A customer is logged in, by the option or by the login page. */
  customer: boolean
  hidden: readonly HiddenNode[]
  /** Newest first. */
  runs: readonly DryRun[]
  /** Why the newest documents are not shown, or nothing at all. */
  broken: string | null
}

export interface FrameLink {
  view(): FrameView
  subscribe(wake: () => void): () => void
  /** Connects another window, which knows nothing of the former state. */
  attach(window: Window | null): void
  /** Handles a message; messages that are not from the frame are ignored. */
  hear(event: Pick<MessageEvent, 'origin' | 'source' | 'data'>): void
  /** @param editedAt time of the edit, by `performance.now()` */
  show(set: PreviewSet, editedAt?: number): void
  switches(switches: Switches): void
  open(address: string): void
  /** Opens a prompt with sample values over the page; null closes it. */
  prompt(id: string | null): void
  pick(on: boolean): void
  select(place: NodePlace | null): void
  /** Whether `hidden` is kept up to date. */
  watch(on: boolean): void
  /** Why a node is shown, hidden or disabled; null where it is not on the page. */
  why(place: NodePlace): Promise<HiddenNode | null>
  forgetRuns(): void
}

interface LinkOptions {
  origin: string
  now: () => number
  /** The operator has picked a node; null: has cancelled. */
  onPick: (place: NodePlace | null) => void
  /** An edit was rendered. Both times by `now`. */
  onPicture?: (editedAt: number, drawnAt: number) => void
  /** The app shows another page. */
  onWhere?: (address: string, screen: string | null) => void
}

const runsMax = 50
const whyPatienceMs = 2_000
const nothing: FrameView = {
  ready: false,
  ms: null,
  pictures: 0,
  address: '/',
  screen: null,
  prompt: null,
  customer: false,
  hidden: [],
  runs: [],
  broken: null,
}

/** The console's side of one preview frame. Messages that are sent before the frame is ready are delivered when it is. */
export function createLink({ origin, now, onPick, onPicture, onWhere }: LinkOptions): FrameLink {
  const wakes = new Set<() => void>()
  const asked = new Map<number, (answer: HiddenNode | null) => void>()
  const begunAt = new Map<number, number>()
  let view = nothing
  let window: Window | null = null
  let listens = false
  let sent: PreviewSet | undefined
  let version = 0
  let nextAsk = 1
  const wanted: {
    set?: PreviewSet
    switches?: Switches
    address: string
    prompt: string | null
    place: NodePlace | null
    picking: boolean
    watching: boolean
  } = {
    address: '/',
    prompt: null,
    place: null,
    picking: false,
    watching: false,
  }

  const say = (message: ToFrame) => {
    if (listens) window?.postMessage(written(message), origin)
  }
  const change = (next: Partial<FrameView>) => {
    view = { ...view, ...next }
    for (const wake of wakes) wake()
  }
  function sendSet(editedAt: number | undefined): void {
    const { set } = wanted
    if (!listens || !set || set === sent) return
    const different = changeBetween(sent, set)
    const first = sent === undefined
    sent = set
    if (!different) return
    version += 1
    // The first rendering belongs to no edit.
    if (!first && editedAt !== undefined) begunAt.set(version, editedAt)
    say({ kind: 'set', set: { version, ...different } })
  }
  function begin(): void {
    listens = true
    sent = undefined
    begunAt.clear()
    view = { ...nothing, runs: view.runs, ms: view.ms, pictures: view.pictures, address: view.address }
    if (wanted.switches) say({ kind: 'switches', switches: wanted.switches })
    say({ kind: 'open', address: wanted.address })
    say({ kind: 'select', place: wanted.place })
    sendSet(undefined)
    if (wanted.prompt !== null) say({ kind: 'prompt', id: wanted.prompt })
    if (wanted.picking) say({ kind: 'pick', on: true })
    if (wanted.watching) say({ kind: 'watch', on: true })
    change({})
  }
  function drawn(shown: number): void {
    const from = begunAt.get(shown)
    for (const old of begunAt.keys()) if (old <= shown) begunAt.delete(old)
    const at = now()
    if (from !== undefined) onPicture?.(from, at)
    change({ ready: true, broken: null, ...(from !== undefined && { ms: Math.round(at - from), pictures: view.pictures + 1 }) })
  }
  function take(message: FromFrame): void {
    switch (message.kind) {
      case 'ready':
        begin()
        return
      case 'drawn':
        drawn(message.version)
        return
      case 'where': {
        const { address, screen, customer } = message
        const moved = address !== view.address
        wanted.address = address
        change({ address, screen, customer })
        if (moved) onWhere?.(address, screen)
        return
      }
      case 'picked':
        wanted.picking = false
        onPick(message.place)
        return
      case 'prompt':
        wanted.prompt = message.id
        change({ prompt: message.id })
        return
      case 'dry':
        change({ runs: [message.run, ...view.runs].slice(0, runsMax) })
        return
      case 'hidden':
        change({ hidden: message.nodes })
        return
      case 'why':
        asked.get(message.id)?.(message.answer)
        return
      case 'broken':
        change({ broken: message.reason })
        return
    }
  }

  return {
    view: () => view,
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    attach(next) {
      window = next
      listens = false
    },
    hear(event) {
      const message = window && readFromFrame(event, { origin, window })
      if (message) take(message)
    },
    show(set, editedAt) {
      wanted.set = set
      sendSet(editedAt)
    },
    switches(switches) {
      wanted.switches = switches
      say({ kind: 'switches', switches })
    },
    open(address) {
      wanted.address = address
      say({ kind: 'open', address })
    },
    prompt(id) {
      wanted.prompt = id
      say({ kind: 'prompt', id })
    },
    pick(on) {
      wanted.picking = on
      say({ kind: 'pick', on })
    },
    select(place) {
      wanted.place = place
      say({ kind: 'select', place })
    },
    watch(on) {
      wanted.watching = on
      say({ kind: 'watch', on })
    },
    why(place) {
      const id = nextAsk++
      return new Promise((done) => {
        const end = (answer: HiddenNode | null) => {
          clearTimeout(timer)
          asked.delete(id)
          done(answer)
        }
        const timer = setTimeout(() => end(null), whyPatienceMs)
        asked.set(id, end)
        if (listens) say({ kind: 'why', id, place })
        else end(null)
      })
    },
    forgetRuns: () => change({ runs: [] }),
  }
}
