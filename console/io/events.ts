import type { ConsoleEvent } from '#language/publish/publishing.ts'

/** The server's messages, over one line that the browser mends by itself. */
export function createEvents(
  url: string,
  open: (url: string) => EventSource = (address) => new EventSource(address, { withCredentials: true }),
) {
  const wakes = new Set<(event: ConsoleEvent | null) => void>()
  let source: EventSource | undefined
  let lost = false
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
  return {
    subscribe(wake: (event: ConsoleEvent | null) => void): () => void {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    /** Only logged in operators are told anything. */
    start() {
      if (source) return
      source = open(url)
      for (const name of ['message', 'console']) source.addEventListener(name, onMessage as (event: Event) => void)
      source.addEventListener('error', () => {
        lost = true
      })
      source.addEventListener('open', () => {
        if (lost) tell(null)
        lost = false
      })
    },
    stop() {
      source?.close()
      source = undefined
    },
  }
}
