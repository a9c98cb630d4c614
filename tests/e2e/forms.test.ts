import type { Page } from 'playwright'
import { afterEach, describe, expect, test } from 'vitest'
import { type CallName, contract } from '#contract/contract.ts'
import { stands, useBrowser, type Visit } from '#tests/support/browser/browser.ts'
import { expectToast } from '#tests/support/browser/messages.ts'
import { settled, throttlePassed, timePasses } from '#tests/support/browser/waits.ts'
import { firstOf } from '#tests/support/house/sizes.ts'
import { changed, copy, document, type Part } from '#tests/support/meddle.ts'
import { logIn, type Person, person, profile } from '#tests/support/people/people.ts'
import { useApp } from '#tests/support/servers/app.ts'

const app = useApp()
const { visit } = useBrowser()
afterEach(() => app.restore())

const refused = /Failed to load resource: the server responded with a status of 4\d\d/
const input = (page: Page, name: string) => page.locator(`[name=${name}]`)
const fill = (page: Page, fields: Record<string, string>) =>
  Object.entries(fields).reduce((before, [name, text]) => before.then(() => input(page, name).fill(text)), Promise.resolve())
const problem = (page: Page, name: string) => page.locator(`[id$="-${name}-problem"]`)
const send = (page: Page) => page.locator('button[type=submit]').click()
const fields = (form: string): Part[] => copy(document(`forms/${form}`)).fields as Part[]
const as = (who: Person | undefined, path: string, screen: string): Promise<Visit> =>
  visit({ origin: app.origin, path, screen, clock: true, storageState: profile(app.origin, who?.token) })
const user = (origin: string) => person(origin, { nickname: 'Ann' })

/** Publishes a release with a renamed screen and waits until the page has requested it. */
async function release(page: Page, screen: string, documents: Record<string, unknown> = {}): Promise<void> {
  const asked = page.waitForResponse('**/config/manifest*')
  const renamed = changed(`screens/${screen.replace('.', '/')}`, 'bar', (node) => {
    node.props = { title: 'New here' }
  })
  await app.force({ [`screen/${screen}`]: renamed, ...documents })
  await asked
  await settled(page)
}
/** All data that the browser stores. */
const kept = async (page: Page): Promise<string> => {
  await timePasses(page, 1_000)
  const inPage = await page.evaluate(async () => {
    const databases = await Promise.all(
      (await indexedDB.databases()).map(async ({ name = '' }) => {
        const opening = indexedDB.open(name)
        const database = await new Promise<IDBDatabase>((done) => void (opening.onsuccess = () => done(opening.result)))
        const all = [...database.objectStoreNames].map((store) => {
          const asking = database.transaction(store).objectStore(store).getAll()
          return new Promise((done) => void (asking.onsuccess = () => done(asking.result)))
        })
        return Promise.all(all)
      }),
    )
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, history.state, location.href])
  })
  return inPage + JSON.stringify(await page.context().cookies())
}

