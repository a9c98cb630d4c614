import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Options = Parameters<NodeFS['init']>[1]
type Module = Parameters<NonNullable<Options['preRun']>[number]>[0]

/**
 * Files of the embedded database that only their user may open. The engine sets 0666 on each file that it makes, whatever the umask of the
 * process, so the bits of group and others are taken out where it does so.
 */
export class PrivateFiles extends NodeFS {
  override async init(pg: PGlite, options: Options): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(pg, options)
    const takeOut = ({ FS }: Module) => {
      const chmod = FS.chmod
      FS.chmod = (path: string, mode: number, dontFollow?: boolean) => chmod.call(FS, path, mode & 0o700, dontFollow)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), takeOut] } }
  }
}
