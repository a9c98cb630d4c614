import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '#server-kit/ops/start-refused.ts'

/** Encrypts values that are stored in the database but must not be readable there. The key is never in the database. */
export interface Secrets {
  /** Distinguishes two keys without revealing the key: 16 hex digits. Of the newest key. */
  readonly fingerprint: string
  /** Of all keys, newest first. */
  readonly fingerprints: readonly string[]
  /**
   * AES-256-GCM with the newest key: one byte version of the format, 12 bytes nonce, 16 bytes tag, the rest.
   * @param about what it is and whose; the same must be given to `open`, so that a value moved to another row does not open
   */
  seal(plain: string, about: string): Buffer
  /** @throws Error when the value was changed, moved, or sealed with none of the keys */
  open(sealed: Buffer, about: string): string
  /** As `seal`, for what is no text. */
  sealBytes(plain: Buffer, about: string): Buffer
  /** As `open`, for what is no text. */
  openBytes(sealed: Buffer, about: string): Buffer
  /** HMAC-SHA-256 with the oldest key, for short secrets whose plain hash could be tried out. Stored MACs are compared with new ones for years. */
  mac(purpose: string, text: string): Buffer
}

/** Written in front of every sealed value, so that a later format can be distinguished from this one. */
export const keyVersion = 1
const fileName = 'secret.key'
/** Making a key takes a moment; what lies aside for longer belongs to a start that was killed. */
const asideMs = 60_000
/** Error codes of file systems that allow only one name for a file. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

function derive(root: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, 'tessera', purpose, keyBytes))
}

/** @param newest seals; it and the older keys open. @param older newest first */
export function createSecrets(newest: Buffer | string, older: readonly (Buffer | string)[] = []): Secrets {
  const roots = [newest, ...older]
  const sealKeys = roots.map((root) => derive(root, 'seal'))
  const macKey = derive(roots.at(-1)!, 'mac')
  const fingerprints = roots.map((root) => derive(root, 'fingerprint').toString('hex').slice(0, 16))

  function sealBytes(plain: Buffer, about: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', sealKeys[0]!, nonce).setAAD(Buffer.from(about))
    const body = [cipher.update(plain), cipher.final()]
    return Buffer.concat([Buffer.from([keyVersion]), nonce, cipher.getAuthTag(), ...body])
  }
  function openBytes(sealed: Buffer, about: string): Buffer {
    if (sealed[0] !== keyVersion || sealed.length < 1 + nonceBytes + tagBytes) throw new Error('sealed with a key of another version')
    const nonce = sealed.subarray(1, 1 + nonceBytes)
    const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
    const body = sealed.subarray(1 + nonceBytes + tagBytes)
    let refused: unknown
    for (const key of sealKeys) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(about)).setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(body), decipher.final()])
      } catch (error) {
        refused = error
      }
    }
    throw refused
  }

  return {
    fingerprint: fingerprints[0]!,
    fingerprints,
    seal: (plain, about) => sealBytes(Buffer.from(plain, 'utf8'), about),
    open: (sealed, about) => openBytes(sealed, about).toString('utf8'),
    sealBytes,
    openBytes,
    mac: (purpose, text) => createHmac('sha256', macKey).update(`${purpose}\n${text}`).digest(),
  }
}

/**
 * Makes a key where there is none. It is written aside and put in its place by one step, which gives way to one that stands there: no moment
 * leaves half a key, and of two that start at once both have the same one afterwards.
 */
function makeKey(dataDir: string): void {
  const file = join(dataDir, fileName)
  const aside = `${file}.${randomUUID()}`
  const text = `${randomBytes(keyBytes).toString('base64')}\n`
  const how = { flag: 'wx', mode: 0o600, flush: true } as const
  try {
    writeFileSync(aside, text, how)
    linkSync(aside, file)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (noLinks.has(code)) writeFileSync(file, text, how)
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** Removes the files that killed starts wrote aside: nobody has ever used them. */
function sweepAside(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(`${fileName}.`)) continue
    const file = join(dataDir, name)
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > asideMs) rmSync(file, { force: true })
  }
}

/**
 * The key of SECRET_KEY with those of SECRET_KEYS_OLD, else the lines of `<dataDir>/secret.key`, newest first. The file is made at the first start and readable by its owner only. An empty file
 * is what an earlier build left when it was killed while it made the key; nothing was ever sealed with it.
 * @throws StartRefused when the file holds no key
 */
export function openSecrets(options: { secretKey?: string | undefined; oldKeys?: readonly string[]; dataDir: string }): Secrets {
  if (options.secretKey) return createSecrets(options.secretKey, options.oldKeys)
  if (options.oldKeys?.length)
    throw new StartRefused('SECRET_KEYS_OLD needs SECRET_KEY; older keys of secret.key are further lines of that file')
  const file = join(options.dataDir, fileName)
  mkdirSync(options.dataDir, { recursive: true })
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.size === 0) rmSync(file, { force: true })
  if (!found?.size) {
    sweepAside(options.dataDir)
    makeKey(options.dataDir)
  }
  if (statSync(file).mode & 0o077) chmodSync(file, 0o600)
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split(/\s*\n\s*/)
  const [newest, ...older] = lines.map((line) => Buffer.from(line, 'base64'))
  if ([newest!, ...older].some((root) => root.length !== keyBytes))
    throw new StartRefused(`${file} has a line that is no key of ${keyBytes} bytes; put back the one that was there`)
  return createSecrets(newest!, older)
}

/** A random token in text: 256 bits, 43 characters that need no escaping. */
export const randomToken = (bytes = keyBytes): string => randomBytes(bytes).toString('base64url')

/** Returns the stored form of a token. Its randomness makes salt and stretching needless. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A token is 43 characters; what is longer than this is not looked up. */
const tokenMax = 200

/** Returns the key to look up a token that somebody sent; undefined for a text that cannot be a token. */
export const sentTokenHash = (token: string): Buffer | undefined => (token.length > tokenMax ? undefined : tokenHash(token))
