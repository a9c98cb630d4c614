import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

export type HeaderPairs = readonly (readonly [string, string])[]
interface Answer {
  /** Names and values in turn, as writeHead takes them. */
  headers: string[]
  body: Buffer
}
/** One body in every encoding that is served, with all its headers; made once and sent many times. */
export type Answers = Record<'identity' | 'br' | 'gzip', Answer>

export const flat = (pairs: HeaderPairs): string[] => pairs.flat()

/**
 * A window no bigger than the text needs makes small bodies six times faster to compress. Quality 8 and 9 need tables of up to 32 MB, which
 * take four to six times as long to fill as those of 7, for bodies that are 1 to 2 % smaller.
 */
const brotliParams = (size: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: 7,
  [constants.BROTLI_PARAM_LGWIN]: size > 65_536 ? 20 : 16,
  [constants.BROTLI_PARAM_SIZE_HINT]: size,
})

/** Compresses once. A body that does not shrink is served as it is in every encoding. */
export async function answersOf(text: string, headers: HeaderPairs): Promise<Answers> {
  const plain = Buffer.from(text)
  const [br, gz] = await Promise.all([brotli(plain, { params: brotliParams(plain.length) }), gzipped(plain, { level: 9 })])
  const answer = (body: Buffer, encoding?: string): Answer => ({
    body,
    headers: flat([...headers, ...(encoding ? [['Content-Encoding', encoding] as const] : []), ['Content-Length', String(body.length)]]),
  })
  const identity = answer(plain)
  return {
    identity,
    br: br.length < plain.length ? answer(br, 'br') : identity,
    gzip: gz.length < plain.length ? answer(gz, 'gzip') : identity,
  }
}

const accepts = (header: string, coding: string) => {
  const item = new RegExp(`(?:^|,)\\s*${coding}\\s*(;[^,]*)?(?:,|$)`, 'i').exec(header)
  return item !== null && !/;\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(item[1] ?? '')
}

/** Best encoding that an Accept-Encoding header allows. Browsers send the same few texts, so what was read is kept. */
const known = new Map<string, keyof Answers>()
const knownMax = 100
export function encodingFor(header: string | string[] | undefined): keyof Answers {
  if (typeof header !== 'string' || header.length > 200) return 'identity'
  const before = known.get(header)
  if (before) return before
  const encoding = accepts(header, 'br') ? 'br' : accepts(header, 'gzip') ? 'gzip' : 'identity'
  if (known.size < knownMax) known.set(header, encoding)
  return encoding
}

/** @param more further headers, names and values in turn */
export function send(req: IncomingMessage, res: ServerResponse, answers: Answers, more: readonly string[] = []): void {
  const { headers, body } = answers[encodingFor(req.headers['accept-encoding'])]
  res.writeHead(200, more.length ? [...headers, ...more] : headers)
  if (req.method === 'HEAD') res.end()
  else res.end(body)
}
