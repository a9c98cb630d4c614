/** The part of a registered worker in the browser that is used here. */
interface Worker {
  state: string
  postMessage(message: string): void
  addEventListener(type: 'statechange', listener: () => void): void
}
interface Registration {
  waiting: Worker | null
  installing: Worker | null
  update(): Promise<unknown>
  addEventListener(type: 'updatefound', listener: () => void): void
}
export interface Workers {
  controller: unknown
  register(url: never): Promise<Registration>
  addEventListener(type: 'controllerchange', listener: () => void): void
}

interface UpdateOptions {
  workers: Workers
  /** Resolves when the customer is not busy: no form with unsent input, no open prompt. */
  free: () => Promise<void>
  reload: () => void
  /** Looks for a newer build now and then: on an hour's timer, and when the app is shown again. */
  everyMs: number
  every: (run: () => void, ms: number) => void
  onShow: (run: () => void) => void
}

export interface Update {
  /** A newer build is on this device and nothing would be lost by showing it. */
  ready(): boolean
  subscribe(wake: () => void): () => void
  /** Shows the newer build. */
  take(): void
}

const address = '/sw.js'

/** The page refuses text where a script's address is wanted; this one address is allowed, by a policy that knows no other. */
function scriptAddress(): never {
  const types = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(url: string): unknown } } })
    .trustedTypes
  if (!types) return address as never
  const policy = types.createPolicy('tessera-worker', {
    createScriptURL: (url: string) => {
      if (url !== address) throw new TypeError(`${url} is not the worker`)
      return url
    },
  })
  return policy.createScriptURL(address) as never
}

/**
 * Registers the worker that keeps the shell, and reports when a newer build waits. The first worker of a device takes over by itself and is
 * no news.
 * @throws what the browser throws where workers are blocked
 */
export async function watchUpdates({ workers, free, reload, everyMs, every, onShow }: UpdateOptions): Promise<Update> {
  const wakes = new Set<() => void>()
  let waiting: Worker | undefined
  let taking = false
  const registration = await workers.register(scriptAddress())

  const found = (worker: Worker | null): void => {
    if (!worker || !workers.controller) return
    void free().then(() => {
      waiting = worker
      for (const wake of wakes) wake()
    })
  }
  const look = () => void registration.update().catch(() => undefined)
  found(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing
    coming?.addEventListener('statechange', () => coming.state === 'installed' && found(coming))
  })
  workers.addEventListener('controllerchange', () => taking && reload())
  every(look, everyMs)
  onShow(look)

  return {
    ready: () => waiting !== undefined,
    subscribe(wake) {
      wakes.add(wake)
      return () => wakes.delete(wake)
    },
    take() {
      taking = true
      waiting?.postMessage('take-over')
    },
  }
}
