import { useEffect, useState } from 'react'
import { useMatch } from 'react-router-dom'
import { useConsole } from '#console/io/console.ts'
import { useWorkspace } from '#console/io/useWorkspace.ts'
import { useLocaleTag, useWords } from '#console/io/words.ts'
import { Badge } from '#console/parts/Badge.tsx'
import styles from '#console/shell/Presence.module.css'
import type { Present } from '#language/publish/publishing.ts'

const namesMax = 4
const shortOf = (path: string) => path.replace(/^schemas\//, '')

/** The file that the page shows; undefined where it shows none, or many. */
function useFile(): string | undefined {
  const { files } = useWorkspace()
  const document = useMatch('/draft/:id/document/*')?.params['*']
  const path = useMatch('/draft/:id/theme') ? 'schemas/theme.json' : document
  return path !== undefined && files[path] !== undefined ? path : undefined
}

/** Shows the other operators that have the draft open, each with the file; a name in the same file stands out. */
export function Presence({ draft }: { draft: number }) {
  const say = useWords()
  const tag = useLocaleTag()
  const { watchDraft } = useConsole()
  const path = useFile()
  const [others, setOthers] = useState<readonly Present[]>([])
  useEffect(() => watchDraft({ draft, path }, setOthers), [watchDraft, draft, path])
  if (others.length === 0) return null

  const isHere = ({ paths }: Present) => path !== undefined && paths.includes(path)
  const sentence = (other: Present): string => {
    const { name, paths } = other
    if (isHere(other)) return say('shell.draft.other_here', { name })
    if (paths.length === 0) return say('shell.draft.other_open', { name })
    return say('shell.draft.other_in', { name, files: new Intl.ListFormat(tag).format(paths.map(shortOf)) })
  }
  // An operator in the same file is always named, never only counted.
  const sorted = [...others].sort((a, b) => Number(isHere(b)) - Number(isHere(a)))
  const [shown, rest] = [sorted.slice(0, namesMax), sorted.slice(namesMax).map(sentence)]
  return (
    <ul className={styles.others} aria-label={say('shell.draft.others')}>
      {shown.map((other) => (
        <li key={other.name}>
          <Badge tone={isHere(other) ? 'warn' : 'neutral'} title={sentence(other)}>
            <span className={styles.name} aria-hidden>
              {other.name}
            </span>
            <span className="visually-hidden">{sentence(other)}</span>
          </Badge>
        </li>
      ))}
      {rest.length > 0 && (
        <li>
          <Badge title={rest.join('\n')}>
            <span aria-hidden>+{rest.length}</span>
            <span className="visually-hidden">{rest.join(' · ')}</span>
          </Badge>
        </li>
      )}
    </ul>
  )
}
