import { act } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { LoginPage } from '#console/account/LoginPage.tsx'
import { createWords } from '#console/io/words.ts'
import { type ConsoleStage, consoleStage } from '#console/parts/console-fixture.tsx'
import { ConsoleError } from '#contract/console/console.answer.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const { say } = await createWords('fr')
let drawn: ConsoleStage
afterEach(() => drawn.end())

async function stage(login: () => Promise<unknown>) {
  const sent: unknown[] = []
  const setMe = vi.fn()
  const client = {
    login(body: unknown) {
      sent.push(body)
      return login()
    },
  }
  const router = createMemoryRouter([{ path: '/login', element: <LoginPage /> }], { initialEntries: ['/login'] })
  drawn = await consoleStage(<RouterProvider router={router} />, { client, me: null, setMe }, 'fr')
  const input = (name: string) => document.querySelector<HTMLInputElement>(`input[name="${name}"]`)!
  return {
    sent,
    setMe,
    input,
    async type(texts: Record<string, string>) {
      for (const [name, text] of Object.entries(texts)) await drawn.type(input(name), text)
    },
    submit: () => act(async () => void document.querySelector('form')!.requestSubmit()),
    /** Words below the wrong fields. */
    wrong: () =>
      [...document.querySelectorAll<HTMLInputElement>('[aria-invalid="true"]')].map(
        (one) => `${one.name}: ${document.getElementById(one.getAttribute('aria-describedby')!)?.textContent}`,
      ),
    focused: () => (document.activeElement as HTMLInputElement).name,
  }
}

test('nothing is sent while a field is empty: each says so in the language of the operator, and the first gets the focus', async () => {
  const { type, submit, wrong, focused, sent } = await stage(async () => ({}))
  await type({ password: 'quiet river' })
  await submit()
  expect([wrong(), focused(), sent]).toEqual([['name: Remplissez ce champ.', 'code: Remplissez ce champ.'], 'name', []])
  await type({ name: 'ann' })
  expect(wrong()).toEqual(['code: Remplissez ce champ.'])
})

test('a text beyond the bound of the call is refused before it is sent', async () => {
  const { type, submit, wrong, sent } = await stage(async () => ({}))
  await type({ name: 'a'.repeat(201), password: 'p', code: '1'.repeat(21) })
  await submit()
  expect([wrong(), sent]).toEqual([['name: C’est plus long que permis.', 'code: C’est plus long que permis.'], []])
})

test('a refusal stands at a field, and all that was typed stays', async () => {
  const { type, submit, wrong, focused, input, sent, setMe } = await stage(() =>
    Promise.reject(new ConsoleError('login_failed', 401, 'English')),
  )
  await type({ name: ' ann ', password: 'quiet river', code: '123 456' })
  await submit()
  expect(sent).toEqual([{ name: 'ann', password: 'quiet river', code: '123456' }])
  expect(wrong()).toEqual([`code: ${say('shell.problem.login_failed')}`])
  expect([focused(), input('name').value, input('password').value, input('code').value]).toEqual([
    'code',
    ' ann ',
    'quiet river',
    '123 456',
  ])
  expect(setMe).not.toHaveBeenCalled()
})
