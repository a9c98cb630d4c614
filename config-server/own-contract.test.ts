import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveApp } from '#config-server/cli/place.ts'
import { ownContractFiles } from '#config-server/own-contract.ts'

let root = ''
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'own-contract-'))
  put('examples/club/api.ts', '')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the theme of an app', () => {
  const dark = {
    ground: '#000001',
    quiet: '#000002',
    accent: '#000003',
    'accent-soft': '#00000324',
    up: '#000004',
    'up-soft': '#00000426',
    'tabbar-ground': '#000005',
    'tabbar-text': '#000006',
    'tabbar-selected': '#000007',
  }
  const light = { ...dark, ground: '#FFFFFF', 'accent-soft': '#0000032E' }
  const project = { kind: 'theme', id: 'theme', format: 1, dark, light, coins: { BTC: '#F7931A' }, space: { 1: 4, 2: 8 } }
  const without = ({ 'tabbar-ground': _, 'tabbar-text': __, 'tabbar-selected': ___, ...rest }: typeof dark) => rest
  const merged = async (own: object | undefined) => {
    put('schemas/theme.json', JSON.stringify(project))
    if (own) put('examples/club/schemas/theme.json', JSON.stringify({ kind: 'theme', id: 'theme', format: 1, ...own }))
    const { files } = await ownContractFiles(root, join(root, 'examples/club'))
    return JSON.parse(files.find(({ file }) => file === 'schemas/theme.json')!.text) as typeof project
  }

  test.each<[what: string, own: object | undefined, dark: object, light: object]>([
    ['none: the look of the project', undefined, dark, light],
    ['without colours: those of the project', { space: { 1: 5 } }, dark, light],
    [
      'its accent and ground: the tab bar and the soft accent follow',
      { dark: { accent: '#8FC9A5', ground: '#101010' }, light: { accent: '#28603F' } },
      { ...without(dark), accent: '#8FC9A5', ground: '#101010', 'accent-soft': '#8FC9A524' },
      { ...without(light), accent: '#28603F', 'accent-soft': '#28603F2E' },
    ],
    [
      'one palette: the bar follows in both',
      { dark: { accent: '#8FC9A5' } },
      { ...without(dark), accent: '#8FC9A5', 'accent-soft': '#8FC9A524' },
      without(light),
    ],
    [
      'its own bar and soft colour: they stay',
      { dark: { up: '#ABCDEF', 'up-soft': '#11111111', 'tabbar-ground': '#222222' }, light: { 'tabbar-ground': '#333333' } },
      { ...without(dark), up: '#ABCDEF', 'up-soft': '#11111111', 'tabbar-ground': '#222222' },
      { ...without(light), 'tabbar-ground': '#333333' },
    ],
  ])('%s', async (_, own, inDark, inLight) => {
    const theme = await merged(own)
    expect(theme.dark).toEqual(inDark)
    expect(theme.light).toEqual(inLight)
    expect(theme.coins).toEqual({})
  })
})

describe('the pages in which a set is tested', () => {
  const told: string[] = []
  beforeEach(() => {
    told.length = 0
  })
  const pageOf = async (set: string | undefined) => {
    const app = await serveApp({ root, options: new Map(set === undefined ? [] : [['set', set]]), tell: (line) => told.push(line) })
    try {
      return await (await fetch(app.origin)).text()
    } finally {
      app.close()
    }
  }
  test.each([
    [undefined, 'product'],
    ['docs/examples', 'product'],
    ['live', 'product'],
    ['examples/club', 'club'],
    ['examples/club/', 'club'],
  ])('%s: those of %s', async (set, page) => {
    put('dist/app/index.html', 'product')
    put('dist/examples/club/dist/app/index.html', 'club')
    expect(await pageOf(set)).toBe(page)
  })
  test.each([
    [undefined, 'dist/app', 'npm run build'],
    ['examples/club', 'dist/examples/club/dist/app', 'npm run example -- club'],
  ])('%s: a build that is older than a source of the pages names its command', async (set, built, command) => {
    const age = (file: string, seconds: number) => utimesSync(join(root, file), seconds, seconds)
    put(`${built}/index.html`, 'pages')
    put('widgets/late/Late.tsx', 'export {}')
    put('widgets/late/Late.test.tsx', 'export {}')
    const builtAt = statSync(join(root, built, 'index.html')).mtimeMs / 1_000
    age('widgets/late/Late.tsx', builtAt - 10)
    age('widgets/late/Late.test.tsx', builtAt + 10)
    await pageOf(set)
    expect(told).toEqual([])
    age('widgets/late/Late.tsx', builtAt + 10)
    await pageOf(set)
    expect(told).toEqual([`this build is older than the sources; run ${command}`])
  })
  test('an app that was never built names its command, though the product has a build', async () => {
    put('dist/app/index.html', 'product')
    await expect(pageOf('examples/club')).rejects.toThrow('there is no build to run in: npm run example -- club, or --app URL')
  })
})
