import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '#tests/support/servers/product.ts'

/** Lines of level warn and above that docs/guides/log.md explains; `…` in them stands for any words. */
export const explainedLines: readonly string[] = readFileSync(join(projectRoot, 'docs/guides/log.md'), 'utf8')
  .split('\n')
  .flatMap((row) => /^\| (?!line )([^|]+) \| [^|]{8,} \| [^|]{7,} \|$/.exec(row)?.[1] ?? [])
const patterns = explainedLines.map(
  (line) =>
    new RegExp(
      `^${line
        .split('…')
        .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('.+')}$`,
    ),
)

export const isExplained = (message: string): boolean => patterns.some((pattern) => pattern.test(message))
