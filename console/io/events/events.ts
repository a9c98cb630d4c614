import type { EventsPlace } from '#console/io/client.ts'
import type { Console } from '#console/io/console.ts'
import type { ConsoleEvent, DraftPresence, Present } from '#language/publish/publishing.ts'
import { type EventStream, followStream } from '#renderer/calls/event-stream.ts'
import { systemTimers } from '#renderer/calls/retry.ts'

/** Pages that open and close soon after each other cause one stream. */
const settleMs = 200

const draftIn = (place: EventsPlace) => ('draft' in place ? place.draft : undefined)

/**
 * The server's messages, over one stream. The address of the stream says which draft the page has open.
 * For another draft or file, and whenever the server asks for a sign of life, a second stream is opened, and the first is closed once the second
 * is open, so that no message is lost in between.
 * @param address of the stream for what the page has open
 */
export function createEvents(
  address: (place: EventsPlace) => string,
  open: (url: string) => EventStream = (url) => new EventSource(url, { withCredentials: true }),
) {
  const wakes = new Set<(event: ConsoleEvent | null) => void>()
  let place: EventsPlace = {}
  let watcher: ((others: readonly Present[]) => void) | undefined
  let presence: DraftPresence | undefined
  /** Each ends a stream: the one that is read, and the one that shall replace it. */
  let current: (() => void) | undefined
  let next: (() => void) | undefined
  let asked = ''
  let isStarted = false
  let lost = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const tell = (event: ConsoleEvent | null) => {
    for (const wake of wakes) wake(event)
  }
  const hear = (data: unknown) => {
    try {
      tell(JSON.parse(data as string) as ConsoleEvent)
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
    next?.()
    const url = address(place)
    asked = url
    if (presence?.draft !== draftIn(place)) presence = undefined
    const made = followStream({
      open: () => open(url),
      timers: systemTimers,
      random: Math.random,
      on: { message: hear, console: hear, presence: (data) => show(JSON.parse(data as string) as DraftPresence), renew: connect },
      opened() {
        if (made === next) {
          current?.()
          current = made
          next = undefined
        }
        if (lost) tell(null)
        lost = false
      },
      lost() {
        if (made !== current && current) return
        lost = true
        show(undefined)
      },
    })
    next = made
  }
  function move(to: EventsPlace): void {
    place = to
    if (address(place) === asked) return
    clearTimeout(timer)
    if (isStarted) timer = setTimeout(connect, settleMs)
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
    /** Only logged in operators get events. */
    start() {
      if (isStarted) return
      isStarted = true
      connect()
    },
    stop() {
      isStarted = false
      clearTimeout(timer)
      current?.()
      next?.()
      current = next = undefined
      show(undefined)
    },
  }
}
