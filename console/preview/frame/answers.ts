import type { DataState, DryRun, Switches } from '#console/preview/protocol.ts'
import calls from '#contract/manifest.json'
import { type SampleSchema, sampleAnswer } from '#contract/samples.ts'
import { type Api, CallProblem } from '#renderer/calls/api.ts'
import { mask } from '#renderer/inspector/mask.ts'

/** The members of a row of contract/manifest.json that are used here. */
interface CallRow {
  name: string
  auth: string
  /** The call changes nothing. */
  reads?: boolean
  /** No server answers it yet. */
  planned?: boolean
  output: SampleSchema
}

interface AnswerOptions {
  /** The real API for calls of visitors. It gets no token. */
  real: Api
  switches: () => Switches
  /** Whether a customer is logged in within the frame, by the option or by the login page. */
  customer: () => boolean
  /** Called for a call that would have changed something and was answered with a sample. */
  dry: (run: DryRun) => void
  /** Loads the answer of a call again, a moment later. */
  again: (call: string) => void
  now: () => number
  rows?: readonly CallRow[]
}

const refused = 'problem_of_preview'
const never = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, end) => signal?.addEventListener('abort', () => end(signal.reason as Error)))

/**
 * The API of the app in the preview. Reads that visitors may make are real. Everything of a customer, every planned call, and every
 * state of data but `ok`, is a sample. A call that is not a read is never sent, whether a source, a step or the app makes it.
 */
export function createAnswers({ real, switches, customer, dry, again, now, rows = calls as unknown as CallRow[] }: AnswerOptions): Api {
  const byName = new Map(rows.map((row) => [row.name, row]))
  /** Calls that were answered since the data state became `stale`; they fail from then on. */
  const aged = new Set<string>()
  let lastState: DataState | undefined

  /** The answer of a read in the selected data state. */
  function stated(row: CallRow, args: Record<string, unknown>, signal: AbortSignal | undefined): Promise<unknown> {
    const { data } = switches()
    if (data !== lastState) aged.clear()
    lastState = data
    const key = `${row.name} ${JSON.stringify(args)}`
    switch (data) {
      case 'loading':
        return never(signal)
      case 'error':
        return Promise.reject(new CallProblem(5001, 'internal'))
      case 'stale':
        if (aged.has(key)) return Promise.reject(new CallProblem(5001, 'internal'))
        aged.add(key)
        again(row.name)
        return Promise.resolve(sample(row, args, false))
      default:
        return Promise.resolve(sample(row, args, data === 'empty'))
    }
  }
  function sample(row: CallRow, args: Record<string, unknown>, empty: boolean): unknown {
    const answer = sampleAnswer(row, args, { empty, atMs: now(), rows: Number(args.page ?? 1) > 1 ? 0 : 5 })
    return row.name === 'user.info' ? { ...(answer as object), level: switches().kyc } : answer
  }
  /** @throws CallProblem as the real API does when a visitor makes a customer's call; nothing is sent */
  function forCustomers(row: CallRow): void {
    if (row.auth === 'user' && !customer()) throw new CallProblem(401, 'unauthorized')
  }
  async function pretend(row: CallRow, args: Record<string, unknown>): Promise<unknown> {
    dry({ id: crypto.randomUUID(), call: row.name, args: mask(args), at: Date.now() })
    return sample(row, args, false)
  }

  return {
    async call(name, args, options) {
      const row = byName.get(name)
      if (!row) throw new CallProblem(4004, refused)
      forCustomers(row)
      if (!row.reads) return pretend(row, args)
      // The account stays known in every data state.
      if (name === 'user.info') return sample(row, args, false)
      if (row.auth === 'user' || row.planned || switches().data !== 'ok') return stated(row, args, options?.signal)
      return real.call(name, args, options)
    },
    async send(name, form, more) {
      const row = byName.get(name)
      if (!row) throw new CallProblem(4004, refused)
      forCustomers(row)
      more.onUploadProgress?.({ loaded: 1, total: 1, bytes: 1, lengthComputable: true })
      const file = form.get('file') as File
      const answer = await pretend(row, { file: `${file.type || 'file'}, ${file.size} bytes`, purpose: form.get('purpose') ?? undefined })
      return { ...(answer as object), url: '/icon.svg' }
    },
    needsUser: (name) => byName.get(name)?.auth === 'user',
  }
}

/** The account that the frame shows. */
export function sampleUser(kyc: Switches['kyc'], atMs: number): Record<string, unknown> {
  const row = (calls as unknown as CallRow[]).find(({ name }) => name === 'user.info')
  return { ...(row && (sampleAnswer(row, {}, { atMs }) as object)), level: kyc }
}
