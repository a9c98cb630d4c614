import { readdirSync, readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { partsOf } from '#renderer/core/parts.ts'
import type { Widget } from '#renderer/core/registry.ts'
import { readByEngine } from '#scripts/app-build.ts'
import * as helpers from '#widgets/parts/props.ts'
import * as listing from '#widgets/parts/rows/listing.ts'

const files = readdirSync('widgets', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.props.ts'))

/** The schema of props that a module exports, from its code. */
async function schemaIn(code: string): Promise<z.ZodObject> {
  const { code: script } = await transformWithOxc(code, 'x.ts')
  const body = script.replace(/^import .*$/gm, '').replace(/^export (?=const)/gm, '')
  const [, name = ''] = /const (\w+Props) = z/.exec(body) ?? []
  const all: Record<string, unknown> = { ...helpers, ...listing, z }
  const imports = [...script.matchAll(/^import \{(.*)\} from/gm)].flatMap(([, names = '']) =>
    names.split(',').map((one) => one.trim().split(' as ')),
  )
  const given = Object.fromEntries(imports.map(([of = '', as = of]) => [as, all[of]]))
  return new Function(...Object.keys(given), `${body.replace(/^export .*$/gm, '')}\nreturn ${name}`)(...Object.values(given)) as z.ZodObject
}
const judged = (props: z.ZodObject) =>
  [
    ...partsOf({
      type: 'x',
      major: 1,
      props,
      events: [],
      slots: {},
      label: null,
      states: { loading: 'self', error: 'self', stale: 'none' },
      view: undefined,
    } as Widget),
  ].map(([name, { holds, absentNull, needed }]) => ({
    name,
    absentNull,
    needed,
    holds: [undefined, null, 'x', [], {}, [{}], [null]].map((value) => holds?.(value)),
  }))

test.each(files)('the app judges the props of %s by the code that it is built with as by the whole', async (file) => {
  const whole = readFileSync(`widgets/${file}`, 'utf8')
  const built = readByEngine(whole)
  expect(built).not.toMatch(/\.(?:describe|meta|enum)\(/)
  expect(judged(await schemaIn(built))).toEqual(judged(await schemaIn(whole)))
})
