import type { Dirent, ReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isName } from '#api-server/upload/upload.rules.ts'

/** Where the bytes of kept pictures are. Several nodes share one: give them the same folder. */
export interface PictureFiles {
  /** Whole or not at all, and on the disk when it resolves. */
  write(name: string, bytes: Buffer): Promise<void>
  /** @returns undefined when there is none */
  read(name: string): Promise<ReadStream | undefined>
  remove(name: string): Promise<void>
  /** Names of files that were written before then, folder by folder; unfinished ones of that age are removed on the way. */
  older(than: number): AsyncIterable<string[]>
}

const unfinished = '.part'

/** One file a picture, in 256 folders so that none grows too long. The folder is made when it is first needed. */
export function createPictureFiles(dir: string): PictureFiles {
  const folderOf = (name: string) => join(dir, name.slice(0, 2))
  const pathOf = (name: string) => {
    if (!isName(name)) throw new Error('a picture has a name of ours')
    return join(folderOf(name), name)
  }
  return {
    async write(name, bytes) {
      const path = pathOf(name)
      await mkdir(folderOf(name), { recursive: true, mode: 0o700 })
      const part = path + unfinished
      try {
        const file = await open(part, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
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
    async read(name) {
      try {
        const file = await open(pathOf(name), 'r')
        return file.createReadStream()
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
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
