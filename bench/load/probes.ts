/** Functions that run inside the page. They are passed to Playwright, so they must not use anything outside themselves. */

declare global {
  interface Window {
    /** performance.now() of the first paint that shows a price from the socket. */
    liveAt?: number
    /** Figures of the main thread under load. */
    storm?: { frames: number; longTasks: number[]; touched: Map<string, number>; elsewhere: string[] }
  }
}

/** Runs before the page's own code and records when a price of the first socket message is painted. */
export function watchFirstQuote(): void {
  const last = new Map<string, string>()
  const Native = window.WebSocket
  window.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols)
      this.addEventListener('message', ({ data }) => {
        const message = JSON.parse(String(data)) as { action: string; data?: { symbol: string; last: string }[] }
        if (message.action === 'getQuota') for (const row of message.data ?? []) last.set(row.symbol, row.last)
      })
    }
  }
  const look = () => {
    const shown = [...document.querySelectorAll<HTMLElement>('li[data-key]')]
    const painted = shown.some((row) => {
      const price = last.get(row.dataset.key ?? '')
      return price !== undefined && (row.textContent ?? '').replaceAll(',', '').includes(price)
    })
    if (painted && shown.length > 10)
      setTimeout(() => {
        window.liveAt ??= performance.now()
      })
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** Counts frames, long tasks and changed rows until it is read. */
export function watchStorm(): void {
  const storm = { frames: 0, longTasks: [] as number[], touched: new Map<string, number>(), elsewhere: [] as string[] }
  window.storm = storm
  const count = () => {
    storm.frames++
    requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  new PerformanceObserver((list) => storm.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'],
  })
  new MutationObserver((records) => {
    for (const { target } of records) {
      const element = target instanceof Element ? target : target.parentElement
      const symbol = element?.closest<HTMLElement>('li[data-key]')?.dataset.key
      const cell = element?.closest('[class*="cells"]')
      if (symbol && cell) storm.touched.set(symbol, (storm.touched.get(symbol) ?? 0) + 1)
      else storm.elsewhere.push(element?.outerHTML.slice(0, 80) ?? '?')
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
}

/** Milliseconds from the next pointerup to the first paint with the selector present. */
export function timeFromTap(selector: string): Promise<number> {
  return new Promise((done) => {
    addEventListener(
      'pointerup',
      ({ timeStamp }) => {
        const look = () => {
          if (document.querySelector(selector)) setTimeout(() => done(performance.now() - timeStamp))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      },
      { capture: true, once: true },
    )
  })
}
