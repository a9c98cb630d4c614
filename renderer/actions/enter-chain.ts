import { limits } from '#language/documents/limits.ts'

/** The permission that a screen has for its `enter` steps: not to run them at all, or to run them with or without steps that navigate. */
export type Entry = { circle: string } | { mayMove: boolean }

/** Follows the screens that `enter` steps lead through, so that a circle of them ends. Entries that a person makes are not counted. */
export interface EnterChain {
  /** A screen is about to run its `enter` steps. @returns `circle`, the way in words, when they lead round too often */
  begin(screen: string): Entry
  /** A screen without `enter` steps is shown: the chain ends there. */
  end(): void
  /** The app was moved, by an `enter` step or by something else. */
  moved(byEnter: boolean): void
  /** The customer asks for home. After a circle, home is shown and its `enter` steps move nobody, because they may be part of the circle. */
  home(): void
}

export function createEnterChain(): EnterChain {
  let way: string[] = []
  /** The last move was made by an `enter` step. */
  let led = false
  let circled = false
  let homeward = false
  const end = () => {
    way = []
    led = circled = homeward = false
  }
  return {
    begin(screen) {
      const mayMove = !homeward
      if (!led) way = []
      led = circled = homeward = false
      if (way.filter((one) => one === screen).length < limits.enterMovesMax) {
        way.push(screen)
        return { mayMove }
      }
      const circle = [...way.slice(way.lastIndexOf(screen)), screen].join(' → ')
      way = []
      circled = true
      return { circle }
    },
    end,
    moved(byEnter) {
      led = byEnter
    },
    home() {
      led = false
      homeward = circled
    },
  }
}

const chains = new WeakMap<object, EnterChain>()

/** The chain of an engine. */
export function chainOf(engine: object): EnterChain {
  let chain = chains.get(engine)
  if (!chain) chains.set(engine, (chain = createEnterChain()))
  return chain
}

/** Makes the move of a step or of an error outcome, and notes whether an `enter` step caused it. An entry that may not move stays. */
export function moveFrom(place: { engine: object; entry?: { mayMove: boolean } | undefined }, move: () => void): void {
  if (place.entry?.mayMove === false) return
  move()
  chainOf(place.engine).moved(place.entry !== undefined)
}
