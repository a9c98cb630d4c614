import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#tests/support/servers/product.ts'

const read = (path: string) => JSON.parse(readFileSync(join(projectRoot, 'schemas', path), 'utf8'))

const screen = (id: string, more: object, body: object[]) => ({
  kind: 'screen',
  id,
  format: 1,
  ...more,
  body: [{ id: 'page', widget: 'page', slots: { body } }],
})
const text = (id: string, value: unknown) => ({ id, widget: 'text', props: { text: value } })
const button = (id: string, press: object[]) => ({ id, widget: 'button', props: { label: id }, on: { press } })

/** Screens that use all session steps, in addition to the real ones. The login button logs in the named account. */
export function sessionScreens({ username, password }: { username: string; password: string }): Record<string, unknown> {
  const routes = read('routes.json')
  return {
    'routes/routes': {
      ...routes,
      routes: {
        ...routes.routes,
        'pages/common/login': { screen: 'probe.login' },
        'pages/probe/open': { screen: 'probe.open' },
        'pages/probe/closed': { screen: 'probe.closed', auth: true },
        'pages/probe/proved': { screen: 'probe.proved', auth: true, kyc: 2 },
        'pages/setting/real_mark': { screen: 'probe.real', auth: true },
      },
    },
    'screen/probe.login': screen('probe.login', {}, [
      text('title', 'Log in here'),
      button('enter', [
        { call: 'user.login', args: { username, password }, as: 'entered' },
        { login: { $: 'result.entered.token' } },
        { return: true },
      ]),
    ]),
    'screen/probe.open': screen('probe.open', {}, [
      text('who', { $: { if: [{ var: 'session.logged_in' }, { cat: ['customer ', { var: 'session.user.nickname' }] }, 'visitor'] } }),
      text('stars', { $: { cat: ['stars ', { len: { var: 'device.favourites' } }] } }),
      button('to-closed', [{ go: 'pages/probe/closed', params: { currency_id: 3 } }]),
      button('to-proved', [{ go: 'pages/probe/proved' }]),
      button('to-login', [{ go: 'pages/common/login' }]),
      button('star', [{ set: { 'device.favourites': { $: { toggle: [{ var: 'device.favourites' }, 'ETHUSDT'] } } } }]),
      button('leave', [{ logout: true }, { toast: 'Bye' }]),
    ]),
    'screen/probe.closed': screen(
      'probe.closed',
      {
        params: { currency_id: { type: 'integer', required: true } },
        state: { at: '' },
        data: {
          info: { call: 'user.info' },
          invite: { call: 'user.invite' },
          sessions: { call: 'user.sessions' },
          stars: { call: 'user.getOptionalList' },
        },
        errors: { file_type_refused: { toast: 'Only pictures' }, '*': {} },
      },
      [
        text('param', { $: { cat: ['currency ', { var: 'params.currency_id' }] } }),
        text('name', { $: 'data.info.nickname' }),
        text('code', { $: 'data.invite.code' }),
        text('where', { $: { cat: ['sessions ', { len: { var: 'data.sessions.list' } }] } }),
        text('picture', { $: 'state.at' }),
        button('ask', [{ call: 'user.sessions', as: 'seen' }, { toast: 'Still here' }]),
        button('reload', [{ refresh: ['info', 'invite', 'sessions', 'stars'] }]),
        button('send', [{ upload: { purpose: 'proof' }, as: 'sent' }, { set: { 'state.at': { $: 'result.sent.url' } } }]),
        button('leave', [{ logout: true }]),
      ],
    ),
    'screen/probe.proved': screen('probe.proved', {}, [text('proved', 'Only for the proved')]),
    'screen/probe.real': screen('probe.real', {}, [text('real', 'Prove who you are')]),
  }
}
