import { describe, expect, test, vi } from 'vitest'
import type { AppDoc } from '#language/documents/documents.ts'
import { createDevice, type DeviceOptions } from '#renderer/device/device.ts'

const keys: AppDoc['device'] = {
  theme: { type: 'enum', values: ['dark', 'light'], default: 'dark' },
  fiat: { type: 'string', default: 'USD', max: 3 },
  hidden: { type: 'boolean', default: false },
  favourites: { type: 'list', default: ['BTCUSDT'], max: 3 },
  token: { type: 'string', default: 'no' },
}

class MemoryStorage implements Storage {
  [name: string]: unknown
  readonly map: Map<string, string>
  readonly broken: Set<string>
  constructor(entries: Record<string, string> = { 'tessera.version': '1' }, broken: string[] = []) {
    this.map = new Map(Object.entries(entries))
    this.broken = new Set(broken)
  }
  private check(what: string) {
    if (this.broken.has(what)) throw new DOMException('no', what === 'set' ? 'QuotaExceededError' : 'SecurityError')
  }
  get length() {
    return this.map.size
  }
  key(index: number) {
    return [...this.map.keys()][index] ?? null
  }
  getItem(key: string) {
    this.check('get')
    return this.map.get(key) ?? null
  }
  setItem(key: string, value: string) {
    this.check('set')
    this.map.set(key, value)
  }
  removeItem(key: string) {
    this.check('remove')
    this.map.delete(key)
  }
  clear() {
    this.map.clear()
  }
}

function start(storage: MemoryStorage | undefined, more: Partial<DeviceOptions> = {}) {
  const problems: string[] = []
  const device = createDevice({ storage, keys, onProblem: (problem) => problems.push(problem), ...more })
  return { device, problems }
}

describe('what is kept', () => {
  const stored: [name: string, text: string | undefined, value: unknown][] = [
    ['theme', '"light"', 'light'],
    ['theme', undefined, 'dark'],
    ['theme', '"pink"', 'dark'],
    ['theme', 'light', 'dark'],
    ['theme', '{broken', 'dark'],
    ['fiat', '"EUR"', 'EUR'],
    ['fiat', '"EURO"', 'USD'],
    ['fiat', '5', 'USD'],
    ['hidden', 'true', true],
    ['hidden', '"true"', false],
    ['hidden', 'null', false],
    ['favourites', '["A","B"]', ['A', 'B']],
    ['favourites', '["A","B","C","D"]', ['A', 'B', 'C']],
    ['favourites', '[]', []],
    ['favourites', '{"0":"A","length":1}', ['BTCUSDT']],
    ['favourites', '[{"__proto__":{}}]', ['BTCUSDT']],
    ['nothing', '"x"', null],
    ['constructor', '"x"', null],
    ['token', '"x"', null],
  ]
  test.each(stored)('%s with %s reads as %j', (name, text, value) => {
    const storage = new MemoryStorage({ 'tessera.version': '1', ...(text !== undefined && { [`tessera.${name}`]: text }) })
    const { device, problems } = start(storage)
    expect(device.get(name)).toEqual(value)
    expect(device.get(name)).toBe(device.get(name))
    expect(problems).toEqual([])
  })
  test('a value that is set is there for the next start; a wrong one is the default', () => {
    const storage = new MemoryStorage()
    const { device } = start(storage)
    device.set('favourites', ['1', '2', '3', '4'])
    device.set('theme', 'pink')
    device.set('unknown', 'x')
    device.set('token', 'x')
    expect(storage.map.get('tessera.favourites')).toBe('["1","2","3"]')
    expect([...storage.map.keys()].sort()).toEqual(['tessera.favourites', 'tessera.theme', 'tessera.version'])
    expect(start(storage).device.get('favourites')).toEqual(['1', '2', '3'])
    expect(start(storage).device.get('theme')).toBe('dark')
  })
  test('a change wakes its own listeners, an equal value nobody', () => {
    const { device } = start(new MemoryStorage())
    const [theme, fiat] = [vi.fn(), vi.fn()]
    device.onChange('theme', theme)
    const off = device.onChange('fiat', fiat)
    device.set('theme', 'light')
    device.set('theme', 'light')
    off()
    device.set('fiat', 'EUR')
    expect([theme.mock.calls.length, fiat.mock.calls.length]).toEqual([1, 0])
  })
  test('the token is text of its own; nonsense is none', () => {
    const storage = new MemoryStorage()
    const { device } = start(storage)
    const wake = vi.fn()
    device.onChange('token', wake)
    device.setToken('abc123')
    expect(device.token()).toBe('abc123')
    expect(start(storage).device.token()).toBe('abc123')
    device.setToken(undefined)
    expect(device.token()).toBeUndefined()
    expect(storage.map.has('tessera.token')).toBe(false)
    device.setToken('two words\n')
    expect(device.token()).toBeUndefined()
    expect(wake).toHaveBeenCalledTimes(2)
  })
  test('declarations that change with a release are read anew', () => {
    let now = keys
    const { device } = start(new MemoryStorage({ 'tessera.version': '1', 'tessera.theme': '"light"' }), { keys: () => now })
    expect(device.get('theme')).toBe('light')
    now = { theme: { type: 'enum', values: ['dark', 'dim'], default: 'dim' } }
    expect(device.get('theme')).toBe('dim')
    expect(device.get('fiat')).toBeNull()
  })
})

