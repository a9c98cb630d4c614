import { readFile, rm, writeFile } from 'node:fs/promises'

const linkPattern = /^https?:\/\/\S+\/console\/#\/setup\/\S+\n$/

/**
 * Keeps the link for the first operator in a file that its owner alone can read, so that it stands in no log of a container.
 * @param link undefined: somebody has set up, so the file of an earlier start goes
 * @throws Error when the file holds anything but such a link
 */
export async function keepSetupLink(file: string, link: string | undefined): Promise<void> {
  const before = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (before !== undefined && !linkPattern.test(before))
    throw new Error(`SETUP_LINK_FILE: ${file} holds something else than a link for the first operator; name another file, or remove it.`)
  // Not written over: the file that is there may be open to others.
  await rm(file, { force: true })
  if (link !== undefined) await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' })
}
