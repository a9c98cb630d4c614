import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type PictureKind, pictureLimits, type Size } from '#contract/picture.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** `coreMsMax`: time of processor that one picture may take · `jobMsMax`: time by the clock, which a machine with other work needs more of. */
export const pictureProcessLimits = { jobsMax: 2, waitingMax: 16, coreMsMax: 10_000, jobMsMax: 25_000, waitMsMax: 30_000 } as const

interface DrawnPicture extends Size {
  kind: PictureKind
  /** The re-encoded picture. Only pixels of the upload are kept. */
  bytes: Buffer
}

export interface PictureProcesses {
  /**
   * Re-encodes a picture in a process of its own. `gone` cancels a waiting or running job whose client has disconnected.
   * @throws ApiProblem file_type_refused, picture_too_large (also when it takes too much work), busy (also when the machine is too slow)
   */
  draw(kind: PictureKind, bytes: Buffer, gone?: AbortSignal): Promise<DrawnPicture>
  counts(): { running: number; waiting: number; killed: number }
  /** Ids of the running processes. */
  pids(): number[]
  /** Ends running jobs and refuses waiting ones. */
  stop(): void
}

export interface PictureProcessesOptions {
  log: Log
  /** Program and arguments of the process; the kind and the permitted time of processor in ms are appended. */
  command?: readonly [program: string, ...args: string[]]
  limits?: { [Name in keyof typeof pictureProcessLimits]: number }
}

const problemBytesMax = 2_000
/** Lower priority than the server, but high enough to finish in time on a busy machine. */
const niceness = 5
const answerLineMax = 200
const refusals = ['file_type_refused', 'picture_too_large'] as const

/** The built server has the process as JavaScript beside its main file; from the sources it needs a loader. */
function ownCommand(): [string, ...string[]] {
  const here = fileURLToPath(import.meta.url)
  if (here.endsWith('.ts')) return [process.execPath, '--import', 'tsx', join(dirname(here), 'picture.child.ts')]
  return [process.execPath, join(dirname(here), 'picture.child.js')]
}

function readAnswer(kind: PictureKind, answer: Buffer): DrawnPicture {
  const end = answer.subarray(0, answerLineMax).indexOf('\n')
  const line = JSON.parse(answer.subarray(0, Math.max(0, end)).toString()) as Partial<Size> & { refused?: string }
  const refused = refusals.find((one) => one === line.refused)
  if (refused) throw new ApiProblem(refused, { field: 'file' })
  const { width, height } = line
  if (!Number.isInteger(width) || !Number.isInteger(height)) throw new Error('the process of pictures gave no size')
  return { kind, width: width!, height: height!, bytes: answer.subarray(end + 1) }
}

/** Re-encodes a limited number of pictures at once. Each process gets no settings, files or other pictures of the server. */
export function createPictureProcesses({
  log,
  command = ownCommand(),
  limits = pictureProcessLimits,
}: PictureProcessesOptions): PictureProcesses {
  const running = new Set<ChildProcess>()
  const waiting: (() => void)[] = []
  let killed = 0
  let stopped = false
  let taken = 0

  function place(gone: AbortSignal | undefined): Promise<void> {
    if (stopped || gone?.aborted) throw new ApiProblem('busy')
    if (taken < limits.jobsMax) {
      taken++
      return Promise.resolve()
    }
    if (waiting.length >= limits.waitingMax) throw new ApiProblem('busy')
    return new Promise((resolve, reject) => {
      const leave = () => {
        const at = waiting.indexOf(enter)
        if (at >= 0) waiting.splice(at, 1)
        settle()
        reject(new ApiProblem('busy'))
      }
      const settle = () => {
        clearTimeout(timer)
        gone?.removeEventListener('abort', leave)
      }
      const enter = () => {
        settle()
        if (stopped) reject(new ApiProblem('busy'))
        else resolve()
      }
      const timer = setTimeout(leave, limits.waitMsMax)
      gone?.addEventListener('abort', leave)
      waiting.push(enter)
    })
  }

  /** The place passes directly to the next job, so that it is never counted twice. */
  function freePlace(): void {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  function run(kind: PictureKind, bytes: Buffer, gone: AbortSignal | undefined): Promise<DrawnPicture> {
    const [program, ...args] = command
    const child = spawn(program, [...args, kind, String(limits.coreMsMax)], {
      cwd: dirname(args.at(-1) ?? program),
      env: { VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '2' },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    running.add(child)
    return new Promise<DrawnPicture>((resolve, reject) => {
      const parts: Buffer[] = []
      let size = 0
      let said = ''
      let why: ApiProblem | undefined
      const end = (problem: ApiProblem) => {
        why ??= problem
        child.kill('SIGKILL')
      }
      const late = setTimeout(() => {
        killed++
        log.warn(
          { kind, bytes: bytes.length },
          'upload: a picture was not drawn in time; its process was ended, and the client may try again',
        )
        end(new ApiProblem('busy'))
      }, limits.jobMsMax)
      const left = () => end(new ApiProblem('busy'))
      gone?.addEventListener('abort', left)
      child.stdout.on('data', (part: Buffer) => {
        size += part.length
        if (size > pictureLimits.keptBytesMax + answerLineMax) end(new ApiProblem('picture_too_large', { field: 'file' }))
        else parts.push(part)
      })
      child.stderr.on('data', (part: Buffer) => {
        if (said.length < problemBytesMax) said += part.toString()
      })
      child.stdin.on('error', () => undefined)
      const done = (settle: () => void) => {
        clearTimeout(late)
        gone?.removeEventListener('abort', left)
        running.delete(child)
        settle()
      }
      child.once('error', (error) => done(() => reject(new ApiProblem('internal', { cause: error }))))
      child.once('close', (code) =>
        done(() => {
          if (why) return reject(why)
          if (said) log.debug({ kind, said: said.slice(0, problemBytesMax) }, 'upload: a picture could not be read; it is refused')
          try {
            resolve(readAnswer(kind, Buffer.concat(parts)))
          } catch (error) {
            // A decoder that crashes gives no reason. In most cases the picture is invalid.
            if (!(error instanceof ApiProblem))
              log.warn({ kind, code, said }, 'upload: the picture process ended without an answer; the upload is refused')
            reject(error instanceof ApiProblem ? error : new ApiProblem('file_type_refused', { field: 'file', cause: error }))
          }
        }),
      )
      try {
        if (child.pid !== undefined) setPriority(child.pid, niceness)
      } catch (error) {
        log.debug({ err: error }, 'upload: the priority of the picture process could not be lowered; it runs at normal priority')
      }
      child.stdin.end(bytes)
    })
  }

  return {
    async draw(kind, bytes, gone) {
      await place(gone)
      try {
        return await run(kind, bytes, gone)
      } finally {
        freePlace()
      }
    },
    counts: () => ({ running: running.size, waiting: waiting.length, killed }),
    pids: () => [...running].flatMap(({ pid }) => pid ?? []),
    stop() {
      stopped = true
      for (const enter of waiting.splice(0)) enter()
      for (const child of running) child.kill('SIGKILL')
    },
  }
}
