import { limits } from '#language/limits.ts'

/** Follows the screens that `enter` steps lead through, so that a circle of them ends. */
export interface EnterChain {
  /** A screen is about to run its steps. @returns the way in words when it comes round too often; the steps must not be run then */
  begin(screen: string): string | undefined
  /** A screen has run its steps and is still shown: whoever comes next comes by himself. */
  stayed(): void
}

export function createEnterChain(): EnterChain {
  let way: string[] = []
  return {
    begin(screen) {
      const last = way.lastIndexOf(screen)
      if (way.filter((one) => one === screen).length < limits.enterMovesMax) {
        way.push(screen)
        return undefined
      }
      const circle = [...way.slice(last), screen].join(' → ')
      way = []
      return circle
    },
    stayed() {
      way = []
    },
  }
}
