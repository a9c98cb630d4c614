import type { EventsPlace } from '#console/io/client.ts'
import type { Console } from '#console/io/console.ts'
import type { ConsoleEvent, DraftPresence, Present } from '#language/publish/publishing.ts'

/** Pages that open and close soon after each other cause one stream. */
const settleMs = 200
/** After a refusal, which ends what the browser does by itself. */
const retryMs = 30_000

const draftIn = (place: EventsPlace) => ('draft' in place ? place.draft : undefined)

/**
 * The server's messages, over one stream that the browser reconnects by itself. The address of the stream says which draft the page has open.
 * For another draft or file, and whenever the server asks for a sign of life, a second stream is opened, and the first is closed once the second
 * is open, so that no message is lost in between.
 * @param address of the stream for what the page has open
 */
export function createEvents(
  address: (place: EventsPlace) => string,
  open: (url: string) => EventSource = (url) => new EventSource(url, { withCredentials: true }),
) {
  const wakes = new Set<(event: ConsoleEvent | null) => void>()
  let place: EventsPlace = {}
  let watcher: ((others: readonly Present[]) => void) | undefined
  let presence: DraftPresence | undefined
  /** The stream that is read, and the one that shall replace it. */
  let source: EventSource | undefined
  let next: EventSource | undefined
  let asked = ''
  let isStarted = false
  let lost = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell = (event: ConsoleEvent | null) => {
    for (const wake of wakes) wake(event)
  }
  const onMessage = ({ data }: MessageEvent<string>) => {
    try {
      tell(JSON.parse(data) as ConsoleEvent)
    } catch {
      tell(null)
    }
  }
  function show(now: DraftPresence | undefined): void {
    presence = now
    if (!now || now.draft === draftIn(place)) watcher?.(now?.others ?? [])
  }

  function connect(): void {
    clearTimeout(timer)
    next?.close()
    asked = address(place)
    if (presence?.draft !== draftIn(place)) presence = undefined
    const made = open(asked)
    next = made
    for (const name of ['message', 'console']) made.addEventListener(name, onMessage as (event: Event) => void)
    made.addEventListener('presence', ({ data }: MessageEvent<string>) => show(JSON.parse(data) as DraftPresence))
    made.addEventListener('renew', connect)
    made.addEventListener('error', () => {
      if (made === source || !source) {
        lost = true
        show(undefined)
      }
      if (made.readyState === EventSource.CLOSED) later(retryMs)
    })
    made.addEventListener('open', () => {
      if (made === next) {
        source?.close()
        source = made
        next = undefined
      }
      if (lost) tell(null)
      lost = false
    })
  }
  function later(ms: number): void {
    clearTimeout(timer)
    if (isStarted) timer = setTimeout(connect, ms)
  }
  function move(to: EventsPlace): void {
    place = to
    if (address(place) !== asked) later(settleMs)
  }
  const watch: Console['watchDraft'] = (at, tellOthers) => {
    watcher = tellOthers
    move(at)
    if (presence?.draft === at.draft) tellOthers(presence.others)
    return () => {
      if (watcher !== tellOthers) return
      watcher = undefined
      move({})
    }
  }

  return {
    watch,
    subscribe(wake: (event: ConsoleEvent | null) => void): () => void {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    /** Only logged in operators are told anything. */
    start() {
      if (isStarted) return
      isStarted = true
      connect()
    },
    stop() {
      isStarted = false
      clearTimeout(timer)
      source?.close()
      next?.close()
      source = next = undefined
      show(undefined)
    },
  }
}
