import { addressOf } from '#renderer/core/route.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** The engine for a page that stands beside another one. */
export interface BesideEngine<View> {
  engine: Engine<View>
  /** The page is gone: actions that it started neither move nor ask any more. */
  end(): void
}

/**
 * The same engine, except for what moves the customer: `back` closes the page, and another page opens in the whole window. The page has one
 * visit, from its opening to its end, also when the page beside it changes.
 */
export function createBeside<View>(outer: Engine<View>, close: () => void): BesideEngine<View> {
  let visit = 1
  const end = () => {
    visit = 2
  }
  const back = () => {
    end()
    close()
  }
  return {
    end,
    engine: {
      ...outer,
      isBeside: true,
      back,
      go(route, params, replace) {
        back()
        outer.gate.go(addressOf(route, params), replace)
      },
      visit: () => visit,
    },
  }
}
