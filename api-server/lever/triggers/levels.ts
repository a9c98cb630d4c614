/** Entries that one part holds at most; a full one is split in two. */
const partMax = 1_024

interface Entry {
  level: number
  id: number
}
/** Higher levels first, so that the next to be reached is the last of the last part and is taken without moving the others. */
const isBefore = (a: Entry, level: number, id: number) => a.level > level || (a.level === level && a.id > id)

/** Numbers in order of a level. Taking those that are reached costs the same however many wait; adding and removing move one part at most. */
export class Levels {
  #parts: Entry[][] = []
  size = 0

  /** The part that an entry belongs to. */
  #partOf(level: number, id: number): number {
    let [low, high] = [0, this.#parts.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(this.#parts[middle]!.at(-1)!, level, id)) low = middle + 1
      else high = middle
    }
    return low
  }
  #placeOf(part: readonly Entry[], level: number, id: number): number {
    let [low, high] = [0, part.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBefore(part[middle]!, level, id)) low = middle + 1
      else high = middle
    }
    return low
  }

  add(level: number, id: number): void {
    this.size++
    if (!this.#parts.length) return void this.#parts.push([{ level, id }])
    const at = this.#partOf(level, id)
    const part = this.#parts[at]!
    part.splice(this.#placeOf(part, level, id), 0, { level, id })
    if (part.length > partMax) this.#parts.splice(at + 1, 0, part.splice(partMax >> 1))
  }

  remove(level: number, id: number): void {
    if (!this.#parts.length) return
    const at = this.#partOf(level, id)
    const part = this.#parts[at]!
    const place = this.#placeOf(part, level, id)
    const found = part[place]
    if (found?.level !== level || found.id !== id) return
    part.splice(place, 1)
    if (!part.length) this.#parts.splice(at, 1)
    this.size--
  }

  /** Numbers whose level is at or below `upTo`, the lowest level first; they stay. */
  reached(upTo: number): number[] {
    const found: number[] = []
    for (let at = this.#parts.length - 1; at >= 0; at--) {
      const part = this.#parts[at]!
      for (let place = part.length - 1; place >= 0; place--) {
        const entry = part[place]!
        if (entry.level > upTo) return found
        found.push(entry.id)
      }
    }
    return found
  }
}
