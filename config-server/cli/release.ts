import { type Command, failed } from '#config-server/cli/command.ts'
import { remote } from '#config-server/cli/remote.ts'
import type { Rollout } from '#language/publish/publishing.ts'

const login = 'Needs the role publisher, and a login of the last ten minutes: npm run cfg -- login --server URL.'

/** Returns the first audience of the release, from --percent, --languages, --logged-in and --kyc; undefined where everybody gets it. */
function rolloutOf(options: ReadonlyMap<string, string>): Rollout | undefined {
  const [percent, languages, loggedIn, kyc] = ['percent', 'languages', 'logged-in', 'kyc'].map((name) => options.get(name))
  if ([percent, languages, loggedIn, kyc].every((one) => one === undefined)) return undefined
  return {
    percent: percent === undefined ? 100 : Number(percent),
    segment: {
      ...(languages !== undefined && { languages: languages.split(',') }),
      ...(loggedIn !== undefined && { loggedIn: loggedIn === 'yes' }),
      ...(kyc !== undefined && { kyc: Number(kyc) }),
    },
  }
}

/** `draft:3` or `3` → 3; NaN, which no server knows, for what is no number. */
const numberOf = (id: string, kind: string) => Number(id.replace(`${kind}:`, ''))

export const publishCommand: Command = {
  name: 'publish',
  takes: '<draft> --server URL --reason TEXT',
  does: 'publishes an approved draft, at once, later, or to some first',
  more: [
    '--percent N, --languages en,fr, --logged-in yes|no, --kyc 0|1|2   who sees it first; widen, complete or stop it in the console',
    '--at 2026-12-24T18:00:00Z                                         when it goes live by itself',
    '--emergency                                                       reports of clients alone never take it back; not with --at',
    login,
  ].join('\n'),
  async run({ words, options }) {
    const [id] = words
    const [server, reason] = [options.get('server'), options.get('reason')]
    if (id === undefined || server === undefined || reason === undefined) return failed('publish <draft> --server URL --reason TEXT')
    const at = options.get('at')
    if (at !== undefined && Number.isNaN(Date.parse(at))) return failed(`"${at}" is no time; write 2026-12-24T18:00:00Z`)
    const emergency = options.has('emergency')
    if (emergency && at !== undefined) return failed('--emergency publishes now; it cannot be used with --at')
    const { call } = remote(server)
    const draft = await call('drafts.one', { id: numberOf(id, 'draft') })
    if (draft.hash === null) return failed(`draft ${draft.id} changes nothing`)
    const rollout = rolloutOf(options)
    const request = {
      hash: draft.hash,
      reason,
      ...(rollout && { rollout }),
      ...(at !== undefined && { at: Date.parse(at) }),
      ...(emergency && { emergency }),
    }
    const done = await call('drafts.publish', { id: draft.id, ...request })
    if (!('number' in done))
      return { ok: true, text: `draft ${draft.id} goes live at ${new Date(done.at).toISOString()}`, json: { ok: true, schedule: done } }
    const who = done.rollout ? ` for ${done.rollout.percent} %` : ''
    return { ok: true, text: `release ${done.number} is ${done.state}${who}`, json: { ok: true, release: done } }
  },
}

export const rollbackCommand: Command = {
  name: 'rollback',
  takes: '<release> --server URL --reason TEXT',
  does: 'makes an earlier release the live one again',
  more: `It becomes a new release with the earlier content. --force rolls back also to a release that was stopped. ${login}`,
  async run({ words, options }) {
    const [id] = words
    const [server, reason] = [options.get('server'), options.get('reason')]
    if (id === undefined || server === undefined || reason === undefined) return failed('rollback <release> --server URL --reason TEXT')
    const release = await remote(server).call('releases.rollback', {
      id: numberOf(id, 'release'),
      reason,
      ...(options.has('force') && { force: true }),
    })
    return {
      ok: true,
      text: `release ${release.number} is ${release.state}, with the content of release ${release.from}`,
      json: { ok: true, release },
    }
  },
}