describe('a release published while a form is being filled', () => {
  test('waits until the customer leaves the form, and entered values stay', { tags: 'full' }, async () => {
    const { page, go } = await as(undefined, 'pages/common/forgot', 'common.forgot')
    await fill(page, { account: 'ann@test.example', newpassword: 'seven sober sailors' })
    await release(page, 'common.forgot')
    expect(await page.locator('h1').innerText()).not.toBe('New here')
    expect([await input(page, 'account').inputValue(), await input(page, 'newpassword').inputValue()]).toEqual([
      'ann@test.example',
      'seven sober sailors',
    ])
    await go('pages/common/login', 'common.login')
    await go('pages/common/forgot', 'common.forgot')
    await page.locator('h1', { hasText: 'New here' }).waitFor()
    expect(await input(page, 'account').inputValue()).toBe('ann@test.example')
    expect(await input(page, 'newpassword').inputValue()).toBe('')
  })

  test('is applied at once when nothing was entered', { tags: 'full' }, async () => {
    const { page } = await as(undefined, 'pages/common/forgot', 'common.forgot')
    await release(page, 'common.forgot')
    await page.locator('h1', { hasText: 'New here' }).waitFor()
  })

  test('keeps values of fields with the same name and type, and no others', async () => {
    const { page, go } = await as(undefined, 'pages/common/register', 'common.register')
    await fill(page, { email: 'ann@test.example', extension_code: '12', password: 'seven sober sailors' })
    await page.locator('[data-node="form-agree"] input').check()
    const next = fields('common/register').filter((field) => field.name !== 'code')
    for (const field of next) {
      if (field.name === 'email') field.label = 'Where you are reached'
      if (field.name === 'extension_code') Object.assign(field, { type: 'integer', widget: 'integer-field', rules: [], props: {} })
    }
    const added = { name: 'more', type: 'string', widget: 'text-field', label: 'More', default: 'as it was' }
    await release(page, 'common.register', { 'form/common.register': { ...document('forms/common/register'), fields: [added, ...next] } })
    // A form that holds values keeps the release waiting, so one that comes late is shown at a later visit.
    const isNew = async () => {
      await go('pages/common/login', 'common.login')
      await go('pages/common/register', 'common.register')
      await input(page, 'email').waitFor()
      return page.getByRole('textbox', { name: 'Where you are reached' }).count()
    }
    await expect.poll(isNew).toBe(1)
    const values = await Promise.all(['more', 'email', 'extension_code', 'password'].map((name) => input(page, name).inputValue()))
    expect(values).toEqual(['as it was', 'ann@test.example', '', ''])
    expect(await page.locator('[data-node="form-agree"] input').isChecked()).toBe(true)
    expect(await input(page, 'code').count()).toBe(0)
  })
})

describe('what was entered', () => {
  const secrets = { password: 'seven sober sailors', code: '918273', re_password: 'seven sober sailors' }
  test('survives a reload, except passwords and codes, which the browser never stores', async () => {
    const { page } = await as(undefined, 'pages/common/register', 'common.register')
    await fill(page, { email: 'ann@test.example', extension_code: 'abc', ...secrets })
    const before = await kept(page)
    expect(before).toContain('ann@test.example')
    for (const secret of Object.values(secrets)) expect(before).not.toContain(secret)
    await page.reload()
    await stands(page, 'common.register')
    const values = await Promise.all(['email', 'extension_code', ...Object.keys(secrets)].map((name) => input(page, name).inputValue()))
    expect(values).toEqual(['ann@test.example', 'abc', '', '', ''])
  })

  const secret = [
    ['pages/setting/password', 'setting.password', { password: 'old one is it', newpassword: 'new one is it', code: '918273' }],
    ['pages/setting/payPassword', 'setting.payPassword', { newpassword: 'k4fund77', password: 'old one is it', code: '918273' }],
    ['pages/setting/bind_email', 'setting.bind_email', { email: 'b@test.example', password: 'old one is it', code: '918273' }],
  ] as const
  test.for(firstOf(secret, 1))('on %s leaves no secret in the browser', async ([path, screen, entries]) => {
    const { page } = await as(await user(app.origin), path, screen)
    await fill(page, entries)
    const all = await kept(page)
    for (const [name, text] of Object.entries(entries)) expect(all.includes(text), name).toBe(name === 'email')
  })

  test('is removed after it was sent', { tags: 'full' }, async () => {
    const ann = await user(app.origin)
    const { page } = await as(ann, 'pages/setting/userInfo', 'setting.userInfo')
    await page.locator('button[data-node="nickname"]').click()
    await fill(page, { nickname: 'Anders' })
    await send(page)
    await page.locator('[data-node="nickname"]', { hasText: 'Anders' }).waitFor()
    const drafts = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('draft')))
    await expect.poll(drafts).toEqual([])
  })
})

