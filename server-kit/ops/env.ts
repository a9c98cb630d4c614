import * as z from 'zod'

/**
 * Every environment variable there is. Read once at start; a wrong value stops the start and says which and why.
 * docs/guides/environment.md lists the same table; tests/tidy.test.ts forbids process.env elsewhere.
 */
const empty = (v: unknown) => (v === '' ? undefined : v)
/** Words with commas between them. */
const list = z.preprocess(
  empty,
  z
    .string()
    .default('')
    .transform((v) =>
      v
        .split(',')
        .map((s) => s.trim())
        .filter(Boolean),
    ),
)
const optionalUrl = (...protocols: string[]) =>
  z.preprocess(
    empty,
    z
      .string()
      .refine(
        (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol.slice(0, -1)),
        `an address that begins with ${protocols.map((p) => `${p}://`).join(' or ')}`,
      )
      .optional(),
  )

const isOrigin = (text: string) =>
  URL.canParse(text) &&
  /^https?:$/.test(new URL(text).protocol) &&
  [new URL(text).origin, `${new URL(text).origin}/`].includes(new URL(text).href)

export const envTable = {
  PORT: {
    schema: z.preprocess(empty, z.coerce.number().int().min(0).max(65_535).default(8080)),
    about: 'port to listen on; 0 takes a free one',
  },
  HOST: { schema: z.preprocess(empty, z.string().default('127.0.0.1')), about: 'address to listen on' },
  PUBLIC_URL: {
    schema: z.preprocess(
      empty,
      z
        .string()
        .refine(isOrigin, 'an address such as https://app.example.com, without a path')
        .transform((text) => new URL(text).origin)
        .optional(),
    ),
    about: 'address at which people reach this server: its pages may open the socket, and links that it writes begin with it',
  },
  DRAIN_SECONDS: {
    schema: z.preprocess(empty, z.coerce.number().min(0).max(600).default(0)),
    about: 'time between a signal to stop and the end of listening, during which /ready answers 503',
  },
  DATA_DIR: {
    schema: z.preprocess(empty, z.string().default('./data')),
    about: 'folder of the embedded database and of what the server keeps',
  },
  BACKUP_DIR: {
    schema: z.preprocess(empty, z.string().optional()),
    about: 'folder for copies of the embedded database, made while it works; without it there are none',
  },
  BACKUP_MINUTES: {
    schema: z.preprocess(empty, z.coerce.number().min(1).max(10_080).default(10)),
    about: 'age in minutes at which the newest copy in BACKUP_DIR is followed by another',
  },
  DATABASE_URL: { schema: optionalUrl('postgres', 'postgresql'), about: 'PostgreSQL to use in place of the embedded database' },
  NATS_URL: { schema: optionalUrl('nats', 'tls'), about: 'bus between several nodes; without it everything stays in the process' },
  FEED: { schema: z.preprocess(empty, z.enum(['simulator', 'binance', 'manual']).default('simulator')), about: 'source of prices' },
  FEED_URL: { schema: optionalUrl('wss', 'ws'), about: 'stream of the upstream exchange, for FEED=binance' },
  RATES_URL: { schema: optionalUrl('https', 'http'), about: 'public currency rates; without it the embedded table is used and labelled' },
  SMTP_URL: { schema: optionalUrl('smtp', 'smtps'), about: 'mail server; without it mail waits in the outbox table' },
  MAIL_FROM: {
    schema: z.preprocess(
      empty,
      z
        .string()
        .max(200)
        .regex(/^[^\r\n]+$/)
        .default('Tessera <no-reply@localhost>'),
    ),
    about: 'sender of mail',
  },
  PASSWORD_MIN: {
    schema: z.preprocess(empty, z.coerce.number().int().min(7).max(64).default(8)),
    about: 'least length of a new login password, in characters; at least 7',
  },
  SECRET_KEY: {
    schema: z.preprocess(empty, z.string().min(32).optional()),
    about: 'key of what is sealed in the database, at least 32 characters; without it secret.key in DATA_DIR is made and used',
  },
  SECRET_KEYS_OLD: {
    schema: z.preprocess(
      empty,
      z
        .string()
        .default('')
        .transform((text) => text.split('\n').filter(Boolean))
        .pipe(z.array(z.string().min(32)).max(9)),
    ),
    about: 'keys that SECRET_KEY has replaced, newest first, one on a line; they open what they have sealed',
  },
  SEED: {
    schema: z.preprocess(empty, z.enum(['demo', 'none']).default('demo')),
    about: 'demo: content and market history at the first start; none: an empty house',
  },
  TEST_HOOKS: {
    schema: z.preprocess(
      empty,
      z
        .enum(['0', '1'])
        .default('0')
        .transform((v) => v === '1'),
    ),
    about: '1 opens /test/… on a loopback address; refused elsewhere',
  },
  METRICS_TOKEN: {
    schema: z.preprocess(empty, z.string().min(16).optional()),
    about: 'bearer token that /metrics asks everybody for; without it this machine alone may read',
  },
  ORIGINS: {
    schema: list,
    about: 'further origins that may open the socket, comma separated',
  },
  TRUST_PROXY: {
    schema: list,
    about: 'addresses of proxies whose X-Forwarded-For is believed',
  },
  SETUP_LINK_FILE: {
    schema: z.preprocess(empty, z.string().optional()),
    about: 'file, readable by its owner only, that takes the link for the first operator; without it the link is printed',
  },
  STREAMS_PER_ADDRESS: {
    schema: z.preprocess(empty, z.coerce.number().int().min(1).max(10_000).default(500)),
    about: 'sockets, and as many streams of releases, that one address may hold open',
  },
  CHROMIUM_PATH: {
    schema: z.preprocess(empty, z.string().optional()),
    about: "browser that runs flows and tests; without it the system's is looked for",
  },
  LOG_LEVEL: {
    schema: z.preprocess(empty, z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info')),
    about: 'least level that is logged',
  },
} as const

export type Env = { [K in keyof typeof envTable]: z.output<(typeof envTable)[K]['schema']> }

/** True for a HOST that only this machine reaches. */
export const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)

/** @throws Error whose message names every wrong variable, one a line. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const wrong: string[] = []
  const env: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(envTable)) {
    const read = row.schema.safeParse(source[name])
    if (read.success) env[name] = read.data
    else wrong.push(`${name}: ${read.error.issues.map((i) => i.message).join('; ')} (${row.about})`)
  }
  if (env.TEST_HOOKS && !isLoopback(String(env.HOST)))
    wrong.push(`TEST_HOOKS: only with HOST on a loopback address, not ${String(env.HOST)}`)
  if (env.BACKUP_DIR && env.DATABASE_URL)
    wrong.push('BACKUP_DIR: is for the embedded database; PostgreSQL is saved by its own means (pg_dump, pg_basebackup)')
  if (env.FEED === 'binance' && !env.FEED_URL) wrong.push('FEED_URL: FEED=binance needs the address of the stream')
  if (wrong.length) throw new Error(`These settings are wrong:\n  ${wrong.join('\n  ')}`)
  return env as Env
}