describe('storage that fails', () => {
  const ways: [string, MemoryStorage | undefined, string[]][] = [
    ['absent', undefined, ['local_data_setting_failed']],
    ['full', new MemoryStorage({ 'tessera.version': '1' }, ['set']), ['local_data_setting_failed']],
    ['blocked', new MemoryStorage({}, ['get', 'set', 'remove']), ['local_data_setting_failed']],
  ]
  test.each(ways)('%s: works in memory and says so once', (_, storage, expected) => {
    const { device, problems } = start(storage)
    device.set('theme', 'light')
    device.set('fiat', 'EUR')
    device.setToken('abc')
    expect([device.get('theme'), device.get('fiat'), device.token()]).toEqual(['light', 'EUR', 'abc'])
    expect(problems).toEqual(expected)
  })
  test('what cannot be deleted is gone here, and is told once', () => {
    const { device, problems } = start(new MemoryStorage({ 'tessera.version': '1', 'tessera.token': 'abc' }, ['remove']))
    device.setToken(undefined)
    device.setToken('def')
    device.setToken(undefined)
    expect(device.token()).toBeUndefined()
    expect(problems).toEqual(['delete_data_failed'])
  })
})

describe('the stored version', () => {
  const versions: [string | undefined, boolean][] = [
    [undefined, true],
    ['0', true],
    ['0.9', true],
    ['junk', true],
    ['1', false],
    ['2', false],
  ]
  test.each(versions)('%s: cleared %s', (version, cleared) => {
    const storage = new MemoryStorage({
      'tessera.theme': '"light"',
      'tessera.old': 'x',
      other: 'y',
      ...(version !== undefined && { 'tessera.version': version }),
    })
    const { device, problems } = start(storage)
    expect(device.get('theme')).toBe(cleared ? 'dark' : 'light')
    expect(storage.map.has('tessera.old')).toBe(!cleared)
    expect(storage.map.get('other')).toBe('y')
    expect(storage.map.get('tessera.version')).toBe(cleared ? '1' : version)
    device.set('theme', 'light')
    expect(start(storage).device.get('theme')).toBe('light')
    expect(problems).toEqual([])
  })
  test('the app document may raise it, which clears once more', () => {
    const storage = new MemoryStorage({ 'tessera.theme': '"light"', 'tessera.version': '1' })
    const first = start(storage, { resetBelow: 2 }).device
    expect([first.get('theme'), storage.map.get('tessera.version')]).toEqual(['dark', '2'])
    first.set('theme', 'light')
    expect(start(storage, { resetBelow: 2 }).device.get('theme')).toBe('light')
  })
  test('what cannot be cleared is told', () => {
    expect(start(new MemoryStorage({ 'tessera.old': 'x' }, ['remove'])).problems).toEqual(['delete_data_failed'])
  })
})

describe('another tab', () => {
  function withEvents() {
    let say: (event: { key: string | null; newValue: string | null }) => void = () => {}
    const { device } = start(new MemoryStorage({ 'tessera.version': '1', 'tessera.token': 'abc' }), {
      events: {
        addEventListener(_, listener) {
          say = listener
        },
      },
    })
    return { device, say: (key: string | null, newValue: string | null) => say({ key, newValue }) }
  }
  test('its change and its logout are seen here', () => {
    const { device, say } = withEvents()
    const [theme, token] = [vi.fn(), vi.fn()]
    device.onChange('theme', theme)
    device.onChange('token', token)
    expect([device.get('theme'), device.token()]).toEqual(['dark', 'abc'])
    say('tessera.theme', '"light"')
    say('tessera.theme', '"light"')
    say('tessera.token', null)
    say('other', 'x')
    expect([device.get('theme'), device.token()]).toEqual(['light', undefined])
    expect([theme.mock.calls.length, token.mock.calls.length]).toEqual([1, 1])
  })
  test('clearing everything is seen too', () => {
    const { device, say } = withEvents()
    expect(device.token()).toBe('abc')
    say(null, null)
    expect(device.token()).toBeUndefined()
  })
})

test('records of a list are kept, changed by their key, and left out when they are not as declared', () => {
  const alerts = {
    type: 'list',
    key: 'symbol',
    of: { symbol: { type: 'string' }, price: { type: 'decimal' } },
    max: 2,
    default: [],
  } as const
  const kept = new Map([
    ['tessera.version', '1'],
    ['tessera.alerts', '[{"symbol":"A","price":"1"},{"symbol":"B","price":true},{"price":"3"}]'],
  ])
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, text: string) => void kept.set(name, text) }
  const device = createDevice({
    storage: storage as Storage,
    keys: { alerts: { ...alerts, default: [] } },
    onProblem: () => expect.unreachable(),
  })
  let woken = 0
  device.onChange('alerts', () => void woken++)
  expect(device.get('alerts')).toEqual([{ symbol: 'A', price: '1' }])
  device.setRecord('alerts', 'C', undefined, { price: '5' })
  device.setRecord('alerts', 'A', 'price', '2')
  device.setRecord('alerts', 'A', 'price', 'much')
  expect([device.get('alerts'), woken]).toEqual([
    [
      { symbol: 'A', price: '2' },
      { symbol: 'C', price: '5' },
    ],
    2,
  ])
  device.setRecord('alerts', 'A', undefined, null)
  expect(kept.get('tessera.alerts')).toBe('[{"symbol":"C","price":"5"}]')
})