describe('a session that ends while a form is being filled', () => {
  const end = (who: Person) => fetch(`${app.origin}/api/user/logout`, { headers: { authorization: who.token } })
  const entries = { email: 'ann.new@test.example', code: '123456', password: 'seven sober sailors' }

  test('redirects to the login and back to the form, with the values kept', async () => {
    const ann = await user(app.origin)
    const { page, allow } = await as(ann, 'pages/setting/bind_email', 'setting.bind_email')
    allow(refused)
    await fill(page, entries)
    await end(ann)
    await send(page)
    await stands(page, 'common.login')
    await fill(page, { username: ann.username, password: ann.password })
    await send(page)
    await stands(page, 'setting.bind_email')
    // The draft is that of the account, which is known a moment after the login.
    const values = () => Promise.all(Object.keys(entries).map((name) => input(page, name).inputValue()))
    await expect.poll(values).toEqual([entries.email, '', ''])
  })

  test('and another customer who logs in gets none of it', { tags: 'full' }, async () => {
    const [ann, bea] = [await user(app.origin), await person(app.origin, { nickname: 'Bea' })]
    const { page, go, allow } = await as(ann, 'pages/setting/bind_email', 'setting.bind_email')
    allow(refused)
    await fill(page, entries)
    await end(ann)
    await send(page)
    await logIn(page, app.origin, bea)
    await expectToast(page, 'Logged in')
    await go('pages/setting/bind_email', 'setting.bind_email')
    expect(await input(page, 'email').inputValue()).toBe('')
  })

  test('keeps what stands in a sheet too', { tags: 'full' }, async () => {
    const ann = await user(app.origin)
    const { page, allow } = await as(ann, 'pages/setting/userInfo', 'setting.userInfo')
    allow(refused)
    await page.locator('button[data-node="nickname"]').click()
    await fill(page, { nickname: 'Anders' })
    await end(ann)
    await send(page)
    await stands(page, 'common.login')
    await fill(page, { username: ann.username, password: ann.password })
    await send(page)
    await stands(page, 'setting.userInfo')
    await page.locator('button[data-node="nickname"]').click()
    expect(await input(page, 'nickname').inputValue()).toBe('Anders')
  })
})

describe('a refusal of the server is shown at its field, announced and focused', () => {
  const rows: [form: string, call: CallName, entries: Record<string, string>][] = [
    ['common/login', 'user.login', { username: 'ann@test.example', password: 'seven sober sailors' }],
    [
      'common/forgot',
      'user.resetpwd',
      { account: 'ann@test.example', code: '123456', newpassword: 'seven sober sailors', re_password: 'seven sober sailors' },
    ],
    ['setting/bind_email', 'user.safeEmail', { email: 'b@test.example', code: '123456', password: 'seven sober' }],
    ['setting/bind_mobile', 'user.safeMobile', { mobile: '13812345678', code: '123456', password: 'seven sober' }],
    [
      'setting/password',
      'user.resetpwd',
      { password: 'seven sober', newpassword: 'eight sober sailors', re_password: 'eight sober sailors', code: '123456' },
    ],
    [
      'setting/payPassword',
      'user.resetmpwd',
      { newpassword: 'k4fund77', re_password: 'k4fund77', password: 'seven sober', code: '123456' },
    ],
  ]
  test.for(firstOf(rows, 1))('%s', async ([form, call, entries]) => {
    const errors = document(`forms/${form}`).errors as Record<string, { field?: string }>
    const codes = Object.entries(errors).flatMap(([name, { field }]) => (field !== undefined && field in entries ? [{ name, field }] : []))
    expect(codes.length).toBeGreaterThan(0)
    const who = form.startsWith('setting') ? await user(app.origin) : undefined
    const { page, allow } = await as(who, `pages/${form}`, form.replace('/', '.'))
    allow(refused)
    await fill(page, entries)
    for (const { name, field } of codes) {
      await page.route(`**${contract[call].path}`, (route) =>
        route.fulfill({ status: 400, json: { code: 400, msg: `Said of ${name}`, data: null, name } }),
      )
      await send(page)
      await expect.poll(() => problem(page, field).textContent(), { message: name }).toBe(`Said of ${name}`)
      const at = input(page, field)
      expect(await problem(page, field).getAttribute('role')).toBe('alert')
      expect(await at.getAttribute('aria-invalid')).toBe('true')
      expect((await at.getAttribute('aria-describedby'))?.split(' ')).toContain(await problem(page, field).getAttribute('id'))
      expect(await at.evaluate((one) => one === window.document.activeElement)).toBe(true)
      const once = await Promise.all(Object.keys(entries).map((one) => input(page, one).inputValue()))
      expect(once).toEqual(Object.values(entries))
      await throttlePassed(page)
    }
  })
})

