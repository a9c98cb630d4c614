import type { Dirent } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isName } from '#api-server/upload/upload.rules.ts'
import { keyVersion, type Secrets } from '#server-kit/security/secrets.ts'

/** Storage of the bytes of pictures. Several nodes share one folder. */
export interface PictureFiles {
  /** Writes a file atomically and flushes it to the disk. @param sealed encrypts the file */
  write(name: string, bytes: Buffer, sealed: boolean): Promise<void>
  /** Reads a file, decrypted. @returns undefined for an unknown name @throws Error when the file was tampered with */
  read(name: string): Promise<Readable | undefined>
  /** Like `read`, as one buffer. */
  whole(name: string): Promise<Buffer | undefined>
  remove(name: string): Promise<void>
  /** Names of files written before `than`, folder by folder. Unfinished files of that age are removed on the way. */
  older(than: number): AsyncIterable<string[]>
}

const unfinished = '.part'

const about = (name: string) => `upload:${name}`
/** The first byte identifies encrypted files: no picture starts with it. */
const isSealed = (first: Buffer) => first[0] === keyVersion

/** One file per picture, spread over 256 folders. Folders are created on first use. */
export function createPictureFiles(dir: string, secrets: Pick<Secrets, 'sealBytes' | 'openBytes'>): PictureFiles {
  const folderOf = (name: string) => join(dir, name.slice(0, 2))
  const pathOf = (name: string) => {
    if (!isName(name)) throw new Error('a picture has a name of ours')
    return join(folderOf(name), name)
  }
  async function read(name: string): Promise<Readable | undefined> {
    let file: FileHandle
    try {
      file = await open(pathOf(name), 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    try {
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
      if (!isSealed(buffer)) return file.createReadStream({ start: 0 })
      const opened = secrets.openBytes(await file.readFile(), about(name))
      await file.close()
      return Readable.from([opened], { objectMode: false })
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
  }

  return {
    async write(name, bytes, sealed) {
      const path = pathOf(name)
      await mkdir(folderOf(name), { recursive: true, mode: 0o700 })
      const part = path + unfinished
      try {
        const file = await open(part, 'wx', 0o600)
        try {
          await file.writeFile(sealed ? secrets.sealBytes(bytes, about(name)) : bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(part, path)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    read,
    async whole(name) {
      const body = await read(name)
      return body && Buffer.concat(await body.toArray())
    },
    remove: (name) => rm(pathOf(name), { force: true }),
    async *older(than) {
      const folders = await readdir(dir).catch(() => [] as string[])
      for (const folder of folders) {
        const entries: Dirent[] = await readdir(join(dir, folder), { withFileTypes: true }).catch(() => [])
        const names: string[] = []
        for (const entry of entries) {
          const path = join(dir, folder, entry.name)
          const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
          if (!entry.isFile() || mtimeMs >= than) continue
          if (isName(entry.name)) names.push(entry.name)
          else if (entry.name.endsWith(unfinished)) await rm(path, { force: true })
        }
        if (names.length) yield names
      }
    },
  }
}
