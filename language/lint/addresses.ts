import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** Addresses that would run, or carry, something in the page. */
const runs = /^[\s\p{C}]*(?:javascript|vbscript|data)\s*:/iu
/** Props that show a picture. Pictures come from the server of the app: another host would learn who looks at them, and the page does not load them. */
const pictures = new Set(['src', 'image'])
const elsewhere = /^\s*(?:[a-z][a-z0-9+.-]*:|[\\/]{2})/i

/** No address in a document runs code, and pictures come from the server of the app. */
export const addresses: Check = function* (world) {
  for (const entry of world.entries) {
    const places = [
      ...entry.own.nodes.map(({ node, pointer }) => ({ value: node.props as unknown, pointer: `${pointer}/props` })),
      ...entry.own.steps.flatMap(({ step, pointer }) =>
        'link' in step ? [{ value: step.link as unknown, pointer: `${pointer}/link` }] : [],
      ),
    ]
    for (const { value, pointer } of places)
      for (const one of literals(value, pointer)) {
        if (runs.test(one.text)) yield world.report('addresses', entry, one.pointer, 'an address may not run or carry code')
        else if (pictures.has(one.name) && elsewhere.test(one.text))
          yield world.report(
            'addresses',
            entry,
            one.pointer,
            'a picture comes from the server of the app: give its path, such as /pictures/coin.png',
          )
      }
  }
}

/** Every text that stands in a value, also inside of expressions, with the name under which it stands. */
function* literals(value: unknown, pointer: string, name = ''): Generator<{ text: string; name: string; pointer: string }> {
  if (typeof value === 'string') yield { text: value, name, pointer }
  else if (typeof value === 'object' && value !== null)
    for (const [key, part] of Object.entries(value))
      yield* literals(part, below(pointer, key), Array.isArray(value) || /^[^a-z]/i.test(key) || key === 'if' ? name : key)
}
