import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is kept in the database but must not be readable there. The key is never in the database. */
export interface Secrets {
  /** Tells two keys apart without telling the key: 16 hex digits. */
  readonly fingerprint: string
  /**
   * AES-256-GCM: one byte key version, 12 bytes nonce, 16 bytes tag, the rest.
   * @param about what it is and whose; the same must be given to `open`, so that a value moved to another row does not open
   */
  seal(plain: string, about: string): Buffer
  /** @throws Error when the value was changed, moved, or sealed with another key */
  open(sealed: Buffer, about: string): string
  /** As `seal`, for what is no text. */
  sealBytes(plain: Buffer, about: string): Buffer
  /** As `open`, for what is no text. */
  openBytes(sealed: Buffer, about: string): Buffer
  /** HMAC-SHA-256, for short secrets whose plain hash could be tried out. */
  mac(purpose: string, text: string): Buffer
}

/** Written in front of every sealed value, so that a later key can be told from this one. */
export const keyVersion = 1
const fileName = 'secret.key'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

function derive(root: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, 'tessera', purpose, keyBytes))
}

export function createSecrets(root: Buffer | string): Secrets {
  const sealKey = derive(root, 'seal')
  const macKey = derive(root, 'mac')

  function sealBytes(plain: Buffer, about: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(about))
    const body = [cipher.update(plain), cipher.final()]
    return Buffer.concat([Buffer.from([keyVersion]), nonce, cipher.getAuthTag(), ...body])
  }
  function openBytes(sealed: Buffer, about: string): Buffer {
    if (sealed[0] !== keyVersion || sealed.length < 1 + nonceBytes + tagBytes) throw new Error('sealed with a key of another version')
    const nonce = sealed.subarray(1, 1 + nonceBytes)
    const tag = sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
    const decipher = createDecipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(about)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()])
  }

  return {
    fingerprint: derive(root, 'fingerprint').toString('hex').slice(0, 16),
    seal: (plain, about) => sealBytes(Buffer.from(plain, 'utf8'), about),
    open: (sealed, about) => openBytes(sealed, about).toString('utf8'),
    sealBytes,
    openBytes,
    mac: (purpose, text) => createHmac('sha256', macKey).update(`${purpose}\n${text}`).digest(),
  }
}

/** The key of SECRET_KEY, else the one in `<dataDir>/secret.key`, which is made at the first start and readable by its owner only. */
export function openSecrets(options: { secretKey?: string | undefined; dataDir: string }): Secrets {
  if (options.secretKey) return createSecrets(options.secretKey)
  const file = join(options.dataDir, fileName)
  mkdirSync(options.dataDir, { recursive: true })
  try {
    writeFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (statSync(file).mode & 0o077) chmodSync(file, 0o600)
  const root = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (root.length !== keyBytes) throw new Error(`${file} does not hold a key of ${keyBytes} bytes`)
  return createSecrets(root)
}

/** A random token in text: 256 bits, 43 characters that need no escaping. */
export const randomToken = (bytes = keyBytes): string => randomBytes(bytes).toString('base64url')

/** What is stored of a token. Its randomness makes salt and stretching needless. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()