describe('rules', () => {
  test('comparing two fields, follow changes of both', { tags: 'full' }, async () => {
    const { page } = await as(undefined, 'pages/common/register', 'common.register')
    await fill(page, { password: 'seven sober sailors', re_password: 'seven sober sailor' })
    await input(page, 're_password').blur()
    await expect.poll(() => problem(page, 're_password').textContent()).toMatch(/do not match/)
    await fill(page, { password: 'seven sober sailor' })
    await expect.poll(() => problem(page, 're_password').count()).toBe(0)
    await fill(page, { password: 'seven sober sailors' })
    await expect.poll(() => problem(page, 're_password').textContent()).toMatch(/do not match/)
  })

  test('with warnings, stop the form until their tick is set, and another value needs another tick', { tags: 'full' }, async () => {
    const next = fields('common/forgot').filter(({ name }) => name === 'account')
    for (const field of next)
      field.rules = [{ test: { '===': [{ var: 'value' }, 'a@b.example'] }, message: 'Not your usual one', level: 'warn' }]
    await app.force({ 'form/common.forgot': { ...document('forms/common/forgot'), fields: next } })
    const { page, allow } = await as(undefined, 'pages/common/forgot', 'common.forgot')
    allow(refused)
    const sent: string[] = []
    page.on('request', (request) => request.url().includes(contract['user.resetpwd'].path) && sent.push(request.url()))
    await fill(page, { account: 'other@b.example' })
    await send(page)
    await expect.poll(() => problem(page, 'account').textContent()).toBe('Not your usual one')
    expect(await problem(page, 'account').getAttribute('role')).toBe('status')
    const tick = page.locator('[data-node="form-account"] input[type=checkbox]')
    await tick.check()
    await fill(page, { account: 'another@b.example' })
    expect(await tick.isChecked()).toBe(false)
    await throttlePassed(page)
    await send(page)
    await settled(page)
    expect(sent).toHaveLength(0)
    await tick.check()
    await send(page)
    await expect.poll(() => sent.length).toBe(1)
  })
})

test('a keystroke in a form of two hundred fields changes only its field', { tags: 'full' }, async () => {
  const many = Array.from({ length: 200 }, (_, i) => ({
    name: `f${i}`,
    type: 'string',
    widget: 'text-field',
    label: `Field ${i}`,
    maxLength: 9,
  }))
  await app.force({ 'form/common.forgot': { ...document('forms/common/forgot'), fields: many, errors: {} } })
  const { page } = await as(undefined, 'pages/common/forgot', 'common.forgot')
  await input(page, 'f199').waitFor()
  await input(page, 'f100').pressSequentially('ab')
  await page.evaluate(() => {
    const touched = new Set<string>()
    Object.assign(window, { touched })
    new MutationObserver((changes) => {
      for (const { target } of changes)
        touched.add(
          (target instanceof Element ? target : target.parentElement)?.closest('[data-node]')?.getAttribute('data-node') ?? 'elsewhere',
        )
    }).observe(window.document.querySelector('form') as Element, { subtree: true, childList: true, attributes: true, characterData: true })
  })
  await input(page, 'f100').pressSequentially('cdefghijkl')
  await timePasses(page, 1_000)
  const touched = await page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched])
  expect(touched.filter((node) => node !== 'form-f100')).toEqual([])
  expect(await input(page, 'f100').inputValue()).toBe('abcdefghijkl')
})
